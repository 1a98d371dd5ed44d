import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mayBeEmptyValue } from '../../../../../src/import/consent-columns/other-columns/quick-tests/byte-kinds.ts';
import { isEmptyValue } from '../../../../../src/platforms/lib/blank-cells.ts';

const EMPTY = [
  ...'null none na nil undefined nan blank empty unset leer vide vacio n/a - -- .'.split(' '),
  ...'0000-00-00 00.00.0000 00000000 0001-01-01 1753-01-01 1900-01-01 1970-01-01T00:00:00Z 01/01/1970'.split(' '),
  ...'1899-12-30 30.12.1899 31/12/1899 12/30/1899 1900-01-00 00/01/1900 9999-12-31 31.12.9999 12/31/9999'.split(' '),
  ...'1/0/1900 0/1/1900 01/00/1900 0-Jan-00 00-jan-1900'.split(' '),
];
const text = fc.oneof(
  fc.constantFrom(...EMPTY),
  fc.constantFrom(...EMPTY).map((word) => word.toUpperCase()),
  fc.constantFrom(...EMPTY).map((word) => [...word].join(' ')),
  fc.tuple(fc.constantFrom(..."<[('-#*= "), fc.constantFrom(...EMPTY)).map((parts) => parts.join('')),
  fc.string({ unit: fc.constantFrom(...'nulaiev019-/. \u00e9ÑＮ'), maxLength: 5 }),
);

test('finds each empty value by its first two bytes (C10)', () => {
  expect(EMPTY.filter((word) => !isEmptyValue(word))).toEqual([]);
  fc.assert(
    fc.property(text, (value) => {
      const [first = 0x2c, second = 0x2c] = Buffer.from(value);
      return !isEmptyValue(value) || mayBeEmptyValue(first, second);
    }),
    { seed: 1, numRuns: 5_000 },
  );
});

test.each(['Anna', 'Berlin', 'Nelly', 'Ulf', '+49 30 1234', '15', '2024-05-06', '#4'])(
  'knows by the first two bytes that the cell %s is not empty (C10)',
  (value) => {
    const [first = 0, second = 0] = Buffer.from(value);
    expect(mayBeEmptyValue(first, second)).toBe(false);
  },
);
