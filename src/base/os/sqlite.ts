import { type BigIntStats, chmodSync, closeSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { createSystemClock } from '../lib/clock.ts';
import { EXIT, SvcError } from '../lib/errors.ts';
import { PRIVATE_FILE, pathExists } from './files.ts';
import { toStorageError } from './storage-error.ts';

// File systems take their times from it.
const MACHINE_CLOCK = createSystemClock();

/** A row as values by column name. */
export type SqlRow = Record<string, SQLOutputValue>;

const BUSY_TIMEOUT_MS = 5_000;

/**
 * Opens a database with mode 0600 (D6) and a write-ahead log. A commit is on disk when it returns, except in
 * `unsyncedTransaction`. Throws `state_missing` if there is no file, unless `create` is set. On Node 22, node:sqlite
 * prints an ExperimentalWarning, which main.ts removes.
 */
export function openDatabase(path: string, options: { readonly create?: boolean } = {}): DatabaseSync {
  if (path === ':memory:') {
    return new DatabaseSync(path);
  }
  try {
    if (!options.create) {
      requireFile(path);
    }
    makePrivateDatabase(path);
    const db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
    return configure(db);
  } catch (error) {
    throw toStorageError(error, dirname(path));
  }
}

/**
 * Calls `read` with a database that no process has open. SQLite then needs no lock and no further file, so the read
 * takes a third of the time. Returns undefined if there is no database, if a process uses it or was killed while it
 * used it, if the file changed meanwhile, or if `read` failed. Then use `openDatabase`.
 */
export function readClosedDatabase<T>(path: string, read: (db: DatabaseSync) => T): { readonly result: T } | undefined {
  try {
    const before = stampOf(statsOfClosed(path));
    if (before === undefined) {
      return undefined;
    }
    const db = new DatabaseSync(immutable(path), { readOnly: true });
    try {
      const result = read(db);
      return stampOf(statsOfClosed(path)) === before ? { result } : undefined;
    } finally {
      db.close();
    }
  } catch {
    return undefined;
  }
}

function immutable(path: string): URL {
  return new URL('?immutable=1', pathToFileURL(path));
}

// Undefined if there is no database, if a process uses it, or was killed while it used it. Such a database of svc has a
// write-ahead log.
function statsOfClosed(path: string): BigIntStats | undefined {
  const isOpen = [`${path}-wal`, `${path}-journal`].some(pathExists);
  return isOpen ? undefined : statSync(path, { bigint: true, throwIfNoEntry: false });
}

// A text that changes if the file is written or replaced.
function stampOf(stats: BigIntStats | undefined): string | undefined {
  return stats && [stats.dev, stats.ino, stats.size, stats.mtimeNs].join();
}

/**
 * A text that stays the same as long as a closed database has the same content. Undefined if `readClosedDatabase` would
 * not read the database, and shortly after a write: file systems round the time of a write, so a second write could
 * leave the same time. Linux rounds it to at most 10 ms, and some file systems to 2 seconds.
 */
export function reliableStampOf(path: string): string | undefined {
  const stats = statsOfClosed(path);
  if (stats === undefined) {
    return undefined;
  }
  const roundedTo = stats.mtimeNs % 1_000_000_000n === 0n ? 2_000 : 10;
  return MACHINE_CLOCK.now() - Number(stats.mtimeMs) > 2 * roundedTo ? stampOf(stats) : undefined;
}

/** The version of the tables of a database, which svc stores as `user_version`. 0 for a new database. */
export function tableVersion(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.user_version);
}

/**
 * Runs `work` in one transaction: when this returns, either all of it is on disk or none of it. Inside another
 * transaction it becomes a part of that one. If the disk is full or read-only, throws an SvcError that names the folder
 * (D2).
 */
export function transaction<T>(db: DatabaseSync, work: () => T): T {
  if (db.isTransaction) {
    return work();
  }
  try {
    db.exec('BEGIN IMMEDIATE');
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    rollBack(db);
    throw toStorageError(error, dirname(db.location() ?? 'memory'));
  }
}

/**
 * Runs `work` in one transaction, and does not wait for the disk. A kill loses nothing. A power cut may lose the
 * transaction, until the next synced transaction writes both to disk.
 */
export function unsyncedTransaction<T>(db: DatabaseSync, work: () => T): T {
  if (db.isTransaction) {
    return work();
  }
  db.exec('PRAGMA synchronous = NORMAL');
  try {
    return transaction(db, work);
  } finally {
    db.exec('PRAGMA synchronous = FULL');
  }
}

const STATEMENTS = new WeakMap<DatabaseSync, Map<string, StatementSync>>();

/**
 * The prepared statement of an SQL text, made when it is first used. To prepare a statement takes as long as to run it,
 * and most readers of a database use few of its statements. Use it only for `get`, `all` and `run`. To read rows one by
 * one, use `eachRow`.
 */
export function cachedStatement(db: DatabaseSync, sql: string): StatementSync {
  const known = STATEMENTS.get(db)?.get(sql);
  if (known) {
    return known;
  }
  const statement = db.prepare(sql);
  STATEMENTS.set(db, (STATEMENTS.get(db) ?? new Map()).set(sql, statement));
  return statement;
}

/**
 * The rows of a query, one by one. If the database was closed before the caller leaves its loop, this function does not
 * end the query, because SQLite would throw. Reading further rows then throws.
 */
export function* eachRow(db: DatabaseSync, sql: string, ...values: SQLInputValue[]): Generator<SqlRow> {
  const rows = db.prepare(sql).iterate(...values);
  try {
    for (let next = rows.next(); !next.done; next = rows.next()) {
      yield next.value;
    }
  } finally {
    if (db.isOpen) {
      rows.return?.();
    }
  }
}

/**
 * Creates an empty database file if there is none, and sets mode 0600. Sets the mode by the path. To set it on an open
 * file, svc would have to close the file again. That close releases all locks of this process on the database.
 */
export function makePrivateDatabase(path: string): void {
  if (!pathExists(path)) {
    closeSync(openSync(path, 'a', PRIVATE_FILE));
  }
  chmodSync(path, PRIVATE_FILE);
}

function requireFile(path: string): void {
  if (!pathExists(path)) {
    throw new SvcError(EXIT.usage, 'state_missing', `no such file: ${path}`);
  }
}

function configure(db: DatabaseSync): DatabaseSync {
  try {
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Undoes the open transaction. If the disk is full, SQLite has done that already, and no transaction is open. */
function rollBack(db: DatabaseSync): void {
  if (db.isTransaction) {
    db.exec('ROLLBACK');
  }
}
