import { describe, expect, test } from 'vitest';
import { contentKey, creationKey } from '../../../../src/api/retry/key-source.ts';

const parts = {
  op: 'contacts',
  destination: ['https://h.example.test', 'aud_1'],
  body: Buffer.from('{"contacts":[{"email":"ana@example.com"}]}'),
  keyVersion: 0,
};

describe('idempotency keys (I8)', () => {
  test('derives the same idempotency key as earlier versions of svc', () => {
    expect(contentKey(parts)).toBe('svc1.contacts.5ebdec522ab495ee.66230a2033af0458.g0');
  });

  test.each([
    ['another audience', { destination: ['https://h.example.test', 'aud_2'] }],
    ['another origin', { destination: ['https://i.example.test', 'aud_1'] }],
    ['the same letters split otherwise into origin and id', { destination: ['https://h.example.testa', 'ud_1'] }],
    ['another body, different in one byte', { body: Buffer.from('{"contacts":[{"email":"ama@example.com"}]}') }],
    ['another operation', { op: 'suppressions' }],
    ['the next key version', { keyVersion: 1 }],
    ['a run with --again', { keySuffix: '0123456789abcdef' }],
  ])('derives a different idempotency key for %s', (_, change) => {
    expect(contentKey({ ...parts, ...change })).not.toBe(contentKey(parts));
  });

  test('makes idempotency keys of at most 80 lowercase letters, digits and dots', () => {
    const keys = [
      contentKey({ ...parts, op: 'suppressions', keyVersion: 9, keySuffix: '0123456789abcdef' }),
      creationKey('audience', '0123456789abcdef01234567', 0),
      creationKey('audience', '0123456789abcdef01234567', 9),
    ];
    expect(keys.filter((key) => !/^[a-z0-9.]{1,80}$/.test(key))).toEqual([]);
    expect(new Set(keys).size).toBe(3);
  });
});
