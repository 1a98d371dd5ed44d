import type { DatabaseSync } from 'node:sqlite';
import { EXIT, SvcError } from '../base/lib/errors.ts';
import { terminalSafe } from '../base/lib/text.ts';
import { tableVersion, transaction } from '../base/os/sqlite.ts';

/**
 * The outcome of an enrollment that may have started the automation. Only the user can find out if it did, and says so
 * with `svc runs resolve`.
 */
export const UNKNOWN_ENROLLMENT = 'unknown';

/** What the ledger records about one person: the outcome, and the run that recorded it. */
export interface LedgerEntry {
  readonly outcome: string;
  readonly run: string;
  /**
   * When the entry was made, in milliseconds since the epoch. A new entry gets a later time than all earlier entries,
   * so the order is right even if the clock was set back (P7). A restored entry keeps its time.
   */
  readonly time: number;
}

/**
 * An entry for a request that an earlier run sent, and that has an unknown outcome. Its time is before the start of
 * every run, so that `--reenroll` still enrolls the person.
 */
export function unknownEntryOf(run: string): LedgerEntry {
  return { outcome: UNKNOWN_ENROLLMENT, run, time: 0 };
}

const ENTRIES_VERSION = 0;
const COLUMNS = 'person,outcome,run,at';
// `look_alikes` has a row for each person whose address differs from its `looseKey`. `attempts` has a row for each run
// that may have sent a request for a person whose entry is of another run. `marks` has the newest mark of each run; see
// `createMarks`. Earlier versions made ledgers without these tables.
const TABLES = `
  CREATE TABLE IF NOT EXISTS entries (
    person TEXT PRIMARY KEY,
    outcome TEXT NOT NULL,
    run TEXT NOT NULL,
    at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS look_alikes (
    loose TEXT NOT NULL,
    person TEXT NOT NULL,
    PRIMARY KEY (loose, person)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS attempts (
    person TEXT NOT NULL,
    run TEXT NOT NULL,
    PRIMARY KEY (person, run)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS marks (
    run TEXT PRIMARY KEY,
    mark INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`;

/**
 * Creates the tables of a new ledger, and those that an older ledger lacks. Throws if another version of svc wrote the
 * entries in another form.
 */
export function prepareTables(db: DatabaseSync, automationId: string): void {
  refuseOtherVersion(db, automationId);
  transaction(db, () => db.exec(TABLES));
}

/**
 * Throws if another version of svc wrote the entries in another form, because they may have another meaning. svc could
 * then overlook the entry of a person, and enroll the person again.
 */
function refuseOtherVersion(db: DatabaseSync, automationId: string): void {
  const columns = db.prepare(`SELECT group_concat(name) AS names FROM pragma_table_info('entries')`).get()?.names;
  if (tableVersion(db) !== ENTRIES_VERSION || (columns !== null && columns !== COLUMNS)) {
    db.close();
    const message = `another version of svc wrote the record of whom it enrolled in ${terminalSafe(automationId)}`;
    throw new SvcError(EXIT.usage, 'newer_ledger', `nothing was sent: ${message}`, {
      hint: 'Update svc, then run the command again',
    });
  }
}

/** Reads and writes entries, by the hash of the person. */
export function createEntries(db: DatabaseSync) {
  const get = db.prepare('SELECT outcome, run, at FROM entries WHERE person = ?');
  const put = db.prepare(
    `INSERT INTO entries (person, outcome, run, at) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET outcome = excluded.outcome, run = excluded.run, at = excluded.at`,
  );
  const latest = db.prepare('SELECT MAX(at) AS at FROM entries');
  let newest: number | undefined;
  return {
    find(person: string): LedgerEntry | undefined {
      const row = get.get(person);
      return row && { outcome: String(row.outcome), run: String(row.run), time: Number(row.at) };
    },
    put(person: string, { outcome, run, time }: LedgerEntry) {
      transaction(db, () => put.run(person, outcome, run, time));
      newest = newest === undefined ? undefined : Math.max(newest, time);
    },
    newest() {
      newest ??= Number(latest.get()?.at ?? 0);
      return newest;
    },
  };
}

/** Records people whose address differs from its `looseKey`, and finds them by the hash of that key. */
export function createLookAlikes(db: DatabaseSync) {
  const insert = db.prepare('INSERT OR IGNORE INTO look_alikes (loose, person) VALUES (?, ?)');
  const select = db.prepare('SELECT person FROM look_alikes WHERE loose = ?');
  return {
    add(loose: string, person: string) {
      if (loose !== person) {
        transaction(db, () => insert.run(loose, person));
      }
    },
    of: (loose: string) => select.all(loose).map(({ person }) => String(person)),
  };
}

/** Records the runs that may have sent a request for a person whose entry is of another run. */
export function createAttempts(db: DatabaseSync) {
  const insert = db.prepare('INSERT OR IGNORE INTO attempts (person, run) VALUES (?, ?)');
  const remove = db.prepare('DELETE FROM attempts WHERE person = ? AND run = ?');
  const selectOther = db.prepare('SELECT run FROM attempts WHERE person = ? AND run <> ? LIMIT 1');
  const select = db.prepare('SELECT 1 FROM attempts WHERE person = ? AND run = ?');
  return {
    add: (person: string, run: string) => transaction(db, () => insert.run(person, run)),
    remove: (person: string, run: string) => transaction(db, () => remove.run(person, run)),
    other: (person: string, run: string) => {
      const other = selectOther.get(person, run)?.run;
      return typeof other === 'string' ? other : undefined;
    },
    has: (person: string, run: string) => select.get(person, run) !== undefined,
  };
}

/**
 * The marks of runs: growing numbers that a run writes here and in its journal. If the journal has a higher one, the
 * run wrote to a newer copy of this ledger, so this copy may lack its people.
 */
export function createMarks(db: DatabaseSync) {
  const select = db.prepare('SELECT mark FROM marks WHERE run = ?');
  const put = db.prepare('INSERT INTO marks (run, mark) VALUES (?, ?) ON CONFLICT DO UPDATE SET mark = excluded.mark');
  return {
    of: (run: string) => Number(select.get(run)?.mark ?? 0),
    put: (run: string, mark: number) => transaction(db, () => put.run(run, mark)),
  };
}
