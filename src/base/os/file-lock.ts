import { closeSync, constants, lstatSync, openSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { EXIT, SvcError } from '../lib/errors.ts';
import { terminalSafe } from '../lib/text.ts';
import { identityOf, identityOfOpen } from './file-identity.ts';
import { PRIVATE_FILE } from './files.ts';
import { toStorageError } from './storage-error.ts';

const SQLITE_BUSY = 5;
// If two programs take a lock at the same moment, both may fail. With this short wait, one of them gets it.
const SHORT_WAIT_MS = 100;
// The maximum number of attempts. svc tries again if another program removed the lock file at that moment.
const MAX_ATTEMPTS = 10;

/**
 * Locks a file. Waits up to `waitMs` for another process, and returns undefined if that process still has the lock. The
 * lock is an exclusive transaction of SQLite that stays open. The operating system releases it when the process ends,
 * even after a kill. Throws any other error of SQLite unchanged.
 */
export function tryLock(path: string, waitMs: number): DatabaseSync | undefined {
  const db = new DatabaseSync(path, { timeout: waitMs });
  try {
    db.exec('BEGIN EXCLUSIVE');
    keepOpen(db, path);
    return db;
  } catch (error) {
    db.close();
    if (isBusy(error)) {
      return undefined;
    }
    throw error;
  }
}

/**
 * The locks of this process, each with its path. Node closes a database to which no reference is left. Without this
 * map, a second process could take a lock that this one still needs (I11).
 */
const HELD = new Map<DatabaseSync, string>();

function keepOpen(lock: DatabaseSync, path: string): void {
  for (const held of HELD.keys()) {
    if (!held.isOpen) {
      HELD.delete(held);
    }
  }
  HELD.set(lock, path);
}

/** True if this process has the lock of the path. */
export function hasLock(path: string): boolean {
  return [...HELD].some(([lock, ofPath]) => lock.isOpen && ofPath === path);
}

/** True for an error of SQLite that means that another process has locked the database. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && Number(error.errcode) % 256 === SQLITE_BUSY;
}

/**
 * Does `work` while no other svc process writes these output files, which the user named. Each lock is a file beside
 * the output file. So it also stops an svc process with another state folder. Throws `busy` at once if another process
 * writes one of the files.
 */
export async function withOutputLocks<T>(paths: Iterable<string | undefined>, work: () => Promise<T>): Promise<T> {
  const locks: LockedFile[] = [];
  try {
    for (const path of new Set(paths)) {
      if (path !== undefined) {
        locks.push(lockFile(path));
      }
    }
    return await work();
  } finally {
    locks.forEach(release);
  }
}

interface LockedFile {
  readonly lockPath: string;
  readonly lock: DatabaseSync;
  /** The open lock file. While it is open, no other file can get its inode. */
  readonly handle: number;
}

/**
 * The lock files that this process has locked. The process must not open any of them again, because closing a file
 * releases all locks of the process on that file.
 */
const LOCKED_PATHS = new Set<string>();

function lockFile(path: string): LockedFile {
  const lockPath = resolve(join(dirname(path), `.${basename(path)}.lock`));
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const lock = lockAt(lockPath);
    if (lock === 'held') {
      break;
    }
    if (lock !== 'removed') {
      LOCKED_PATHS.add(lockPath);
      return lock;
    }
  }
  throw new SvcError(EXIT.busy, 'busy', `another process is writing ${terminalSafe(path)}`, {
    hint: 'Name another file, or wait until that process has ended.',
  });
}

/**
 * Opens the lock file, and creates it if needed. Throws if there is anything else than an empty file, because svc did
 * not make it (K8).
 */
function openLockFile(lockPath: string): number {
  const found = lstatSync(lockPath, { throwIfNoEntry: false });
  if (found && !(found.isFile() && found.size === 0)) {
    throw new SvcError(
      EXIT.usage,
      'bad_output',
      `svc did not make ${terminalSafe(lockPath)}, so it can't lock the output file with it`,
      {
        hint: 'Remove it, or name another file.',
      },
    );
  }
  try {
    return openSync(lockPath, constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0), PRIVATE_FILE);
  } catch (error) {
    throw outputError(error, lockPath);
  }
}

/**
 * Takes the lock. `held`: this or another process has the lock. `removed`: another process deleted the lock file after
 * this one opened it, so this lock would stop no other process. The file stays open until the lock is released, because
 * a new file may get the inode of a deleted one.
 */
function lockAt(lockPath: string): LockedFile | 'held' | 'removed' {
  if (LOCKED_PATHS.has(lockPath)) {
    return 'held';
  }
  const handle = openLockFile(lockPath);
  const opened = identityOfOpen(handle);
  const isRemoved = () => identityOf(lockPath) !== opened;
  let lock: DatabaseSync | undefined;
  let result: LockedFile | 'held' | 'removed' = 'removed';
  try {
    lock = tryLock(lockPath, SHORT_WAIT_MS);
    if (!isRemoved()) {
      result = lock ? { lockPath, lock, handle } : 'held';
    }
  } catch (error) {
    if (!isRemoved()) {
      throw outputError(error, lockPath);
    }
  } finally {
    if (typeof result === 'string') {
      lock?.close();
      closeSync(handle);
    }
  }
  return result;
}

/**
 * The error if svc can't make the lock file. If the folder is not writable, it is a usage error, because the user named
 * an output file in that folder. Its hint is not about the state folder.
 */
function outputError(error: unknown, path: string): unknown {
  const problem = toStorageError(error, dirname(path));
  return problem instanceof SvcError && problem.code === 'state_unwritable'
    ? new SvcError(EXIT.usage, 'bad_output', problem.message, { hint: 'Name a file in another folder.', cause: error })
    : problem;
}

/** Deletes the lock file before it is unlocked, so that svc never deletes the lock of another program. */
function release({ lockPath, lock, handle }: LockedFile): void {
  try {
    rmSync(lockPath, { force: true });
  } catch {
    // If the lock file stays, it does no harm, because it is not locked.
  } finally {
    lock.close();
    closeSync(handle);
    LOCKED_PATHS.delete(lockPath);
  }
}
