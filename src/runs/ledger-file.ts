import { rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { SvcError } from '../base/lib/errors.ts';
import { pathExists } from '../base/os/files.ts';
import { openDatabase, tableVersion, transaction } from '../base/os/sqlite.ts';
import { toStorageError } from '../base/os/storage-error.ts';
import type { LedgerCodec } from './ledger-key.ts';
import { LIST_MEMBERS_TABLE } from './list-members.ts';
import { createMeta } from './store/run-header.ts';

const LEDGER_VERSION = 2;
const FINGERPRINT = 'key';

const TABLES = `
  CREATE TABLE people (
    person BLOB PRIMARY KEY,
    address BLOB NOT NULL,
    content BLOB,
    list INTEGER NOT NULL,
    missing_since INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  ${LIST_MEMBERS_TABLE};
  PRAGMA user_version = ${LEDGER_VERSION}`;

/** Opens a ledger file. Undefined if it is missing, damaged, of another version, or made with another key. */
export function openIfUsable(path: string, codec: LedgerCodec): DatabaseSync | undefined {
  if (!pathExists(path)) {
    return undefined;
  }
  let db: DatabaseSync | undefined;
  try {
    db = openDatabase(path);
    if (isUsable(db, codec)) {
      db.exec(LIST_MEMBERS_TABLE);
      return db;
    }
  } catch (cause) {
    db?.close();
    throwUnlessDamaged(cause, path);
    return undefined;
  }
  db.close();
  return undefined;
}

/** Throws the error, except for a damaged ledger, which an empty one replaces (G3). */
export function throwUnlessDamaged(cause: unknown, path: string): void {
  const error = toStorageError(cause, path);
  if (!(error instanceof SvcError) || error.code !== 'state_damaged') {
    throw error;
  }
}

function isUsable(db: DatabaseSync, codec: LedgerCodec): boolean {
  const isWhole = Object.values(db.prepare('PRAGMA quick_check(1)').get() ?? {})[0] === 'ok';
  return tableVersion(db) === LEDGER_VERSION && isWhole && createMeta(db, '').read(FINGERPRINT) === codec.fingerprint;
}

/** Deletes the file of a ledger, and makes an empty ledger. */
export function replaceWithEmpty(path: string, codec: LedgerCodec): DatabaseSync {
  try {
    for (const file of [path, `${path}-wal`, `${path}-shm`]) {
      rmSync(file, { force: true });
    }
  } catch (error) {
    throw toStorageError(error, path);
  }
  const db = openDatabase(path, { create: true });
  transaction(db, () => {
    db.exec(TABLES);
    createMeta(db, '').write({ [FINGERPRINT]: codec.fingerprint });
  });
  return db;
}
