import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openPeopleTables, type People, type Person, type StagedRow } from '../../../../src/runs/people/people.ts';

const row = (email: string, source: number, line: number, more: Partial<StagedRow> = {}): StagedRow => ({
  email,
  source,
  line,
  state: 'bounced',
  optOutDate: undefined,
  payload: '{}',
  ...more,
});
const person = (email: string, source: number, line: number, more: Partial<Person> = {}): Person => ({
  ...row(email, source, line),
  why: undefined,
  reason: 'bounced',
  ...more,
});

test('the people table groups rows by address in the order of the list', () => {
  const people = openPeopleTables(new DatabaseSync(':memory:'));
  people.addRows([row('b@x.test', 0, 3), row('a@x.test', 1, 2)]);
  people.addRows([row('a@x.test', 0, 9), row('b@x.test', 0, 3, { optOutDate: '2024-01-01T00:00:00.000Z' })]);
  expect([...people.rowsByPerson().map((group) => [...group])]).toEqual([
    [row('a@x.test', 0, 9), row('a@x.test', 1, 2)],
    [row('b@x.test', 0, 3, { optOutDate: '2024-01-01T00:00:00.000Z' })],
  ]);
});

test('the people table lists suppressed people by reason, with opt-out dates', () => {
  const people = openPeopleTables(new DatabaseSync(':memory:'));
  const optOutDate = '2024-01-01T00:00:00.000Z';
  people.addRows([row('a@x.test', 0, 5, { optOutDate }), row('c@x.test', 0, 6, { optOutDate }), row('b@x.test', 0, 4)]);
  people.storeMerged(
    [
      person('a@x.test', 0, 5, { optOutDate }),
      person('b@x.test', 0, 4),
      person('c@x.test', 0, 6, { reason: undefined }),
    ],
    [],
  );
  expect([...people.suppressions('bounced')]).toEqual([
    { email: 'b@x.test', reason: 'bounced', source: 0, line: 4, optOutDate: undefined },
    { email: 'a@x.test', reason: 'bounced', source: 0, line: 5, optOutDate },
  ]);
  expect([people.suppressionCounts(), [...people.suppressions('complained')]]).toEqual([{ bounced: 2 }, []]);
  expect([...people.datedSuppressions()]).toEqual([row('a@x.test', 0, 5, { optOutDate })]);
});

test('the people table stores into which row each repeated row was merged', () => {
  const people = openPeopleTables(new DatabaseSync(':memory:'));
  people.storeMerged([person('a@x.test', 0, 2)], [{ source: 1, line: 3, mergedInto: { source: 0, line: 2 } }]);
  expect([...people.mergedRows()]).toEqual([{ source: 1, line: 3, mergedInto: { source: 0, line: 2 } }]);
  expect([people.person('a@x.test'), people.person('b@x.test')]).toEqual([person('a@x.test', 0, 2), undefined]);
});

test('keeps stored people when their database is opened again, until clear()', () => {
  const db = new DatabaseSync(':memory:');
  db.exec('CREATE TABLE other (id INTEGER); INSERT INTO other VALUES (7)');
  const first = openPeopleTables(db);
  first.addRows([row('a@x.test', 0, 2), row('a@x.test', 0, 3)]);
  first.storeMerged([person('a@x.test', 0, 2)], [{ source: 0, line: 3, mergedInto: { source: 0, line: 2 } }]);
  const again = openPeopleTables(db);
  expect(again.person('a@x.test')).toEqual(person('a@x.test', 0, 2));
  expect([...again.mergedRows()]).toHaveLength(1);
  again.clear();
  expect(again.person('a@x.test')).toBeUndefined();
  expect([...again.emails(), ...again.mergedRows(), ...again.suppressions('bounced'), ...again.rowsByPerson()]).toEqual(
    [],
  );
  expect(db.prepare('SELECT id FROM other').all()).toEqual([{ id: 7 }]);
});

test('stores and reads people in a run that an earlier svc began (D1)', () => {
  const db = new DatabaseSync(':memory:');
  db.exec(`
    CREATE TABLE people_rows (
      person TEXT NOT NULL, email TEXT NOT NULL, source INTEGER NOT NULL, line INTEGER NOT NULL,
      state TEXT NOT NULL, at TEXT, payload TEXT NOT NULL, PRIMARY KEY (person, source, line)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE people (
      person TEXT PRIMARY KEY, email TEXT NOT NULL, source INTEGER NOT NULL, line INTEGER NOT NULL,
      state TEXT NOT NULL, at TEXT, payload TEXT NOT NULL, why TEXT, reason TEXT
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX people_by_reason ON people (reason, source, line) WHERE reason IS NOT NULL;
    CREATE TABLE people_merged (
      source INTEGER NOT NULL, line INTEGER NOT NULL, into_source INTEGER NOT NULL, into_line INTEGER NOT NULL,
      PRIMARY KEY (source, line)
    ) STRICT, WITHOUT ROWID`);
  const people = openPeopleTables(db);
  people.clear();
  const optOutDate = '2024-01-01T00:00:00.000Z';
  const rows = [
    row('b@x.test', 0, 2, { optOutDate }),
    row('a@x.test', 0, 3, { optOutDate }),
    row('b@x.test', 1, 2, { optOutDate }),
  ];
  people.addRows(rows);
  expect([...people.rowsByPerson().map((group) => [...group].length)]).toEqual([1, 2]);
  people.storeMerged(
    [person('a@x.test', 0, 3), person('b@x.test', 0, 2)],
    [{ source: 1, line: 2, mergedInto: { source: 0, line: 2 } }],
  );
  people.indexMergedPeople();
  expect([...people.datedSuppressions()]).toEqual(rows);
  expect([...people.suppressions('bounced')].map(({ email }) => email)).toEqual(['b@x.test', 'a@x.test']);
  expect([...people.mergedRows()]).toHaveLength(1);
});

test.each([
  ['rows by person', (people: People) => people.rowsByPerson()],
  ['merged rows', (people: People) => people.mergedRows()],
  ['suppressions', (people: People) => people.suppressions('bounced')],
  ['rows with opt-out dates', (people: People) => people.datedSuppressions()],
])('a loop over %s can stop early after its database was closed (D2)', (_, walk) => {
  const db = new DatabaseSync(':memory:');
  const people = openPeopleTables(db);
  const optOutDate = '2024-01-01T00:00:00.000Z';
  const two = ['a@x.test', 'b@x.test'];
  people.addRows(
    two.flatMap((email, index) => [row(email, 0, index + 2, { optOutDate }), row(email, 1, index + 2, { optOutDate })]),
  );
  people.storeMerged(
    two.map((email, index) => person(email, 0, index + 2, { reason: 'bounced' })),
    two.map((_email, index) => ({ source: 1, line: index + 2, mergedInto: { source: 0, line: index + 2 } })),
  );
  const [given, gone] = [walk(people), walk(people)];
  expect([given.next().done, gone.next().done]).toEqual([false, false]);
  db.close();
  expect(given.return?.()).toEqual({ done: true, value: undefined });
  expect(() => gone.next()).toThrow('statement has been finalized');
});
