import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { startService } from '../../../contract/service.ts';

describe('the emulator as an HTTP server', () => {
  test.each(['localhost:80', '127.0.0.1', '[::1]:9'])(
    'the emulator responds to a request with Host %s (K7)',
    async (host) => {
      const { ask } = await startService();
      expect((await ask('GET', '/v1/audiences', { headers: { host } })).status).toBe(200);
    },
  );

  test.each(['evil.example.com', 'localhost.evil.example.com', '127.0.0.1.example.com', '10.0.0.1'])(
    'the emulator refuses a foreign Host %s, also at the admin API (K7)',
    async (host) => {
      const { ask } = await startService();
      for (const path of ['/v1/audiences', '/_emulator/state']) {
        const { status, json } = await ask('GET', path, { headers: { host } });
        expect([status, json.error.code]).toEqual([403, 'forbidden']);
      }
    },
  );

  test('the emulator refuses a foreign Origin and accepts its own (K7)', async () => {
    const { ask, url } = await startService();
    expect((await ask('GET', '/v1/audiences', { headers: { origin: 'https://evil.example.com' } })).status).toBe(403);
    expect((await ask('GET', '/v1/audiences', { headers: { origin: 'null' } })).status).toBe(403);
    expect((await ask('GET', '/v1/audiences', { headers: { origin: url } })).status).toBe(200);
  });

  test('the emulator refuses the admin API without a key (K7)', async () => {
    const { ask } = await startService();
    expect((await ask('POST', '/_emulator/plan', { key: null, body: { plan: 'free' } })).status).toBe(401);
  });

  test('the emulator refuses a body of more than 32 MiB', async () => {
    const { ask } = await startService();
    const { status, json } = await ask('POST', '/v1/audiences', { body: `{"name":"${'x'.repeat(33 * 2 ** 20)}"}` });
    expect([status, json.error.code]).toEqual([400, 'invalid_request']);
  });

  /** Sends these bytes. Returns the response until the socket closes or is silent for a while. */
  function sendRaw(url: string, bytes: string): Promise<string> {
    return new Promise((resolve) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes));
      let text = '';
      socket.on('data', (part) => {
        text += part;
      });
      socket.on('close', () => resolve(text));
      socket.on('error', () => resolve(text));
    });
  }

  const close = 'Connection: close\r\n';

  test.each([
    { title: 'bytes that are no HTTP', bytes: '\u0000\u0001 hello\r\n\r\n', status: 400 },
    {
      title: 'both a length and chunks',
      bytes: 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      status: 400,
    },
    { title: 'a length below zero', bytes: 'Content-Length: -1\r\n\r\n', status: 400 },
    { title: 'an invalid chunk', bytes: 'Transfer-Encoding: chunked\r\n\r\nzz\r\n', status: 400 },
    { title: 'a head of 20,000 characters', bytes: `X: ${'a'.repeat(20_000)}\r\n\r\n`, status: 431 },
  ])('the emulator responds to $title with a $status error and no effect', async ({ title, bytes, status }) => {
    const { url, emulator } = await startService();
    const head = `POST /v1/audiences HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${emulator.apiKey}\r\n`;
    const text = await sendRaw(url, title.includes('no HTTP') ? bytes : head + bytes);
    expect([text.slice(0, 12), JSON.parse(text.split('\r\n\r\n')[1] ?? '').error]).toEqual([
      `HTTP/1.1 ${status}`,
      { code: 'invalid_request', message: expect.any(String), request_id: expect.any(String) },
    ]);
    expect(emulator.admin.state().audiences).toBe(1);
  });

  test.each([
    { title: 'no Host in HTTP/1.1', first: 'GET /v1/audiences HTTP/1.1', header: '', status: 400 },
    {
      title: 'an unknown Expect',
      first: 'GET /v1/audiences HTTP/1.1',
      header: 'Host: 127.0.0.1\r\nExpect: x\r\n',
      status: 417,
    },
    { title: 'CONNECT', first: 'CONNECT 127.0.0.1:80 HTTP/1.1', header: 'Host: 127.0.0.1\r\n', status: 400 },
  ])('the emulator responds to $title with a $status error and rate headers', async ({ first, header, status }) => {
    const { url, emulator } = await startService();
    const text = await sendRaw(url, `${first}\r\n${header}${close}Authorization: Bearer ${emulator.apiKey}\r\n\r\n`);
    const [head = '', body = '{}'] = text.split('\r\n\r\n');
    expect([head.slice(0, 12), JSON.parse(body).error?.code]).toEqual([`HTTP/1.1 ${status}`, 'invalid_request']);
    expect(head).toMatch(/\r\nratelimit-limit: 600\r\n/i);
  });

  test.each([
    ['127.0.0.1', 'evil.example.com'],
    ['evil.example.com', '127.0.0.1'],
  ])('the emulator refuses two Host headers, %s and %s (K7)', async (first, second) => {
    const { url, emulator } = await startService();
    const hosts = `Host: ${first}\r\nHost: ${second}\r\n`;
    const request = `GET /v1/audiences HTTP/1.1\r\n${hosts}${close}Authorization: Bearer ${emulator.apiKey}\r\n\r\n`;
    expect((await sendRaw(url, request)).slice(0, 12)).toBe('HTTP/1.1 403');
  });

  test('the emulator does nothing when a body is incomplete', async () => {
    const { url, emulator } = await startService();
    const head = `POST /v1/audiences HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${emulator.apiKey}\r\n`;
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const closed = new Promise((resolve) => socket.on('close', resolve));
    socket.on('data', () => undefined);
    socket.end(`${head}Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{"name":"cut"}`);
    await closed;
    expect(emulator.admin.state().audiences).toBe(1);
    expect(emulator.admin.requests().map(({ status }) => status)).toEqual([undefined]);
  });

  test('the emulator serves other clients while one never ends its headers', async () => {
    const { url, ask } = await startService();
    const slow = Array.from({ length: 50 }, () => connect(Number(new URL(url).port), '127.0.0.1'));
    await Promise.all(
      slow.map((socket) => new Promise((resolve) => socket.write('GET /v1/audiences HTTP/1.1\r\n', resolve))),
    );
    expect((await ask('GET', '/v1/audiences')).status).toBe(200);
    slow.forEach((socket) => socket.destroy());
  });

  test.each([
    {
      title: 'lists nested 100,000 deep',
      body: `{"name":"A","deep":${'['.repeat(1e5)}${']'.repeat(1e5)}}`,
      status: 201,
    },
    { title: 'two documents', body: '{"name":"A"}{"name":"B"}', status: 400 },
    { title: 'NaN', body: '{"name":NaN}', status: 400 },
    { title: 'UTF-16', body: Buffer.from('{"name":"A"}', 'utf16le'), status: 400 },
    { title: 'null', body: 'null', status: 400 },
    { title: '__proto__', body: '{"__proto__":{"name":"A"}}', status: 400 },
  ])('the emulator responds to a body of $title with $status', async ({ body, status }) => {
    const { ask } = await startService();
    expect((await ask('POST', '/v1/audiences', { body })).status).toBe(status);
  });

  test('the emulator refuses lone surrogates in an address', async () => {
    const { ask, audience } = await startService();
    const body = '{"contacts":[{"email":"\\ud800@example.com"},{"email":"\\ud801@example.com"}]}';
    const { json } = await ask('POST', `/v1/audiences/${audience}/contacts/batch`, { body });
    expect(json.summary).toEqual({ created: 0, updated: 0, failed: 2 });
  });
});
