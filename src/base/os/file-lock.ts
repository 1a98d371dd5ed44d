import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makePrivateDatabase } from './sqlite.ts';
import { storageError } from './storage-error.ts';

const SQLITE_BUSY = 5;

/**
 * Takes the lock of a lock file, and creates the file if needed. Waits up to `waitMs`; undefined if another process
 * still holds it. The lock is an open exclusive transaction: SQLite holds it as a lock of the operating system, which
 * ends with the process.
 */
export function tryLock(path: string, waitMs: number): DatabaseSync | undefined {
  let db: DatabaseSync | undefined;
  try {
    makePrivateDatabase(path);
    db = new DatabaseSync(path, { timeout: waitMs });
    db.exec('BEGIN EXCLUSIVE');
    return db;
  } catch (error) {
    db?.close();
    if (isBusy(error)) {
      return undefined;
    }
    throw storageError(error, dirname(path));
  }
}

/** True for the error of a database that another process holds. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && Number(error.errcode) % 256 === SQLITE_BUSY;
}
