import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { RowPosition } from '../../base/lib/rows.ts';
import { eachRow, type SqlRow, transaction, unsyncedTransaction } from '../../base/os/sqlite.ts';
import { personKey } from '../../wire/person-key.ts';
import type { SuppressionReason } from '../../wire/service-words.ts';
import { openSuppressedPeople, RESPELLED_INDEX, type SuppressedPeople } from './suppressed-people.ts';

/** A row that the survey stores in run.db, because its address may occur again or will be suppressed. */
export interface StagedRow extends RowPosition {
  /** The address in canonical form. */
  readonly email: string;
  readonly state: string;
  /** The opt-out date, in the format of the service. Undefined if the row has none. */
  readonly optOutDate: string | undefined;
  /** Further data of the row as JSON. Merging duplicates needs it. */
  readonly payload: string;
}

/**
 * A person, merged from all rows of one address. `source` and `line` are the position of the row that counts. `source`
 * is -1 if all rows were rejected.
 */
export interface Person extends StagedRow {
  readonly why: string | undefined;
  readonly reason: SuppressionReason | undefined;
}

/** The position of a row that was merged into another row of the same person. */
export interface MergedRow extends RowPosition {
  readonly mergedInto: RowPosition;
}

/** People with several rows, and people to suppress, after the merge. */
export interface MergedPeople {
  /** The person of an address. Undefined if no row of the address is stored here. */
  person(email: string): Person | undefined;
  /** Yields one address of each person. */
  emails(): IteratorObject<string>;
}

/**
 * Stores two groups of people in run.db: people with several rows, and people to suppress. All other people are read
 * from the list again. Writes are not synced to disk until the first request, because an interrupted survey starts
 * again.
 */
export interface People extends MergedPeople, SuppressedPeople {
  /** Deletes all rows and people, so that a survey can start again. */
  clear(): void;
  /**
   * Stores rows in one transaction, and replaces rows with the same position. Fast only if rows come in the order of
   * the list.
   */
  addRows(rows: readonly StagedRow[]): void;
  /**
   * The stored rows, in one group for each person. The rows of a group are in the order of the list. Read each group
   * once, before you ask for the next: groups are not in memory, because a million rows may have one address. Don't
   * call `addRows` during the loop.
   */
  rowsByPerson(): IteratorObject<Iterable<StagedRow>>;
  /** Stores merged people, and the rows that were merged into another row. May be called many times. */
  storeMerged(people: readonly Person[], merged: readonly MergedRow[]): void;
  /** Builds the index that reads need. Called after the last `storeMerged`. */
  indexMergedPeople(): void;
  /** The rows that were merged into another row, in the order of the list. */
  mergedRows(): IteratorObject<MergedRow>;
  /** The dated rows of people to suppress. The service stores no date of a suppression, so consent.csv keeps it. */
  datedSuppressions(): IteratorObject<StagedRow>;
}

// The primary key has the order of the list, because rows are added in that order. With another key, each call of
// `addRows` would change pages all over the database.
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

// SQLite builds this index once, after the last person. `storeMerged` stores people in a different order than the index
// has, so otherwise each call would change pages all over the index.
const PEOPLE_BY_REASON = `CREATE INDEX IF NOT EXISTS people_by_reason ON people (reason, source, line)
  WHERE reason IS NOT NULL`;
const CLEAR = `DROP INDEX IF EXISTS people_by_reason;
  DELETE FROM people_rows; DELETE FROM people; DELETE FROM people_merged;`;

/** Opens the tables in a database, and creates missing ones. */
export function openPeopleTables(db: DatabaseSync): People {
  // `transaction` turns the error of a full disk into an SvcError.
  transaction(db, () => db.exec(TABLES));
  const insertRow = db.prepare('INSERT OR REPLACE INTO people_rows VALUES (?, ?, ?, ?, ?, ?, ?)');
  const insertPerson = db.prepare('INSERT INTO people VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const insertMerged = db.prepare('INSERT INTO people_merged VALUES (?, ?, ?, ?)');

  return {
    clear: () => transaction(db, () => db.exec(CLEAR)),
    addRows: (rows) => unsyncedTransaction(db, () => rows.forEach((row) => insertRow.run(...rowValues(row)))),
    rowsByPerson: () => groupByPerson(db),
    indexMergedPeople: () => unsyncedTransaction(db, () => db.exec(PEOPLE_BY_REASON)),
    storeMerged: (people, merged) =>
      unsyncedTransaction(db, () => {
        people.forEach((person) => insertPerson.run(...rowValues(person), person.why ?? null, person.reason ?? null));
        merged.forEach((row) => insertMerged.run(row.source, row.line, row.mergedInto.source, row.mergedInto.line));
      }),
    mergedRows: () => eachRow(db, 'SELECT * FROM people_merged ORDER BY source, line').map(readMerged),
    datedSuppressions: () => eachRow(db, CONSENT).map(readRow),
    ...openSuppressedPeople(db),
    ...openMergedPeople(db),
  };
}

/** Reads the merged people from a database that `openPeopleTables` filled. */
export function openMergedPeople(db: DatabaseSync): MergedPeople {
  const onePerson = db.prepare('SELECT * FROM people WHERE person = ?');
  return {
    person: (email) => readPerson(onePerson.get(personKey(email))),
    emails: () => eachRow(db, 'SELECT email FROM people').map(({ email }) => String(email)),
  };
}

// CROSS JOIN makes SQLite read `people_rows` first. Its key has the order of the list, so that nothing must be sorted.
const CONSENT = `SELECT people_rows.* FROM people_rows CROSS JOIN people USING (person)
  WHERE people.reason IS NOT NULL AND people_rows.at IS NOT NULL ORDER BY people_rows.source, people_rows.line`;

function rowValues(row: StagedRow): [string, string, number, number, string, string | null, string] {
  return [personKey(row.email), row.email, row.source, row.line, row.state, row.optOutDate ?? null, row.payload];
}

function* groupByPerson(db: DatabaseSync): Generator<Iterable<StagedRow>> {
  const rows = eachRow(db, 'SELECT * FROM people_rows ORDER BY person, source, line');
  let next = rows.next();
  const restOfPerson = function* (person: unknown) {
    for (; !next.done && next.value.person === person; next = rows.next()) {
      yield readRow(next.value);
    }
  };
  try {
    while (!next.done) {
      const { person } = next.value;
      yield restOfPerson(person);
      // Skips rows of the group that the caller did not read.
      Array.from(restOfPerson(person));
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
    optOutDate: textOrUndefined(values.at),
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
    mergedInto: { source: Number(values.into_source), line: Number(values.into_line) },
  };
}

function readReason(value: SQLOutputValue | undefined): SuppressionReason | undefined {
  return value === 'complained' || value === 'bounced' || value === 'unsubscribed' ? value : undefined;
}

function textOrUndefined(value: SQLOutputValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
