import { renameSync, rmSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { SvcError } from '../base/lib/errors.ts';
import { pathExists } from '../base/os/files.ts';
import { openDatabase, tableVersion, transaction } from '../base/os/sqlite.ts';
import { toStorageError } from '../base/os/storage-error.ts';
import { createMeta } from '../runs/store/run-header.ts';
import { FIRST_RUN_COLUMN, SET_FIRST_RUNS } from './accepted-content.ts';
import type { LedgerCodec } from './ledger-key.ts';
import { LIST_MEMBERS_TABLE } from './list-members.ts';
import { asidePath, setAside } from './set-aside.ts';

/**
 * Why a ledger can't be used. `none`: there is no file, and svc set none aside. `gone`: there is no file, but svc set
 * one aside, so the audience had a ledger.
 */
export type LedgerProblem = 'none' | 'gone' | 'damaged' | 'no_key' | 'other_key' | 'other_version';

const LEDGER_VERSION = 2;
const FINGERPRINT = 'key';
/** The name of the ledger id in the table `meta`. The id is random, so that a new ledger has a new id. */
export const LEDGER_ID = 'id';
/** The name of a value in the table `meta`: true if the ledger took the place of one that could not be used. */
export const REPLACES_LOST = 'replaces_lost';

/** The people whom svc unsubscribed because they were missing. Ledgers of earlier versions lack this table. */
const OPTED_OUT_TABLE = 'CREATE TABLE IF NOT EXISTS opted_out (person BLOB PRIMARY KEY) STRICT, WITHOUT ROWID';

/**
 * The people who had left the audience before svc could unsubscribe them. Ledgers of earlier versions lack this table.
 */
const LEFT_BEFORE_TABLE = 'CREATE TABLE IF NOT EXISTS left_before (person BLOB PRIMARY KEY) STRICT, WITHOUT ROWID';

/**
 * The time of a look-up that found no contact of a missing person. It counts only until the person is back in a list,
 * so it must not be before `missing_since`. Earlier versions of svc made ledgers without this table.
 */
const NOT_FOUND_TABLE = `CREATE TABLE IF NOT EXISTS not_found (
  person BLOB PRIMARY KEY, since INTEGER NOT NULL
) STRICT, WITHOUT ROWID`;

/**
 * A column of `people`: 1 if the service last accepted the person as opted out, 0 if it accepted the person as
 * subscribed. NULL if it accepted nothing of the person since this column exists. Ledgers of earlier versions lack the
 * column.
 */
const OPTS_OUT_COLUMN = 'opts_out INTEGER';

const TABLES = `
  CREATE TABLE people (
    person BLOB PRIMARY KEY,
    address BLOB NOT NULL,
    content BLOB,
    list INTEGER NOT NULL,
    missing_since INTEGER,
    ${OPTS_OUT_COLUMN},
    ${FIRST_RUN_COLUMN}
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  ${LIST_MEMBERS_TABLE};
  ${OPTED_OUT_TABLE};
  ${LEFT_BEFORE_TABLE};
  ${NOT_FOUND_TABLE};
  PRAGMA user_version = ${LEDGER_VERSION}`;

/** The open file of a ledger, or why it can't be used. */
export type OpenedFile = { readonly db: DatabaseSync } | { readonly problem: LedgerProblem };

/** Opens a ledger file. Adds the tables and the columns that an older ledger lacks, and changes nothing else. */
export function openLedgerFile(path: string, codec: LedgerCodec): OpenedFile {
  if (!pathExists(path)) {
    return { problem: pathExists(asidePath(path, 1)) ? 'gone' : 'none' };
  }
  let db: DatabaseSync | undefined;
  try {
    if (statSync(path).size === 0) {
      // SQLite takes an empty file for a new database, and writes to it.
      return { problem: 'damaged' };
    }
    db = openDatabase(path);
    const problem = problemOf(db, codec);
    if (problem === undefined) {
      addNewerTables(db);
      return { db };
    }
    db.close();
    return { problem };
  } catch (cause) {
    if (db?.isOpen) {
      db.close();
    }
    throwUnlessDamaged(cause, path);
    return { problem: 'damaged' };
  }
}

/** Adds the tables and the columns that the ledger of an earlier svc lacks. */
function addNewerTables(db: DatabaseSync): void {
  db.exec(`${LIST_MEMBERS_TABLE}; ${OPTED_OUT_TABLE}; ${LEFT_BEFORE_TABLE}; ${NOT_FOUND_TABLE}`);
  addColumn(db, 'opts_out', OPTS_OUT_COLUMN);
  addColumn(db, 'first_run', `${FIRST_RUN_COLUMN}; ${SET_FIRST_RUNS}`);
}

/** Adds a column to `people`, unless it is there. `definition` may have a statement that fills the new column. */
function addColumn(db: DatabaseSync, name: string, definition: string): void {
  const hasColumn = () => db.prepare('SELECT 1 FROM pragma_table_info(?) WHERE name = ?').get('people', name);
  if (!hasColumn()) {
    // Another process may add the column meanwhile.
    transaction(db, () => hasColumn() ?? db.exec(`ALTER TABLE people ADD COLUMN ${definition}`));
  }
}

/** True if the file has the tables of a ledger of this version. */
export function hasLedgerTables(db: DatabaseSync): boolean {
  return tableVersion(db) === LEDGER_VERSION;
}

/** Throws the error, except for a damaged ledger (G3). */
export function throwUnlessDamaged(cause: unknown, path: string): void {
  const error = toStorageError(cause, path);
  if (!(error instanceof SvcError) || error.code !== 'state_damaged') {
    throw error;
  }
}

function problemOf(db: DatabaseSync, codec: LedgerCodec): LedgerProblem | undefined {
  const version = tableVersion(db);
  if (version !== LEDGER_VERSION) {
    // A ledger gets its version together with its tables. An emptied file has no version.
    return version === 0 ? 'damaged' : 'other_version';
  }
  const isWhole = Object.values(db.prepare('PRAGMA quick_check(1)').get() ?? {})[0] === 'ok';
  if (!isWhole) {
    return 'damaged';
  }
  return createMeta(db, '').read(FINGERPRINT) === codec.fingerprint ? undefined : 'other_key';
}

/**
 * Makes an empty ledger. An existing file is set aside under another name, because the user may restore its key later
 * (G3). The new file gets its final name only once it is complete. Otherwise a kill could leave an incomplete file that
 * looks like a damaged ledger. `id` is the id of the new ledger.
 */
export function createLedgerFile(path: string, codec: LedgerCodec, id: string): DatabaseSync {
  const replacesLost = pathExists(path) || pathExists(asidePath(path, 1));
  const draft = `${path}.new`;
  try {
    [draft, `${draft}-wal`, `${draft}-shm`].forEach((file) => rmSync(file, { force: true }));
    writeNew(draft, {
      [FINGERPRINT]: codec.fingerprint,
      [LEDGER_ID]: id,
      ...(replacesLost && { [REPLACES_LOST]: true }),
    });
    setAside(path);
    renameSync(draft, path);
  } catch (error) {
    throw toStorageError(error, path);
  }
  return openDatabase(path);
}

function writeNew(path: string, meta: Readonly<Record<string, unknown>>): void {
  const db = openDatabase(path, { create: true });
  try {
    transaction(db, () => {
      db.exec(TABLES);
      createMeta(db, '').write(meta);
    });
  } finally {
    db.close();
  }
}
