import { describe, expect, test } from 'vitest';
import { apiKeyFingerprint, checkApiKey } from '../../../src/api/api-key.ts';
import { EXIT } from '../../../src/base/lib/exit.ts';

describe('API keys (K1)', () => {
  test.each(['service_live_abc', 'anything', ' service_live_abc\n'])(
    'accepts the API key %j, which matches no known pattern',
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
