import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { PREFIX_BYTES, readLedgerIndex } from '../../../src/ledgers/ledger-index.ts';

/** Bytes of a hash, from hex digits. The rest is zeros. */
const bytes = (digits: string) => Buffer.from(digits.padEnd(32, '0'), 'hex');

// The hashes differ in their first, fourth, fifth or eighth byte. The last two differ only below the sign bit.
const PEOPLE = [
  ['00000000', undefined, 1],
  ['00000001', '0000000000000001', 2],
  ['0000000100000001', '', 3],
  ['0000000101000000', 'ff00000000000000ff', 4],
  ['7fffffffffffffff', '00000000ffffffff', 70_000],
  ['80000000', '8000000000000000', 6],
  ['ffffffff00000000', '0102030405060708', 7],
  ['ffffffffffffffff', 'ffffffffffffffff', 4_294_967_295],
] as const;

function indexOf(people: readonly (readonly [string, string | undefined, number])[]) {
  const db = new DatabaseSync(':memory:');
  db.exec(
    'CREATE TABLE people (person BLOB PRIMARY KEY, content BLOB, list INTEGER NOT NULL, opts_out INTEGER, first_run INTEGER)',
  );
  const insert = db.prepare('INSERT INTO people VALUES (?, ?, ?, NULL, NULL)');
  people.toReversed().forEach(([person, content, list]) => {
    insert.run(bytes(person), content === undefined ? null : bytes(content), list);
  });
  return readLedgerIndex(db);
}

test.each(PEOPLE.map((row, entry) => [entry, ...row] as const))(
  'finds ledger entry %i by the hash %s, with its content and list (G7)',
  (entry, person, content, list) => {
    const index = indexOf(PEOPLE);
    expect([index.size, index.find(bytes(person)), index.lastListOf(entry)]).toEqual([PEOPLE.length, entry, list]);
    expect(index.hashPrefixOf(entry)).toEqual(bytes(person).subarray(0, PREFIX_BYTES));
    const contents = PEOPLE.map((row) => row[1]).filter((each) => each !== undefined);
    const same = contents.filter((other) => index.hasContent(entry, bytes(other)));
    expect(same).toEqual(content === undefined ? [] : [content]);
    expect(index.hasContent(entry, Buffer.alloc(16))).toBe(content === '');
  },
);

test.each(['0000000000000001', '00000002', '7fffffff00000000', '80000001', 'fffffffffffffffe', '0000000100000002'])(
  'finds no person when the hash %s is not in the ledger (G7)',
  (person) => {
    expect(indexOf(PEOPLE).find(bytes(person))).toBeUndefined();
    expect(indexOf([]).find(bytes(person))).toBeUndefined();
  },
);

test.each([0, 1, 2, 3])('finds each person, and no other, in a ledger of one and %i more', (count) => {
  const index = indexOf(PEOPLE.slice(0, count + 1));
  const found = PEOPLE.map(([person]) => index.find(bytes(person)));
  expect(found).toEqual(PEOPLE.map((_, entry) => (entry <= count ? entry : undefined)));
});

test('treats two hashes as one when their first eight bytes are equal', () => {
  expect(PREFIX_BYTES).toBe(8);
  const index = indexOf([['0102030405060708aa', '1112131415161718bb', 1]]);
  expect([index.find(bytes('0102030405060708ff')), index.hasContent(0, bytes('1112131415161718ff'))]).toEqual([
    0,
    true,
  ]);
  expect([index.find(bytes('0102030405060709')), index.hasContent(0, bytes('1112131415161719'))]).toEqual([
    undefined,
    false,
  ]);
});

test.each([0, 1, 2, 3, 4, 5, 6, 7])('distinguishes people and contents by byte %i of their hashes (G7)', (at) => {
  const digits = (value: number) =>
    Buffer.alloc(16)
      .fill(value, at, at + 1)
      .toString('hex');
  const index = indexOf([1, 2, 200].map((value) => [digits(value), digits(value), value] as const));
  expect([1, 2, 3, 200].map((value) => index.find(bytes(digits(value))))).toEqual([0, 1, undefined, 2]);
  expect([1, 2, 200].map((value) => index.hasContent(1, bytes(digits(value))))).toEqual([false, true, false]);
  expect(index.hashPrefixOf(2)).toEqual(bytes(digits(200)).subarray(0, PREFIX_BYTES));
});
