import { expect, test } from 'vitest';
import { SVC_COLUMNS } from '../../../../src/import/mapping/table.ts';
import type { LedgerPerson } from '../../../../src/ledgers/contact-ledger.ts';
import {
  earlierListsOf,
  hasRejectsFile,
  isInOneOf,
  knownLists,
  listNameOf,
  listOfSameName,
  listShapeOf,
  storeList,
  UNFINISHED_SHAPE,
} from '../../../../src/migrate/contact-ledger/list-shape.ts';

type Inputs = Parameters<typeof listShapeOf>[0]['inputs'];
type Shape = ReturnType<typeof listShapeOf>;
type KnownList = ReturnType<typeof knownLists>[number];

interface Input {
  readonly name?: string;
  readonly entry?: string;
  readonly platform?: string;
  readonly header?: readonly string[];
  readonly width?: number;
}

/** What svc read from these inputs, as far as the shape of the list needs it. */
function surveyOf(...inputs: readonly Input[]): { readonly inputs: Inputs; readonly contacts: number } {
  const all = inputs.map(({ name = 'list.csv', entry, platform = 'generic', header = ['Email', 'City'], width }) => ({
    ...{ name, entry, platform, dialect: { header } },
    reading: { columns: Array.from({ length: width ?? header.length }, () => ({})) },
  }));
  return { inputs: all as unknown as Inputs, contacts: 0 };
}

/** A ledger in memory with these lists and this number of people in each. */
function ledgerOf(lists: readonly KnownList[] | undefined, counts: readonly (readonly [number, number])[] = []) {
  const removedOthers: (readonly number[])[] = [];
  return {
    lists: lists as unknown,
    removedOthers,
    counts: () => new Map(counts),
    setLists(next: unknown) {
      this.lists = next;
    },
    removeOtherLists(kept: readonly number[]) {
      removedOthers.push(kept);
    },
  };
}

function listOf(id: number, shape: Shape, ended = true): KnownList {
  return { id, name: listNameOf(shape), shape, ended };
}

function absentPerson(lists: readonly number[], missingSince?: number): LedgerPerson {
  return { email: 'ana@example.com', lists, missingSince } as LedgerPerson;
}

test.each<[what: string, input: Input, shape: Shape[number]]>([
  ['a header', {}, { name: 'list.csv', platform: 'generic', columns: ['Email', 'City'] }],
  [
    'a header of one column',
    { header: ['Email'], width: 3 },
    { name: 'list.csv', platform: 'generic', columns: ['Email'] },
  ],
  [
    'no header',
    { header: [], width: 3 },
    { name: 'list.csv', platform: 'generic', columns: ['column 1', 'column 2', 'column 3'] },
  ],
  [
    'a name with two dates',
    { name: 'members-2026-03.csv', platform: 'kit' },
    { name: 'members-#-#.csv', platform: 'kit', columns: ['Email', 'City'] },
  ],
  [
    'an entry of an archive',
    { name: 'export-12.zip', entry: 'part-7/in.csv' },
    { name: 'export-#.zip/part-#/in.csv', platform: 'generic', columns: ['Email', 'City'] },
  ],
])('records name, platform and columns of an input with %s (G7)', (_, input, shape) => {
  expect(listShapeOf(surveyOf(input))).toStrictEqual([shape]);
});

test('names a list of several inputs by all of them, in order (G7)', () => {
  expect(listNameOf(listShapeOf(surveyOf({ name: 'b-1.csv' }, { name: 'a.csv' })))).toBe('b-#.csv, a.csv');
});

const NOW: readonly Input[] = [{ name: 'list-1.csv' }, { name: 'vips.csv', header: [], width: 2 }];

