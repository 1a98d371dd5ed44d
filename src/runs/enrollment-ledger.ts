import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { SvcError } from '../base/lib/errors.ts';
import { EXIT } from '../base/lib/exit.ts';
import { sha256Hex } from '../base/lib/hash.ts';
import { terminalSafe } from '../base/lib/text.ts';
import { createIdentityCheck, type IdentityCheck } from '../base/os/file-identity.ts';
import { openDatabase, transaction } from '../base/os/sqlite.ts';
import { personKey } from '../wire/person-key.ts';
import { createStateFolder } from './state-folder.ts';
import type { Journal } from './store/journal.ts';
import { tryReadRun } from './store/open-journal.ts';

/**
 * The outcome of an enrollment that may have started the automation. Only the user can find out (`svc runs resolve`).
 */
export const UNKNOWN_ENROLLMENT = 'unknown';

/** What the ledger records about one person: the outcome, and the run that recorded it. */
export interface LedgerEntry {
  readonly outcome: string;
  readonly run: string;
  /**
   * Milliseconds since the epoch. A new entry is always later than all earlier entries, so the order is right even if
   * the clock was set back (P7). A restored entry keeps its time.
   */
  readonly time: number;
}

/**
 * Records whom the runs on this machine enrolled in one automation. Is kept when runs are deleted. Holds hashes instead
 * of addresses. Record `unknown` before a request is sent, and the outcome after the response. After a kill between
 * these two writes, the entry stays `unknown`.
 */
export interface EnrollmentLedger {
  /**
   * The entry of a person, or undefined. Ignores an entry `unknown` if nothing was sent for it, because the process was
   * killed before the first byte (M5).
   */
  lookup(email: string): LedgerEntry | undefined;
  /** Replaces the entry. It is on disk when this returns. */
  record(email: string, entry: LedgerEntry): void;
  /** Like `record`, but gives the entry a later time than all entries in the ledger. */
  recordAsNewest(email: string, entry: LedgerEntry): void;
  /** The latest time of all entries. 0 if there is none. */
  newest(): number;
  /** Removes the entries with the outcome `unknown` of a run. */
  removeUnknown(run: string): void;
  /** Returns an error if the files of the ledger were removed or replaced. */
  readonly problemIfLost: IdentityCheck;
  close(): void;
}

const VERSION = 0;
const COLUMNS = 'person,outcome,run,at';
const TABLE = `
  CREATE TABLE IF NOT EXISTS entries (
    person TEXT PRIMARY KEY,
    outcome TEXT NOT NULL,
    run TEXT NOT NULL,
    at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`;

/**
 * Throws for a ledger of another version of svc. Its entries may have another meaning. Then a person could be missed in
 * it, and enrolled again.
 */
function refuseOtherVersion(db: DatabaseSync, automationId: string): void {
  const version = Number(db.prepare('PRAGMA user_version').get()?.user_version);
  const columns = db.prepare(`SELECT group_concat(name) AS names FROM pragma_table_info('entries')`).get()?.names;
  if (version !== VERSION || (columns !== null && columns !== COLUMNS)) {
    db.close();
    const message = `another version of svc wrote the record of whom it enrolled in ${terminalSafe(automationId)}`;
    throw new SvcError(EXIT.usage, 'newer_ledger', `nothing was sent: ${message}`, {
      hint: 'Update svc, then run the command again',
    });
  }
}

/** Opens or creates the ledger of an automation at an origin. Its methods take addresses trimmed and in lower case. */
export function openEnrollmentLedger(stateFolder: string, origin: string, automationId: string): EnrollmentLedger {
  const destination = `${origin}\n${automationId}`;
  const path = join(createStateFolder(stateFolder).ledgers, `${sha256Hex(destination).slice(0, 32)}.db`);
  const db = openDatabase(path, { create: true });
  refuseOtherVersion(db, automationId);
  transaction(db, () => db.exec(TABLE));
  const get = db.prepare('SELECT outcome, run, at FROM entries WHERE person = ?');
  const put = db.prepare(
    `INSERT INTO entries (person, outcome, run, at) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET outcome = excluded.outcome, run = excluded.run, at = excluded.at`,
  );
  const latest = db.prepare('SELECT MAX(at) AS at FROM entries');
  let newest: number | undefined;
  const newestAt = () => {
    newest ??= Number(latest.get()?.at ?? 0);
    return newest;
  };
  const removeUnknown = db.prepare(`DELETE FROM entries WHERE run = ? AND outcome = '${UNKNOWN_ENROLLMENT}'`);
  const complete = new Map<string, boolean>();
  const isComplete = (run: string) => {
    const isKnownComplete = complete.get(run) ?? tryReadRun(stateFolder, run, hasAllOutcomes) ?? false;
    complete.set(run, isKnownComplete);
    return isKnownComplete;
  };
  // The hash includes origin and automation, so two ledgers do not show that a person is in both.
  const hash = (key: string) => sha256Hex(`${destination}\n${key}`);
  const record = (email: string, { outcome, run, time }: LedgerEntry) => {
    transaction(db, () => put.run(hash(personKey(email)), outcome, run, time));
    newest = newest === undefined ? undefined : Math.max(newest, time);
  };
  return {
    lookup(email) {
      // The second look-up finds entries of earlier versions of svc. They hashed an address with combining accents
      // before the @ as it was written.
      const row = get.get(hash(personKey(email))) ?? get.get(hash(email));
      const entry = row && { outcome: String(row.outcome), run: String(row.run), time: Number(row.at) };
      return entry?.outcome === UNKNOWN_ENROLLMENT && isComplete(entry.run) ? undefined : entry;
    },
    record,
    recordAsNewest: (email, entry) => record(email, { ...entry, time: Math.max(entry.time, newestAt() + 1) }),
    newest: newestAt,
    removeUnknown: (run) => transaction(db, () => removeUnknown.run(run)),
    problemIfLost: createIdentityCheck([path, `${path}-wal`]),
    close: () => db.close(),
  };
}

/**
 * Removes the `unknown` entries of a run for which nothing was sent. Called before the folder of the run is deleted:
 * afterwards nothing shows that these people were not enrolled (M5).
 */
export function removeUnsentEntries(stateFolder: string, run: string): void {
  const ended = tryReadRun(stateFolder, run, (journal) => {
    const { destination, origin } = journal.header;
    return destination?.kind === 'automation' && hasAllOutcomes(journal) ? { origin, id: destination.id } : undefined;
  });
  if (ended) {
    const ledger = openEnrollmentLedger(stateFolder, ended.origin, ended.id);
    try {
      ledger.removeUnknown(run);
    } finally {
      ledger.close();
    }
  }
}

/**
 * True if each request of the run has an outcome. If an entry is still `unknown` then, its request was never sent: the
 * process was killed before the first byte. False with `--reenroll`, because there an `unknown` entry may have replaced
 * the entry of an earlier enrollment.
 */
function hasAllOutcomes(journal: Journal): boolean {
  const requests = journal.counts('enrollment');
  return requests.pending + requests.doubt === 0 && journal.header.options.reenroll !== true;
}
