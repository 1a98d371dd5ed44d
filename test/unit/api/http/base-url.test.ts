import { describe, expect, test } from 'vitest';
import { buildUrl, isLoopback, parseBaseUrl } from '../../../../src/api/http/base-url.ts';
import { EXIT } from '../../../../src/base/lib/errors.ts';

describe('base URLs', () => {
  test.each([
    ['https://api.example.test', 'https://api.example.test/'],
    [' https://api.example.test/ ', 'https://api.example.test/'],
    ['https://h.example.test/api', 'https://h.example.test/api'],
    ['https://h.example.test/api//', 'https://h.example.test/api'],
    ['https://h.example.test./api', 'https://h.example.test/api'],
    ['https://h.example.test.:8443', 'https://h.example.test:8443/'],
    ['https://h.example.test.:443//', 'https://h.example.test/'],
    ['https://h.example.test//api///eu', 'https://h.example.test/api/eu'],
    ['http://localhost.:8080', 'http://localhost:8080/'],
    ['https://h.example.test/v12', 'https://h.example.test/v12'],
    ['http://localhost:8080', 'http://localhost:8080/'],
    ['http://127.0.0.1:1', 'http://127.0.0.1:1/'],
    ['http://127.1', 'http://127.0.0.1/'],
    ['http://[::1]:9', 'http://[::1]:9/'],
  ])('accepts the base URL %s', (text, href) => {
    expect(parseBaseUrl(text).href).toBe(href);
  });

  test.each([
    ['https://api.example.test/v1', 'use https://api.example.test'],
    ['https://api.example.test/v1/', 'use https://api.example.test'],
    ['https://h.example.test.//v1//', 'use https://h.example.test'],
    ['https://h.example.test/api/V1', 'use https://h.example.test/api'],
    ['http://api.example.test', 'use https://api.example.test/'],
    ['http://127.0.0.1.example.test', 'use https://127.0.0.1.example.test/'],
    ['http://localhost.example.test', 'use https://localhost.example.test/'],
    ['https://user:pw@api.example.test', 'use https://api.example.test/'],
    ['https://api.example.test?x=1', 'use https://api.example.test/'],
    ['https://api.example.test/#x', 'use https://api.example.test/'],
    ['ftp://api.example.test', 'give it as https://host or https://host/path'],
    ['api.example.test', 'give it as https://host or https://host/path'],
    ['', 'give it as https://host or https://host/path'],
  ])('refuses the base URL %s and names a correct one', (text, hint) => {
    expect(() => parseBaseUrl(text)).toThrow(expect.objectContaining({ exit: EXIT.usage, code: 'invalid_url', hint }));
  });

  test('recognizes a loopback host only by its whole name', () => {
    const names = ['localhost', 'a.localhost', '127.0.0.1', '127.9.9.9', '[::1]', '10.0.0.1', 'xlocalhost', '[::2]'];
    expect(names.filter(isLoopback)).toEqual(['localhost', 'a.localhost', '127.0.0.1', '127.9.9.9', '[::1]']);
  });
});

describe('paths (K2)', () => {
  const base = new URL('https://h.example.test/api');

  test.each([
    [['audiences'], '/api/v1/audiences'],
    [['audiences', 'aud_ü%2e'], '/api/v1/audiences/aud_%C3%BC%252e'],
    [['contacts', 'ana+x@example.com'], '/api/v1/contacts/ana%2Bx%40example.com'],
    [['contacts', '../a@example.com'], '/api/v1/contacts/..%2Fa%40example.com'],
    [['contacts', "o'x!*()@example.com"], "/api/v1/contacts/o'x!*()%40example.com"],
  ])('percent-encodes each segment of the path %j', (segments, path) => {
    const url = buildUrl(base, segments);
    expect([url.origin, url.pathname, url.search, url.hash]).toEqual(['https://h.example.test', path, '', '']);
  });

  test.each(['', '.', '..', 'a/b', 'a\\b', 'a?b', 'a#b', 'a\nb', 'a\0b', 'a\x7fb', 'x@y\n', '\ud800'])(
    'refuses the path segment %j',
    (segment) => {
      expect(() => buildUrl(base, ['audiences', segment])).toThrow(expect.objectContaining({ exit: EXIT.usage }));
    },
  );

  test('percent-encodes query parameters of a URL and omits undefined ones', () => {
    expect(buildUrl(base, ['a'], { after: 'x y&z=+', limit: 3, status: undefined }).search).toBe(
      '?after=x%20y%26z%3D%2B&limit=3',
    );
  });
});