test.each<[what: string, last: readonly Input[] | undefined, difference: string | undefined]>([
  ['no list before', undefined, undefined],
  ['the same shape', NOW, undefined],
  ['another date in the name', [{ name: 'list-22.csv' }, NOW[1] ?? {}], undefined],
  ['the columns in another order', [{ name: 'list-1.csv', header: ['City', 'Email'] }, NOW[1] ?? {}], undefined],
  ['an unfinished import', [], 'the last list had another name or other columns, and its import did not finish'],
  ['one input more', NOW.slice(1), 'the last list had 1 inputs, and this one has 2'],
  [
    'another name, with digits',
    [{ name: 'people.csv' }, NOW[1] ?? {}],
    'the last list was people.csv, and this one is list-#.csv (# stands for digits)',
  ],
  [
    'another name, without digits',
    [NOW[0] ?? {}, { name: 'men.csv' }],
    'the last list was men.csv, and this one is vips.csv',
  ],
  [
    'another platform',
    [{ name: 'list-1.csv', platform: 'kit' }, NOW[1] ?? {}],
    'the last list was read as kit, and this one is read as generic',
  ],
  [
    'a lost column',
    [{ name: 'list-1.csv', header: ['Email', 'Left\u001b', 'City'] }, NOW[1] ?? {}],
    'the list no longer has the column "Left\\u001b"',
  ],
  ['a new column', [{ name: 'list-1.csv', header: ['Email'] }, NOW[1] ?? {}], 'the list has a new column "City"'],
  [
    'a new column of an input without a header',
    [NOW[0] ?? {}, { name: 'vips.csv', header: [], width: 1 }],
    'the list has a new column "column 2"',
  ],
])('says how the list differs from the last one: %s (G7)', (_, last, difference) => {
  const lists = last && [listOf(1, listShapeOf(surveyOf(...last)))];
  expect(earlierListsOf(ledgerOf(lists), surveyOf(...NOW), [])).toStrictEqual({
    lists: last && listNameOf(lists?.[0]?.shape ?? []) === 'list-#.csv, vips.csv' ? [1] : [],
    listed: 0,
    otherShape: difference,
  });
});

test('compares a list with the last list of its name, not the newest list (G7)', () => {
  const own = listOf(1, listShapeOf(surveyOf({})));
  const later = listOf(2, listShapeOf(surveyOf({ name: 'vips.csv' })));
  const ledger = ledgerOf([own, later]);
  expect([listOfSameName(ledger, own.shape)?.id, listOfSameName(ledger, [])]).toEqual([1, undefined]);
  expect(earlierListsOf(ledger, surveyOf({}), []).otherShape).toBeUndefined();
  expect(earlierListsOf(ledger, surveyOf({ name: 'x.csv' }), []).otherShape).toContain('the last list was vips.csv');
});

// List 2 has four people. A person with a date has been missing since an earlier list.
test.each<[what: string, own: 'ended' | 'open' | 'none', absent: readonly LedgerPerson[], lists: readonly number[]]>([
  ['all people of the other list are in it', 'none', [], [1, 2]],
  ['most are in it', 'none', [absentPerson([2])], [1, 2]],
  ['two of three are in it', 'none', [absentPerson([1])], [1, 2]],
  ['as many are in it as newly missing', 'none', [absentPerson([2]), absentPerson([2])], [1]],
  ['few are in it, but the others were missing before', 'none', [1, 2, 3].map((at) => absentPerson([2], at)), [1, 2]],
  ['nobody of it is left', 'none', [1, 2, 3, 4].map((at) => absentPerson([2], at)), [1]],
  ['its own first import did not end', 'open', [], [3, 1, 2]],
  ['its own import did not end, and it has few people', 'open', [1, 2, 3].map(() => absentPerson([1, 2])), [3]],
  ['its own import ended', 'ended', [], [3]],
])('says which earlier lists a new list replaces: %s (G7)', (_, own, absent, lists) => {
  const others = [
    listOf(1, listShapeOf(surveyOf({ name: 'a.csv' }))),
    listOf(2, listShapeOf(surveyOf({ name: 'b.csv' }))),
  ];
  const known = own === 'none' ? others : [...others, listOf(3, listShapeOf(surveyOf({})), own === 'ended')];
  const sizes = [
    [1, 3],
    [2, 4],
  ] as const;
  const earlier = earlierListsOf(ledgerOf(known, sizes), surveyOf({}), absent);
  const sum = lists.reduce((total, id) => total + (new Map<number, number>(sizes).get(id) ?? 0), 0);
  expect([earlier.lists, earlier.listed]).toEqual([lists, sum]);
});

