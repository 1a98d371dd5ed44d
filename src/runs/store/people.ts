import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { RowPosition } from '../../base/lib/rows.ts';
import { eachRow, type SqlRow, transaction, unsyncedTransaction } from '../../base/os/sqlite.ts';
import { personKey } from '../../wire/person-key.ts';
import type { SuppressionReason } from '../../wire/words.ts';
import { RESPELLED_INDEX, type SuppressedPeople, suppressedPeople } from './suppressed-people.ts';

/** A row that is staged because its address occurs twice or is to be suppressed. */
export interface StagedRow extends RowPosition {
  /** Canonical. */
  readonly email: string;
  readonly state: string;
  /** The date of the state in the service's format, if the row has one. */
  readonly at: string | undefined;
  /** JSON for the merge of duplicates. */
  readonly payload: string;
}

/**
 * The merged rows of one address. `source` and `line` identify the row that the person is written for. `source` is -1
 * if every row was rejected.
 */
export interface Person extends StagedRow {
  readonly why: string | undefined;
  readonly reason: SuppressionReason | undefined;
}

/** A row that was merged into another row of the same person. */
export interface MergedRow extends RowPosition {
  readonly into: RowPosition;
}

/** The result of merging the people with several rows. */
export interface MergedPeople {
  person(email: string): Person | undefined;
  /** One address of each merged person. */
  emails(): IteratorObject<string>;
}

/**
 * People with several rows or a suppression, staged in run.db. All others need only one read of the list. Writes are
 * not synced: a survey that was cut short starts again, and the first request syncs them.
 */
export interface People extends MergedPeople, SuppressedPeople {
  /** Deletes everything, so that a survey can start again. */
  clear(): void;
  /**
   * Stages rows in one transaction; replaces a row that is already staged. Fast if rows come in the order of the
   * list.
   */
  addRows(rows: readonly StagedRow[]): void;
  /**
   * The staged rows by address, each group in the order of the list. A group can be read once, before the next one is
   * requested: one address may stand in a million rows. Don't call `addRows` during the iteration.
   */
  groups(): IteratorObject<Iterable<StagedRow>>;
  /** Records the merged people, and some of the rows that were merged, in one transaction. */
  finalize(people: readonly Person[], merged: readonly MergedRow[]): void;
  /** Makes the reads below quick. Call it after the last `finalize`. */
  endMerge(): void;
  /** The recorded rows that were merged into another, in the order of the list. */
  merged(): IteratorObject<MergedRow>;
  /** Dated rows of suppressed people. The service can't store these dates, so they go into consent.csv. */
  consent(): IteratorObject<StagedRow>;
}

// Primary keys follow the order in which rows are added. In another order, each slice of rows would change all pages.
const TABLES = `
  CREATE TABLE IF NOT EXISTS people_rows (
    person TEXT NOT NULL, email TEXT NOT NULL, source INTEGER NOT NULL, line INTEGER NOT NULL,
    state TEXT NOT NULL, at TEXT, payload TEXT NOT NULL,
    PRIMARY KEY (source, line, person)
  ) STRICT, WITHOUT ROWID;
  ${RESPELLED_INDEX}
  CREATE TABLE IF NOT EXISTS people (
    person TEXT PRIMARY KEY, email TEXT NOT NULL, source INTEGER NOT NULL, line INTEGER NOT NULL,
    state TEXT NOT NULL, at TEXT, payload TEXT NOT NULL, why TEXT, reason TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS people_merged (
    source INTEGER NOT NULL, line INTEGER NOT NULL, into_source INTEGER NOT NULL, into_line INTEGER NOT NULL
  ) STRICT;
`;

// People are merged in the order of their addresses. An index in the order of the list would change all its pages with
// each thousand people, so it is built once, after them.
const PEOPLE_BY_REASON = `CREATE INDEX IF NOT EXISTS people_by_reason ON people (reason, source, line)
  WHERE reason IS NOT NULL`;
