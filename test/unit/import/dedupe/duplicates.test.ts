import { expect, test } from 'vitest';
import type { ReadingOptions } from '../../../../src/import/mapping/reading-answers.ts';
import type { BatchContact } from '../../../../src/wire/shapes.ts';
import { csv, type ReadList, readList } from '../support.ts';

/**
 * People with several rows. The orders and results in this file are written from C2, C4, C7, C9 and S3, and never taken
 * from the program.
 */

const AMONG_ROWS: readonly (readonly [state: string, outcome: string])[] = [
  ['complained', 'suppressed complained'],
  ['bounced', 'suppressed bounced'],
  ['suppressed', 'suppressed unsubscribed'],
  ['xyzzy', 'skipped unknown_status'],
  ['unsubscribed', 'unsubscribed'],
  ['pending', 'skipped pending'],
  ['subscribed', 'subscribed'],
  ['skip', 'skipped by_request'],
  ['', 'skipped no_status'],
];
const STATES = AMONG_ROWS.map(([state]) => state);
const GROUPS = [2, 3].flatMap((length) => combinations(STATES, length));
const HEADER = 'svc_file,svc_line,svc_column,svc_reason,svc_detail,svc_state,Email';

/** All sequences of this length from these cells. A cell may occur more than once. */
function combinations<T>(cells: readonly T[], length: number): readonly (readonly T[])[] {
  return length === 0
    ? [[]]
    : combinations(cells, length - 1).flatMap((row) => cells.map((cell): readonly T[] => [...row, cell]));
}

test.each([
  ['one file', (): number => 0],
  ['one file for each row', (at: number): number => at],
  ['three files, the last row first', (at: number): number => 2 - at],
])('uses the most restrictive status of a person in %s (C4, C7, S3)', async (_, fileOf) => {
  const files = [[HEADER], [HEADER], [HEADER]];
  GROUPS.forEach((states, person) => {
    for (const [at, state] of states.entries()) {
      files[fileOf(at)]?.push(`list.csv,1,,,,${state},p${person}@x.test`);
    }
  });
  const list = await readList(Object.fromEntries(files.map((lines, at) => [`list-${at}.csv`, csv(...lines)])));
  const outcomes = outcomesOf(list);
  const read = GROUPS.map((states, person) => `${states.join(', ')}: ${outcomes.get(`p${person}@x.test`)}`);
  const must = GROUPS.map((states) => {
    const [, outcome] = AMONG_ROWS.find(([state]) => states.includes(state)) ?? [];
    return `${states.join(', ')}: ${outcome}`;
  });
  expect(read).toEqual(must);
  expect(list.reading.rows.merged).toBe(GROUPS.flat().length - GROUPS.length);
});

test.each([
  ['active', '', ['ana@x.test'], 'This skips 1 row; people who are subscribed in another row are still sent'],
  ['active', 'cold', [], 'This skips 1 row'],
  ['unsubscribed', '', [], 'This skips 1 row'],
  ['', '', [], 'This skips 2 rows'],
])('says what a skip does when rows of a person say "%s" and "%s" (C7)', async (first, second, sent, when) => {
  const rows = [`ana@x.test,${first}`, `ana@x.test,${second}`, 'cy@x.test,bounced'];
  const files = { 'list.csv': csv('Email,Status', ...rows) };
  const hint = `--status-map ${second === '' ? "'=skip'" : 'cold=skip'}`;
  expect((await readList(files)).finding('unknown_status')).toMatchObject({ hint, when });
  const { contacts } = await readList(files, { statusMap: { [second]: 'skip' } });
  expect(contacts.filter((contact) => contact.status !== 'unsubscribed').map(({ email }) => email)).toEqual(sent);
});

test('names people who are skipped in one row but sent by another row (C7)', async () => {
  const files = {
    'list.csv': csv('Email,Status', 'ana@x.test,active', 'ben@x.test,active', 'cy@x.test,unsubscribed'),
    'other.csv': csv('Email,Name', 'ana@x.test,Ana', 'cy@x.test,Cy', 'dee@x.test,Dee', 'dee@x.test,Dee'),
  };
  const { reading } = await readList(files, { defaultStatus: { 'other.csv': 'skip' } });
  expect(reading.findings.filter(({ check }) => check === 'duplicates')).toMatchObject([
    { level: 'warn', total: 3 },
    {
      level: 'warn',
      message: '1 person is skipped in one row, but sent because another row subscribes this person',
      total: 1,
      examples: [{ file: 'other.csv', line: 2, column: 'Email', value: 'subscribed in line 2 of list.csv' }],
    },
  ]);
});

