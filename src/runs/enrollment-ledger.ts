import { join } from 'node:path';
import { sha256Hex } from '../base/lib/hash.ts';
import { type Anchor, anchor } from '../base/os/file-identity.ts';
import { openDatabase, transaction } from '../base/os/sqlite.ts';
import { prepareState } from './state-folder.ts';

/** What the ledger says of one address. `at` is in milliseconds since the epoch. */
export interface LedgerEntry {
  readonly outcome: string;
  readonly run: string;
  readonly at: number;
}

/**
 * Who was enrolled in one automation, by any run. It outlives runs and holds no address, only hashes. For a kill between
 * request and answer to count as well, record `unknown` before the first byte goes out and the outcome after.
 */
export interface Ledger {
  lookup(email: string): LedgerEntry | undefined;
  /** Replaces what was recorded; on disk when this returns. */
  record(email: string, entry: LedgerEntry): void;
  /** The problem when the ledger's files are gone from their place. */
  readonly lost: Anchor;
  close(): void;
}

const TABLE = `
  CREATE TABLE IF NOT EXISTS entries (
    person TEXT PRIMARY KEY,
    outcome TEXT NOT NULL,
    run TEXT NOT NULL,
    at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`;

/** Opens the ledger of an automation at an origin, or begins it. Addresses are given in canonical form. */
export function openLedger(state: string, origin: string, automationId: string): Ledger {
  const place = `${origin}\n${automationId}`;
  const path = join(prepareState(state).ledgers, `${sha256Hex(place).slice(0, 32)}.db`);
  const db = openDatabase(path, { create: true });
  transaction(db, () => db.exec(TABLE));
  const get = db.prepare('SELECT outcome, run, at FROM entries WHERE person = ?');
  const put = db.prepare(
    `INSERT INTO entries (person, outcome, run, at) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET outcome = excluded.outcome, run = excluded.run, at = excluded.at`,
  );
  // The place in the hash keeps two ledgers from being joined on it.
  const person = (email: string) => sha256Hex(`${place}\n${email}`);
  return {
    lookup(email) {
      const row = get.get(person(email));
      return row && { outcome: String(row.outcome), run: String(row.run), at: Number(row.at) };
    },
    record(email, { outcome, run, at }) {
      transaction(db, () => put.run(person(email), outcome, run, at));
    },
    lost: anchor([path, `${path}-wal`], 'Put it back, then see what can go on: svc runs ls'),
    close: () => db.close(),
  };
}
