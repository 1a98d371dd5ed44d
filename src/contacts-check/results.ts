import type { DatabaseSync } from 'node:sqlite';
import { eachRow, type SqlRow, transaction } from '../base/os/sqlite.ts';
import { personKey } from '../wire/person-key.ts';
import type { CheckOutcome, Comparison, ExpectedPerson } from './compare-person.ts';

/** The result of the comparison for one person, who is in the list, in the audience, or in both. */
export interface CheckResult extends Comparison {
  readonly email: string;
  /** What the list says. Undefined for a person who is not in the list. */
  readonly expected: ExpectedPerson | undefined;
}

/** A stored result. Results have growing ids, in the order in which they were added. */
export interface StoredResult extends CheckResult {
  readonly id: number;
}

/** The outcomes that svc confirms by a look-up before it reports them. */
export type UnconfirmedOutcome = 'missing' | 'different' | 'extra';

/** The results of a check, in SQLite. */
export interface CheckResults {
  /** Deletes everything, so that the comparison can start again. */
  clear(): void;
  /** Adds results in one transaction. */
  add(results: readonly CheckResult[]): void;
  /** The first results of an outcome, among those with an id above `after`. */
  list(outcome: CheckOutcome, maxResults: number, after?: number): StoredResult[];
  change(id: number, comparison: Comparison): void;
  remove(id: number): void;
  /** Makes several changes in one transaction. */
  inTransaction(changes: () => void): void;
  counts(): Record<CheckOutcome, number>;
  /** For each field, how many people differ in it. */
  fields(): Record<string, number>;
  all(): IteratorObject<StoredResult>;
  /** Stores addresses of the suppression list, with their reasons. */
  addSuppressed(addresses: readonly { readonly email: string; readonly reason: string }[]): void;
  /**
   * The reason for which an address is on the suppression list. Undefined if the part of the list that is stored lacks
   * the address.
   */
  suppressed(email: string): string | undefined;
}

const TABLES = `
  CREATE TABLE IF NOT EXISTS results (
    id INTEGER PRIMARY KEY, email TEXT NOT NULL, outcome TEXT NOT NULL, differences TEXT NOT NULL, expected TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS results_open ON results (outcome, id) WHERE outcome <> 'same';
  CREATE TABLE IF NOT EXISTS suppressed (key TEXT PRIMARY KEY, reason TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;

const FIELDS = `SELECT json_extract(value, '$.field') AS field, count(*) AS n FROM results, json_each(differences)
  WHERE outcome = 'different' GROUP BY 1 ORDER BY 2 DESC, 1`;

/** Opens the results of a check, and creates missing tables. */
export function openResults(db: DatabaseSync): CheckResults {
  transaction(db, () => db.exec(TABLES));
  const insert = db.prepare('INSERT INTO results (email, outcome, differences, expected) VALUES (?, ?, ?, ?)');
  const update = db.prepare('UPDATE results SET outcome = ?, differences = ? WHERE id = ?');
  const remove = db.prepare('DELETE FROM results WHERE id = ?');
  const part = db.prepare('SELECT * FROM results WHERE outcome = ? AND id > ? ORDER BY id LIMIT ?');
  const suppress = db.prepare('INSERT OR REPLACE INTO suppressed VALUES (?, ?)');
  const reason = db.prepare('SELECT reason FROM suppressed WHERE key = ?');
  return {
    clear: () => transaction(db, () => db.exec('DELETE FROM results; DELETE FROM suppressed')),
    add: (results) => transaction(db, () => results.forEach((result) => insert.run(...valuesOf(result)))),
    list: (outcome, maxResults, after = 0) => part.all(outcome, after, maxResults).map(readResult),
    change: (id, { outcome, differences }) =>
      transaction(db, () => void update.run(outcome, JSON.stringify(differences), id)),
    remove: (id) => transaction(db, () => void remove.run(id)),
    inTransaction: (changes) => transaction(db, changes),
    counts: () => countsOf(db),
    fields: () => Object.fromEntries(eachRow(db, FIELDS).map(({ field, n }) => [String(field), Number(n)])),
    all: () => eachRow(db, 'SELECT * FROM results ORDER BY id').map(readResult),
    addSuppressed: (addresses) =>
      transaction(db, () => addresses.forEach((address) => suppress.run(keyOf(address.email), address.reason))),
    suppressed: (email) => {
      const found = reason.get(keyOf(email))?.reason;
      return found === undefined ? undefined : String(found);
    },
  };
}

/** The key of an address. A look-alike has another key, because it may be another person's (V1). */
function keyOf(email: string): string {
  return personKey(email.trim().toLowerCase());
}

/** The columns of a result. `expected` is stored only if the person may be compared again. */
function valuesOf({ email, outcome, differences, expected }: CheckResult): [string, string, string, string | null] {
  const isOpen = outcome === 'missing' || outcome === 'different';
  return [email, outcome, JSON.stringify(differences), isOpen && expected ? JSON.stringify(expected) : null];
}

function countsOf(db: DatabaseSync): Record<CheckOutcome, number> {
  const found = eachRow(db, 'SELECT outcome, count(*) AS n FROM results GROUP BY 1');
  const counts = Object.fromEntries(found.map(({ outcome, n }) => [String(outcome), Number(n)]));
  return { same: 0, different: 0, missing: 0, extra: 0, opted_out: 0, ...counts };
}

function readResult(row: SqlRow): StoredResult {
  // The JSON is not checked, because only this file writes it.
  return {
    id: Number(row.id),
    email: String(row.email),
    outcome: row.outcome as CheckOutcome,
    differences: JSON.parse(String(row.differences)) as StoredResult['differences'],
    expected: row.expected === null ? undefined : (JSON.parse(String(row.expected)) as ExpectedPerson),
  };
}
