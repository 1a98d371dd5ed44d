import { closeSync, constants, lstatSync, openSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { EXIT, SvcError } from '../lib/errors.ts';
import { terminalSafe } from '../lib/text.ts';
import { identityOf, identityOfOpen } from './file-identity.ts';
import { PRIVATE_FILE } from './files.ts';
import { toStorageError } from './storage-error.ts';

const SQLITE_BUSY = 5;
// If two programs ask at the same time, both may fail. After a short wait one of them succeeds.
const SHORT_WAIT_MS = 100;
// Each further attempt means that another program removed its lock file in the same moment.
const MAX_ATTEMPTS = 10;

/**
 * Locks a file. Waits up to `waitMs`; undefined if another process still holds the lock. The lock is an open exclusive
 * transaction of SQLite: the operating system releases it when the process ends, also after a kill. Throws the error of
 * the system.
 */
export function tryLock(path: string, waitMs: number): DatabaseSync | undefined {
  const db = new DatabaseSync(path, { timeout: waitMs });
  try {
    db.exec('BEGIN EXCLUSIVE');
    return db;
  } catch (error) {
    db.close();
    if (isBusy(error)) {
      return undefined;
    }
    throw error;
  }
}

/** True for the error of SQLite that another process holds the database. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && Number(error.errcode) % 256 === SQLITE_BUSY;
}

/**
 * Does `work` while no other svc writes these output files, which the user named. Each lock is a file beside the output
 * file, so it also holds against an svc with another state folder. Throws `busy` at once if another svc writes one of
 * them.
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
  /** The open lock file. While it is open, no other file gets its inode. */
  readonly handle: number;
}

/**
 * The lock files that this process holds. It must not open such a file again: closing any descriptor of a file releases
 * all locks of this process on that file.
 */
const LOCKED_PATHS = new Set<string>();

function lockFile(path: string): LockedFile {
  const place = resolve(join(dirname(path), `.${basename(path)}.lock`));
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const lock = lockAt(place);
    if (lock === 'held') {
      break;
    }
    if (lock !== 'removed') {
      LOCKED_PATHS.add(place);
      return lock;
    }
  }
  throw new SvcError(EXIT.busy, 'busy', `another process is writing ${terminalSafe(path)}`, {
    hint: 'Name another file, or wait until that process has ended.',
  });
}

/**
 * Opens the lock file, and creates it if needed. Throws if there is anything but an empty file, because svc did not
 * make it (K8).
 */
function openLockFile(place: string): number {
  const found = lstatSync(place, { throwIfNoEntry: false });
  if (found && !(found.isFile() && found.size === 0)) {
    throw new SvcError(
      EXIT.usage,
      'bad_output',
      `svc did not make ${terminalSafe(place)}, so it can't lock the output file with it`,
      {
        hint: 'Remove it, or name another file.',
      },
    );
  }
  try {
    return openSync(place, constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0), PRIVATE_FILE);
  } catch (error) {
    throw outputError(error, place);
  }
}

/**
 * Takes the lock. `held`: this or another process has the lock. `removed`: the last holder deleted the lock file after
 * this process opened it, so this lock would stop no other process. The file stays open until its lock is released,
 * because a new file may get the inode of a deleted one.
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
 * The error if no lock file can be made: the user named a file in a folder without write permission. So it is a usage
 * error, and its hint is about the output file, not about the state folder.
 */
function outputError(error: unknown, place: string): unknown {
  const problem = toStorageError(error, dirname(place));
  return problem instanceof SvcError && problem.code === 'state_unwritable'
    ? new SvcError(EXIT.usage, 'bad_output', problem.message, { hint: 'Name a file in another folder.', cause: error })
    : problem;
}

/** Removes the lock file while it is still locked, so that no lock of another program is removed. */
function release({ lockPath, lock, handle }: LockedFile): void {
  try {
    rmSync(lockPath, { force: true });
  } catch {
    // A lock file that stays is harmless: it is not locked.
  } finally {
    lock.close();
    closeSync(handle);
    LOCKED_PATHS.delete(lockPath);
  }
}
