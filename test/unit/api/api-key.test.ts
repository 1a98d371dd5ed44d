import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { apiKeyFingerprint, checkApiKey, scrubbedTransport } from '../../../src/api/api-key.ts';
import { EXIT } from '../../../src/base/lib/errors.ts';

describe('API keys (K1)', () => {
  test.each(['service_live_abc', 'anything', ' service_live_abc\n'])(
    'accepts the API key %j, as live keys have no documented form',
    (text) => {
      expect(checkApiKey(text)).toBe(text.trim());
    },
  );

  test.each([
    ['without text', '', 'missing_api_key'],
    ['of blanks', ' \n', 'missing_api_key'],
    ['for tests', 'service_test_abc', 'test_keys_not_supported'],
    ['for tests, after a blank', ' service_test_abc', 'test_keys_not_supported'],
    ['with a blank', 'service_live a', 'invalid_api_key'],
    ['with a second header', 'service_live\r\nX-Evil: 1', 'invalid_api_key'],
    ['with an accent', 'service_livé', 'invalid_api_key'],
    ['of 20,000 letters', 'x'.repeat(20_000), 'invalid_api_key'],
  ])('refuses an API key %s before any request, and does not show the key', (_, text, code) => {
    const error = (() => {
      try {
        checkApiKey(text);
      } catch (thrown) {
        return thrown;
      }
      return undefined;
    })();
    expect(error).toMatchObject({ exit: EXIT.auth, code });
    expect(text.trim() !== '' && String(error).includes(text.trim())).toBe(false);
  });

  test('gives each API key its own fingerprint, which does not reveal the key', () => {
    expect(apiKeyFingerprint('service_live_abc')).toMatch(/^[0-9a-f]{16}$/);
    expect(apiKeyFingerprint('service_live_abc')).not.toBe(apiKeyFingerprint('service_live_abd'));
  });
});

describe('a response that repeats the API key', () => {
  const KEY = 'service_live_abc';
  const received = async (body: Buffer) => {
    const inner = { close: async () => undefined, send: async () => ({ status: 200, headers: { 'x-id': KEY }, body }) };
    const transport = scrubbedTransport(inner, (text) => text.replaceAll(KEY, '[api key]'));
    return transport.send({} as never, new AbortController().signal);
  };

  test('replaces the API key in a response and keeps all other bytes (K8)', async () => {
    // A backslash would begin an escape, which is decoded.
    const bytes = fc.uint8Array({ maxLength: 20 }).map((part) => Buffer.from(part.filter((byte) => byte !== 0x5c)));
    await fc.assert(
      fc.asyncProperty(bytes, bytes, async (before, after) => {
        const { headers, body } = await received(Buffer.concat([before, Buffer.from(KEY), after]));
        const expected = Buffer.concat([before, Buffer.from('[api key]'), after]);
        expect([headers['x-id'], body.toString('hex')]).toEqual(['[api key]', expected.toString('hex')]);
      }),
      { numRuns: 50 },
    );
  });

  test('replaces an escaped API key in a response, keeps all other text (K8)', async () => {
    const text = JSON.stringify({ name: 'Zoë Ōé 北京', key: KEY, quote: '"\\' }).replace('_', '\\u005f');
    const { body } = await received(Buffer.from(text));
    expect(JSON.parse(body.toString('utf8'))).toEqual({ name: 'Zoë Ōé 北京', key: '[api key]', quote: '"\\' });
  });
});