const CLEAR = `DROP INDEX IF EXISTS people_by_reason;
  DELETE FROM people_rows; DELETE FROM people; DELETE FROM people_merged;`;

/** Opens the tables of staged people in a database, and creates missing ones. */
export function createPeople(db: DatabaseSync): People {
  // Only a transaction reports a full disk in plain words.
  transaction(db, () => db.exec(TABLES));
  const insertRow = db.prepare('INSERT OR REPLACE INTO people_rows VALUES (?, ?, ?, ?, ?, ?, ?)');
  const insertPerson = db.prepare('INSERT INTO people VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const insertMerged = db.prepare('INSERT INTO people_merged VALUES (?, ?, ?, ?)');

  return {
    clear: () => transaction(db, () => db.exec(CLEAR)),
    addRows: (rows) => unsyncedTransaction(db, () => rows.forEach((row) => insertRow.run(...rowValues(row)))),
    groups: () => groupByPerson(db),
    endMerge: () => unsyncedTransaction(db, () => db.exec(PEOPLE_BY_REASON)),
    finalize: (people, merged) =>
      unsyncedTransaction(db, () => {
        people.forEach((person) => insertPerson.run(...rowValues(person), person.why ?? null, person.reason ?? null));
        merged.forEach((row) => insertMerged.run(row.source, row.line, row.into.source, row.into.line));
      }),
    merged: () => eachRow(db, 'SELECT * FROM people_merged ORDER BY source, line').map(readMerged),
    consent: () => eachRow(db, CONSENT).map(readRow),
    ...suppressedPeople(db),
    ...mergedPeople(db),
  };
}

/** Read-only view of a database that `createPeople` filled. */
export function mergedPeople(db: DatabaseSync): MergedPeople {
  const onePerson = db.prepare('SELECT * FROM people WHERE person = ?');
  return {
    person: (email) => readPerson(onePerson.get(personKey(email))),
    emails: () => eachRow(db, 'SELECT email FROM people').map(({ email }) => String(email)),
  };
}

// CROSS JOIN makes SQLite read `people_rows` first, whose key gives the order of the list.
const CONSENT = `SELECT people_rows.* FROM people_rows CROSS JOIN people USING (person)
  WHERE people.reason IS NOT NULL AND people_rows.at IS NOT NULL ORDER BY people_rows.source, people_rows.line`;

function rowValues(row: StagedRow): [string, string, number, number, string, string | null, string] {
  return [personKey(row.email), row.email, row.source, row.line, row.state, row.at ?? null, row.payload];
}

function* groupByPerson(db: DatabaseSync): Generator<Iterable<StagedRow>> {
  const rows = eachRow(db, 'SELECT * FROM people_rows ORDER BY person, source, line');
  let next = rows.next();
  const rest = function* (person: unknown) {
    for (; !next.done && next.value.person === person; next = rows.next()) {
      yield readRow(next.value);
    }
  };
  try {
    while (!next.done) {
      const { person } = next.value;
      yield rest(person);
      // Skips rows that the consumer did not read.
      Array.from(rest(person));
    }
  } finally {
    rows.return(undefined);
  }
}

function readRow(values: SqlRow): StagedRow {
  return {
    email: String(values.email),
    source: Number(values.source),
    line: Number(values.line),
    state: String(values.state),
    at: textOrUndefined(values.at),
    payload: String(values.payload),
  };
}

function readPerson(values: SqlRow | undefined): Person | undefined {
  return values && { ...readRow(values), why: textOrUndefined(values.why), reason: readReason(values.reason) };
}

function readMerged(values: SqlRow): MergedRow {
  return {
    source: Number(values.source),
    line: Number(values.line),
    into: { source: Number(values.into_source), line: Number(values.into_line) },
  };
}

function readReason(value: SQLOutputValue | undefined): SuppressionReason | undefined {
  return value === 'complained' || value === 'bounced' || value === 'unsubscribed' ? value : undefined;
}

function textOrUndefined(value: SQLOutputValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