test.each([
  [7, [1, 2]],
  [6, [1, 2]],
  [8, [2]],
  [9, [2]],
  [10, []],
])('a list of %i people replaces lists more than half as long (G7)', (contacts, lists) => {
  const known = ['a.csv', 'b.csv'].map((name, at) => listOf(at + 1, listShapeOf(surveyOf({ name }))));
  const survey = { ...surveyOf({}), contacts };
  // List 1 has four people, list 2 five.
  const sizes = [[1, 4] as const, [2, 5] as const];
  expect(earlierListsOf(ledgerOf(known, sizes), survey, []).lists).toEqual(lists);
});

test('replaces a list of one person when the person is in the new list (G7)', () => {
  const known = [listOf(1, listShapeOf(surveyOf({ name: 'a.csv' })))];
  expect(earlierListsOf(ledgerOf(known, [[1, 1]]), surveyOf({}), [])).toMatchObject({ lists: [1], listed: 1 });
});

test.each<[what: string, inputs: readonly Input[], isRejects: boolean]>([
  ['no columns of svc', [{}], false],
  ['the columns of svc', [{ header: [...SVC_COLUMNS, 'Email'] }], true],
  ['the columns of svc in the second input', [{}, { header: [...SVC_COLUMNS, 'Email'] }], true],
])('counts missing people unless an input is a rejects file: %s (G7)', (_, inputs, isRejects) => {
  const survey = surveyOf(...inputs);
  const last = listOf(1, [{ name: 'other.csv', platform: 'kit', columns: [] }]);
  expect(hasRejectsFile(survey)).toBe(isRejects);
  const earlier = earlierListsOf(ledgerOf([last], [[1, 5]]), survey, []);
  expect(earlier).toStrictEqual(
    isRejects
      ? { lists: [], listed: 0 }
      : { lists: [1], listed: 5, otherShape: expect.stringMatching(/^the last list/) },
  );
});

test.each([
  [0, undefined],
  [99, undefined],
  [100, undefined],
  [101, 2],
  [103, 4],
])('keeps the newest 100 of %i other lists, and the list just stored (G7)', (count, first) => {
  const shape = listShapeOf(surveyOf({}));
  const others = Array.from({ length: count }, (_, at) => listOf(at + 1, shape));
  const own = listOf(500, shape, false);
  const ledger = ledgerOf(others);
  storeList(ledger, { ...own, ended: true });
  const kept = [...others.slice((first ?? 1) - 1).map(({ id }) => id), 500];
  expect(knownLists(ledger).map(({ id }) => id)).toEqual(kept);
  expect(ledger.removedOthers).toEqual(first === undefined ? [] : [kept]);
});

test('stores a list once, as the last one, when it is imported again (G7)', () => {
  const shape = listShapeOf(surveyOf({}));
  const ledger = ledgerOf([listOf(1, shape, false), listOf(2, shape)]);
  storeList(ledger, listOf(1, UNFINISHED_SHAPE));
  expect(ledger.lists).toStrictEqual([listOf(2, shape), { id: 1, name: '', shape: [], ended: true }]);
  expect(knownLists(ledgerOf(undefined))).toEqual([]);
});

test.each([
  [[], [1], false],
  [[2], [1, 2], true],
  [[3], [1, 2], false],
])('says whether a person of lists %j is in one of the lists %j: %s (G7)', (own, ids, isIn) => {
  expect(isInOneOf(ids)(absentPerson(own))).toBe(isIn);
});