/** The outcomes of people with several rows. */
function outcomesOf({ people, contacts, suppressions }: ReadList): ReadonlyMap<string, string> {
  const skipped = [...people.emails()].map((email): [string, string] => {
    const { state = '', why } = people.person(email) ?? {};
    return [email, `skipped ${why ?? (state === 'none' ? 'no_status' : state)}`];
  });
  return new Map([
    ...skipped,
    ...contacts.map(({ email, status }): [string, string] => [email, status ?? 'subscribed']),
    ...Object.entries(suppressions).flatMap(([reason, emails]) =>
      emails.map((email): [string, string] => [email, `suppressed ${reason}`]),
    ),
  ]);
}

const COLUMNS = 'Email,Status,Unsubscribed At,First Name,Last Name,City,News';
const ANSWERS: Partial<ReadingOptions> = { map: ['News=topics.top_1'], topicValues: { News: 'opt_in' } };

interface Case {
  readonly what: string;
  /** The rows of `ana@x.test`, without the address. */
  readonly rows: readonly string[];
  /** The expected contact with --duplicates merge (`merged`) and reject (`first`). Undefined if there is none. */
  readonly merged: Omit<BatchContact, 'email'> | undefined;
  readonly first: Omit<BatchContact, 'email'> | undefined;
  readonly reasons?: readonly string[];
}

const LEFT = { status: 'unsubscribed', unsubscribed_at: '2024-02-03T00:00:00.000Z' } as const;
const CASES: readonly Case[] = [
  {
    what: 'the last value wins in each field, except a blank',
    rows: ['active,,Ana,Berg,Bonn,', 'active,,Anna,,Ulm,', 'active,,,Stein,,'],
    merged: { first_name: 'Anna', last_name: 'Stein', attributes: { city: 'Ulm' } },
    first: { first_name: 'Ana', last_name: 'Berg', attributes: { city: 'Bonn' } },
  },
  {
    what: 'a field that only a later row has is added',
    rows: ['active,,,,,', 'active,,Ana,Berg,Bonn,yes'],
    merged: { first_name: 'Ana', last_name: 'Berg', attributes: { city: 'Bonn' }, topics: { top_1: 'opt_in' } },
    first: {},
  },
  {
    what: 'a topic counts in any row',
    rows: ['active,,Ana,,,', 'active,,,,,yes'],
    merged: { first_name: 'Ana', topics: { top_1: 'opt_in' } },
    first: { first_name: 'Ana' },
  },
  {
    what: 'a refusal of a topic in a later row counts',
    rows: ['active,,Ana,,,yes', 'active,,,,,no'],
    merged: { first_name: 'Ana' },
    first: { first_name: 'Ana' },
  },
  {
    what: 'a refusal of a topic in an earlier row counts',
    rows: ['active,,Ana,,,no', 'active,,,,,yes'],
    merged: { first_name: 'Ana' },
    first: { first_name: 'Ana' },
  },
  {
    what: 'a refusal of a topic in a rejected row counts',
    rows: ['active,,Ana,,,yes', 'active,,,,,no,more'],
    merged: { first_name: 'Ana' },
    first: { first_name: 'Ana' },
    reasons: ['too_many_fields'],
  },
  {
    what: 'the opt-out date of one row joins fields of others',
    rows: ['active,,Ana,Berg,Bonn,', 'unsubscribed,2024-02-03,,,Ulm,'],
    merged: { first_name: 'Ana', last_name: 'Berg', ...LEFT, attributes: { city: 'Ulm' } },
    first: { first_name: 'Ana', last_name: 'Berg', ...LEFT, attributes: { city: 'Bonn' } },
  },
  {
    what: 'an opt-out in the first row counts',
    rows: ['unsubscribed,2024-02-03,,,Ulm,', 'active,,Ana,Berg,Bonn,'],
    merged: { first_name: 'Ana', last_name: 'Berg', ...LEFT, attributes: { city: 'Bonn' } },
    first: { ...LEFT, attributes: { city: 'Ulm' } },
  },
  {
    what: 'the last of two opt-out dates counts',
    rows: ['unsubscribed,2025-01-01,,,,', 'unsubscribed,2024-02-03,Ana,,,'],
    merged: { first_name: 'Ana', ...LEFT },
    first: LEFT,
  },
  {
    what: 'an opt-out date stays when later rows have none',
    rows: ['unsubscribed,2024-02-03,,,,', 'unsubscribed,,Ana,,,'],
    merged: { first_name: 'Ana', ...LEFT },
    first: LEFT,
  },
  {
    what: 'an opt-out without a date gets no date',
    rows: ['unsubscribed,,,,,', 'active,,Ana,,,'],
    merged: { first_name: 'Ana', status: 'unsubscribed' },
    first: { status: 'unsubscribed' },
  },
  {
    what: 'an opt-out date without a status is an opt-out',
    rows: ['active,2024-02-03,Ana,,,', 'active,,Anna,,,'],
    merged: { first_name: 'Anna', ...LEFT },
    first: { first_name: 'Ana', ...LEFT },
  },
  {
    what: 'only the opt-out of a rejected row counts',
    rows: ['active,,Ana,,Bonn,', 'unsubscribed,2024-02-03,Wrong,,Wrong,,more'],
    merged: { first_name: 'Ana', ...LEFT, attributes: { city: 'Bonn' } },
    first: { first_name: 'Ana', ...LEFT, attributes: { city: 'Bonn' } },
    reasons: ['too_many_fields'],
  },
  {
    what: 'the next row counts when the first is rejected',
    rows: ['active,,Wrong,,,,more', 'active,,Ana,Berg,,'],
    merged: { first_name: 'Ana', last_name: 'Berg' },
    first: { first_name: 'Ana', last_name: 'Berg' },
    reasons: ['too_many_fields'],
  },
  {
    what: 'a suppressed person is not sent as a contact',
    rows: ['active,,Ana,,,', 'bounced,2024-02-03,,,,'],
    merged: undefined,
    first: undefined,
  },
  {
    what: 'an unconfirmed person is not sent as a contact',
    rows: ['active,,Ana,,,', 'pending,,,,,'],
    merged: undefined,
    first: undefined,
  },
];

