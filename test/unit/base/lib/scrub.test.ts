import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createScrub } from '../../../../src/base/lib/scrub.ts';

const CORE = '569ed694f6c9d85a732fa39f9e7080f7';
const KEY = `service_live_${CORE}`;
const scrub = createScrub(KEY);
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('an API key in a text', () => {
  test.each([
    ['as it is', `invalid key ${KEY}.`, 'invalid key [api key].'],
    ['in a header', `Bearer ${KEY}`, 'Bearer [api key]'],
    ['twice', `${KEY}${KEY}`, '[api key][api key]'],
    ['cut at its end', `Bearer ${KEY.slice(0, 30)}…`, 'Bearer [api key]…'],
    ['cut at its start', `…${KEY.slice(-14)}`, '…[api key]'],
    ['in base64', `Basic ${base64(`Bearer ${KEY}`)}`, 'Basic [api key]'],
    ['in base64, one byte on', `x=${base64(`a:${KEY}`)};`, '[api key];'],
    ['in base64, two bytes on', base64(`ab:${KEY}`), '[api key]'],
    ['in base64 for URLs', Buffer.from(`?>${KEY}?>`).toString('base64url'), '[api key]'],
    ['in hex', Buffer.from(KEY).toString('hex').toUpperCase(), '[api key]'],
    ['percent-encoded byte by byte', Buffer.from(KEY).toString('hex').replace(/../g, '%$&'), '[api key]'],
  ])('removes an API key %s (K8)', (_, text, clean) => {
    expect(scrub(text)).toBe(clean);
  });

  test.each([
    ['Bearer k/1+2 and k%2F1%2B2.', 'k/1+2', 'Bearer [api key] and [api key].'],
    ['"a\\"b\\\\c1234"', 'a"b\\c1234', '"[api key]"'],
    ['service_test_ keys, such as service_test_1', 'service_test_1', 'service_test_ keys, such as [api key]'],
  ])('removes the API key from the text %j when the key is %j (K8)', (text, key, clean) => {
    expect(createScrub(key)(text)).toBe(clean);
  });

  test.each([
    ['a text without the key', 'nothing here', 'k/1+2'],
    ['the first and some last characters of a key', 'service_live_ is how keys begin, and 569ed694 is no key', KEY],
    ['a word that is also the key, but too short for one', 'one', 'one'],
  ])('removes nothing from %s', (_, text, key) => {
    expect(createScrub(key)(text)).toBe(text);
  });

  test('removes an API key and keeps all other text around it (K8)', () => {
    const secret = fc.string({ unit: fc.constantFrom(...'aAbB01+/='), minLength: 12, maxLength: 40 });
    const other = fc.string({ unit: fc.constantFrom(...'xyz ."{}'), maxLength: 20 });
    fc.assert(
      fc.property(secret, fc.array(other, { minLength: 1, maxLength: 4 }), (core, parts) => {
        const clean = createScrub(`service_live_${core}`)(parts.join(`service_live_${core}`));
        expect(clean).toBe(parts.join('[api key]'));
      }),
    );
  });

  test('removes each part of 12 characters anywhere, or 16 encoded ones (K8)', () => {
    const bytes = Buffer.from(CORE);
    const forms = [
      { text: KEY, length: 12, first: KEY.length - CORE.length },
      ...[0, 1, 2].map((shift) => ({ text: base64('xyz'.slice(0, shift) + CORE).slice(2), length: 16, first: 2 })),
      { text: bytes.toString('hex'), length: 16, first: 0 },
      { text: bytes.toString('hex').replace(/../g, '%$&'), length: 16, first: 0 },
    ];
    const parts = forms.flatMap(({ text, length, first }) =>
      Array.from({ length: Math.max(0, text.length - 4 - length - first) }, (_, at) =>
        text.slice(first + at, first + at + length),
      ),
    );
    const starts = Array.from({ length: 13 }, (_, at) => '~'.repeat(at));
    const kept = parts.flatMap((part) =>
      starts.filter((before) => scrub(`${before}${part}~`) !== `${before}[api key]~`).map((before) => before + part),
    );
    expect([parts.length > 150, kept]).toEqual([true, []]);
  });

  test.each([4, 5, 6, 7, 8, 11, 12])('removes a key of %i characters at any place of a text (K8)', (length) => {
    const key = 'q7Rt2LmZ9xKw'.slice(0, length);
    const texts = Array.from({ length: 20 }, (_, at) => [`${'.'.repeat(at)}${key};`, `${'.'.repeat(at)}[api key];`]);
    expect(texts.map(([text = '']) => createScrub(key)(text))).toEqual(texts.map(([, clean]) => clean));
  });
});
