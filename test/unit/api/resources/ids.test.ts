import { describe, expect, test } from 'vitest';
import { checkAddress, checkId } from '../../../../src/api/resources/ids.ts';
import { EXIT } from '../../../../src/base/lib/errors.ts';

describe('ids (K2)', () => {
  test('accepts an id with any text after its prefix', () => {
    expect(checkId('audience', 'aud_9-ü.x')).toBe('aud_9-ü.x');
  });

  test.each([
    ['people', 'not an audience id: people'],
    ['aud_', 'not an audience id: aud_'],
    ['aut_1', 'not an audience id: aut_1'],
    ['AUD_1', 'not an audience id: AUD_1'],
    ['aud_1/contacts', 'not an audience id: aud_1/contacts'],
    ['aud_1\\..', 'not an audience id: aud_1\\..'],
    ['aud_1?x', 'not an audience id: aud_1?x'],
    ['aud_1#x', 'not an audience id: aud_1#x'],
    ['aud_1\n', 'not an audience id: aud_1\n'],
    ['..', 'not an audience id: ..'],
    ['', 'not an audience id: '],
  ])('refuses the audience id %j as a usage error', (text, message) => {
    expect(() => checkId('audience', text)).toThrow(
      expect.objectContaining({ exit: EXIT.usage, code: 'invalid_id', message }),
    );
  });
});

describe('addresses (K2)', () => {
  test.each(['ana@example.com', 'a/b@example.com', '"x@y"@example.com', 'jürgen@example.com'])(
    'accepts the address %s',
    (text) => {
      expect(checkAddress(text)).toBe(text);
    },
  );

  test.each(['ana', '@example.com', 'ana@', 'a na@example.com', 'ana@example.com\n'])(
    'refuses the address %j as a usage error',
    (text) => {
      expect(() => checkAddress(text)).toThrow(expect.objectContaining({ exit: EXIT.usage, code: 'invalid_address' }));
    },
  );

  test('refuses an address of 257 characters as a usage error', () => {
    const refused = expect.objectContaining({ exit: EXIT.usage, code: 'invalid_address' });
    expect(() => checkAddress(`${'a'.repeat(250)}@b.test`)).toThrow(refused);
  });
});