// `what` says what a merge does. Of a rejected duplicate only the opt-out counts.
const TITLES = {
  merge: 'merges rows of a person: $what (C2, C7, C9, F2)',
  reject: 'keeps the first row of a person and any opt-out: $rows (C2, C7, C9, F2)',
};

for (const duplicates of ['merge', 'reject'] as const) {
  test.each(CASES)(TITLES[duplicates], async ({ rows, merged, first, reasons }) => {
    const lines = rows.map((row, at) => `${at % 2 === 0 ? 'ana@x.test' : ' ANA@x.test'},${row}`);
    const must = duplicates === 'merge' ? merged : first;
    for (const files of [
      { 'list.csv': csv(COLUMNS, ...lines) },
      Object.fromEntries(lines.map((line, at) => [`list-${at}.csv`, csv(COLUMNS, line)])),
    ]) {
      const list = await readList(files, { ...ANSWERS, duplicates });
      expect(list.contacts).toEqual(must ? [{ email: 'ana@x.test', ...must }] : []);
      const clean = rows.length - 1 - (reasons?.length ?? 0);
      const { merged: count, rejected } = list.reading.rows;
      expect([count, rejected]).toEqual(
        duplicates === 'merge' ? [clean, reasons?.length ?? 0] : [0, clean + (reasons?.length ?? 0)],
      );
    }
  });
}

test.each([
  ['in one file', { 'list.csv': csv('Email,City,Team', 'ana@x.test,Bonn,', 'ana@x.test,,red') }],
  [
    'in two files',
    { 'a.csv': csv('Email,City,Team', 'ana@x.test,Bonn,'), 'b.csv': csv('Email,City,Team', 'ana@x.test,,red') },
  ],
  [
    'in files with different columns',
    { 'a.csv': csv('Email,City', 'ana@x.test,Bonn'), 'b.csv': csv('Email,Team', 'ana@x.test,red') },
  ],
])('merges fields that only one row of a person has, %s (C7)', async (_, files) => {
  const { contacts } = await readList(files, { defaultStatus: { '*': 'subscribed' } });
  expect(contacts).toEqual([{ email: 'ana@x.test', attributes: { city: 'Bonn', team: 'red' } }]);
});

test('merges topics that only one row of a person has (C7)', async () => {
  const files = { 'list.csv': csv('Email,Status,News,Offers', 'ana@x.test,active,yes,', 'ana@x.test,active,,yes') };
  const { contacts } = await readList(files, {
    map: ['News=topics.top_1', 'Offers=topics.top_2'],
    topicValues: { News: 'opt_in', Offers: 'opt_in' },
  });
  expect(contacts).toEqual([{ email: 'ana@x.test', topics: { top_1: 'opt_in', top_2: 'opt_in' } }]);
});
