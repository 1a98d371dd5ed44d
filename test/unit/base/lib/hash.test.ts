import { expect, test } from 'vitest';
import { hashPlainData, sha256Hex } from '../../../../src/base/lib/hash.ts';

test('hashes text as its UTF-8 bytes', () => {
  expect([sha256Hex('é'), sha256Hex(Buffer.from('é'))]).toEqual([
    '4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c',
    '4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c',
  ]);
});

test('gives an object the same hash when its keys are in another order', () => {
  expect(hashPlainData({ a: 1, b: [{ c: null, d: undefined }] })).toBe(hashPlainData({ b: [{ c: null }], a: 1 }));
});

test.each([
  ['order of a list', [1, 2], [2, 1]],
  ['type: a number and its text', 1, '1'],
  ['type: a list and an object', ['a'], { 0: 'a' }],
  ['the position of a comma', ['a,b'], ['a', 'b']],
])('gives two values different hashes when they differ in %s', (_, one, other) => {
  expect(hashPlainData(one)).not.toBe(hashPlainData(other));
});
