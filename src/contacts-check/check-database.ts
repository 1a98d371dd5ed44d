import { rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { openDatabase, tableVersion } from '../base/os/sqlite.ts';

/**
 * The version of check.db: of its tables and of the JSON in them. Raise it with each change of a table or of a name in
 * the JSON.
 */
const CHECK_VERSION = 1;

/** The database of a check, and whether an earlier database was removed. */
interface CheckDatabase {
  readonly db: DatabaseSync;
  /**
   * True if another version of svc made the database and svc removed it. That version may have had other columns, or
   * columns with another meaning.
   */
  readonly wasReplaced: boolean;
}

/**
 * Opens or creates the database of a check. Removes a database of another version, because svc can read the audience
 * again (V2).
 */
export function openCheckDatabase(path: string): CheckDatabase {
  const db = openDatabase(path, { create: true });
  if (tableVersion(db) === CHECK_VERSION) {
    return { db, wasReplaced: false };
  }
  const wasReplaced = db.prepare('SELECT 1 FROM sqlite_master LIMIT 1').get() !== undefined;
  if (!wasReplaced) {
    return { db: withVersion(db), wasReplaced };
  }
  db.close();
  removeCheckDatabase(path);
  return { db: withVersion(openDatabase(path, { create: true })), wasReplaced };
}

/** Deletes the database of a check, because it contains personal data. */
export function removeCheckDatabase(path: string): void {
  for (const end of ['', '-wal', '-shm']) {
    rmSync(`${path}${end}`, { force: true });
  }
}

function withVersion(db: DatabaseSync): DatabaseSync {
  db.exec(`PRAGMA user_version = ${CHECK_VERSION}`);
  return db;
}
