import { expect, test } from 'vitest';
import { createAddressHashSet } from '../../../../src/import/dedupe/address-hash-set.ts';
import { createHash64 } from '../../../../src/import/rows/hash64.ts';

test.each([
  ['', '218d1f59b9b83cc8'],
  ['\0', 'be552412f8387315'],
  ['\0\x01', '064f39ef7c50eb57'],
  ['\0\x01\x02', 'ce0f1a45f7060679'],
  ['\0\x01\x02\x03', 'd5e78a175be52ea1'],
  ['\0\x01\x02\x03\x04\x05\x06\x07', 'edfee820bce4858c'],
])('computes the published 64-bit HalfSipHash-2-4 value of %j', (text, vector) => {
  const out = new Int32Array(2);
  createHash64('0302010007060504').text(text, out);
  expect(Buffer.from(out.buffer).toString('hex')).toBe(vector);
});

test.each([0, 100, 60_000, 216_000])(
  'finds 60,000 addresses, and no others, with room reserved for %d (C9)',
  (room) => {
    const set = createAddressHashSet('0123456789abcdef');
    const addresses = Array.from({ length: 60_000 }, (_, i) => `person${i}@example.com`);
    const add = (some: readonly string[]) => some.filter((address) => set.add(address));
    expect(add(addresses.slice(0, 2_000))).toEqual([]);
    set.reserve(room);
    expect(add(addresses.slice(2_000))).toEqual([]);
    expect(set.size).toBe(addresses.length);
    expect(addresses.every((address) => set.has(address))).toBe(true);
    expect(addresses.filter((address) => set.has(`${address}x`))).toEqual([]);
    expect(set.add('person7@example.com')).toBe(true);
  },
);

test('gives texts different hashes when they differ only by a final NUL', () => {
  const set = createAddressHashSet('00');
  expect(['a', 'a\0', 'a\0\0', '', 'ж', 'ж\0', '6\x04'].map((text) => set.add(text))).toEqual([
    false,
    false,
    false,
    false,
    false,
    false,
    false,
  ]);
});

test('gives an address another hash when the seed differs', () => {
  const hash = (seed: string) => {
    const out = new Int32Array(2);
    createHash64(seed).text('ana@example.com', out);
    return [...out];
  };
  expect(hash('0000000000000001')).not.toEqual(hash('0000000000000002'));
});

test('gives an ASCII text and its bytes the same hash', () => {
  const { text: ofText, ascii } = createHash64('0302010007060504');
  const [one, other] = [new Int32Array(2), new Int32Array(2)];
  const long = 'abcdefghijklmnopqrstuvwxyz@example.com'.repeat(9);
  for (let length = 0; length <= long.length; length++) {
    ofText(long.slice(0, length), one);
    ascii(Buffer.from(`xy${long}`), 2, 2 + length, other);
    expect(other).toEqual(one);
  }
});
