import { expect, test } from 'vitest';
import { createFingerprints, createHash64 } from '../../src/import/fingerprints.ts';

test('the hash is HalfSipHash-2-4 with 64 bits of output: the reference vector of the empty text', () => {
  const out = new Int32Array(2);
  createHash64('0302010007060504')('', out);
  expect(Buffer.from(out.buffer).toString('hex')).toBe('218d1f59b9b83cc8');
});

test('a set of a quarter million addresses has no false hit and forgets nothing', () => {
  const set = createFingerprints('0123456789abcdef');
  const addresses = Array.from({ length: 250_000 }, (_, i) => `person${i}@example.com`);
  expect(addresses.filter((address) => set.add(address))).toEqual([]);
  expect(set.size).toBe(addresses.length);
  expect(addresses.every((address) => set.has(address))).toBe(true);
  expect(addresses.filter((address) => set.has(`${address}x`))).toEqual([]);
  expect(set.add('person7@example.com')).toBe(true);
});

test('texts that differ in length only by trailing NUL are told apart', () => {
  const set = createFingerprints('00');
  expect(['a', 'a\0', 'a\0\0', ''].map((text) => set.add(text))).toEqual([false, false, false, false]);
});

test('the seed changes every fingerprint', () => {
  const hash = (seed: string) => {
    const out = new Int32Array(2);
    createHash64(seed)('ana@example.com', out);
    return [...out];
  };
  expect(hash('0000000000000001')).not.toEqual(hash('0000000000000002'));
});
