import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Emit } from '../../base/events.ts';
import type { Clock } from '../../base/lib/clock.ts';
import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { sha256Hex } from '../../base/lib/hash.ts';
import { createIdentityCheck, type IdentityCheck } from '../../base/os/file-identity.ts';
import { hasLock, isBusy, tryLock } from '../../base/os/file-lock.ts';
import { pathExists, writePrivateFile } from '../../base/os/files.ts';
import { makePrivateDatabase } from '../../base/os/sqlite.ts';
import { toStorageError } from '../../base/os/storage-error.ts';
import { createStateFolder, type RunFiles } from './state-folder.ts';

/** A lock of this process. The operating system releases it when the process ends, even after a kill. */
export interface Lock {
  /** Returns an error if the lock file was removed or replaced, because another process can then take the same lock. */
  readonly problemIfLost: IdentityCheck;
  release(): void;
}

/**
 * How to take a lock. `run` is the id of the run that takes it. Another process that does not get the lock shows this
 * id in its error.
 */
export interface LockOptions {
  readonly run: string;
  readonly waitMs: number;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  readonly emit?: Emit | undefined;
  /** The hint of the error. By default, it shows the flag that makes a command wait for the lock. */
  readonly hint?: string | undefined;
}

const POLL_MS = 1_000;
// If two processes take a lock at the same moment, both may fail. With this short wait, one of them gets it.
const SHORT_WAIT_MS = 100;
// The work of `runExclusively` is short, so a second process waits for it.
const EXCLUSIVE_WAIT_MS = 2_000;

/**
 * Locks a destination, so that no other run writes to it (I11). `destination` is the origin and the id of the audience
 * or automation. Waits up to `waitMs`. Then throws `busy`, and names the run that has the lock.
 */
export async function lockDestination(stateFolder: string, destination: string, options: LockOptions): Promise<Lock> {
  const path = join(createStateFolder(stateFolder).locks, `${sha256Hex(destination).slice(0, 32)}.db`);
  const lock = lockFor(path, options.run, SHORT_WAIT_MS) ?? (await waitForLock(path, options));
  if (!lock) {
    throw busyError(`${holderOf(path)} is working on this destination`, options.hint ?? 'To wait for it:\n--wait 10m');
  }
  return lock;
}

/**
 * Locks a run, so that no other process changes its record. Throws `busy` at once if another process has the lock. The
 * folder of the run must exist.
 */
export function lockRun(files: RunFiles, run: string): Lock {
  const lock = lockFor(files.lock, run, SHORT_WAIT_MS);
  if (!lock) {
    throw runBusyError(run);
  }
  return lock;
}

/**
 * Does `work` while no other process does work of the same `name`. If the other process takes too long, throws `busy`.
 */
export function runExclusively<T>(stateFolder: string, name: string, work: () => T): T {
  const lock = lockFor(join(createStateFolder(stateFolder).locks, `${name}.db`), undefined, EXCLUSIVE_WAIT_MS);
  if (!lock) {
    throw busyError('another process is starting the same kind of work', 'Try again.');
  }
  try {
    return work();
  } finally {
    lock.release();
  }
}

/** True while a process works on the run. Only checks the lock, and does not take it. */
export function isRunning(files: Pick<RunFiles, 'folder' | 'lock'>): boolean {
  if (hasLock(files.lock)) {
    return true;
  }
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(files.lock, { readOnly: true, timeout: 0 });
    db.prepare('SELECT 1 FROM sqlite_master').get();
    return false;
  } catch (error) {
    if (isBusy(error) || !pathExists(files.lock)) {
      return isBusy(error);
    }
    throw toStorageError(error, files.folder);
  } finally {
    db?.close();
  }
}

async function waitForLock(path: string, options: LockOptions): Promise<Lock | undefined> {
  const { clock, waitMs, signal, emit, run } = options;
  const until = clock.monotonic() + waitMs;
  if (waitMs > 0) {
    emit?.({ type: 'note', message: `${holderOf(path)} is working on this destination; waiting for it` });
    emit?.({ type: 'wait', reason: 'lock', ms: waitMs });
  }
  for (let remainingMs = waitMs; remainingMs > 0; remainingMs = until - clock.monotonic()) {
    await clock.sleep(Math.min(remainingMs, POLL_MS), signal);
    const lock = lockFor(path, run, 0);
    if (lock) {
      return lock;
    }
  }
  return undefined;
}

/** Takes a lock. A file beside the lock records which run has it. Undefined if another process has the lock. */
function lockFor(path: string, run: string | undefined, waitMs: number): Lock | undefined {
  const db = openLocked(path, waitMs);
  if (db && run !== undefined) {
    try {
      writePrivateFile(holderFile(path), JSON.stringify({ run }));
    } catch (error) {
      db.close();
      throw error;
    }
  }
  return db && releaseOnce(db, path);
}

function openLocked(path: string, waitMs: number): DatabaseSync | undefined {
  try {
    makePrivateDatabase(path);
    return tryLock(path, waitMs);
  } catch (error) {
    throw toStorageError(error, dirname(path));
  }
}

function releaseOnce(db: DatabaseSync, path: string): Lock {
  return {
    problemIfLost: createIdentityCheck([path]),
    release() {
      if (db.isOpen) {
        db.close();
      }
    },
  };
}

/** The run that has the lock, for messages. It may be outdated for a moment after another run took the lock. */
function holderOf(path: string): string {
  try {
    const { run } = JSON.parse(readFileSync(holderFile(path), 'utf8')) as { run?: unknown };
    return typeof run === 'string' ? run : 'another run';
  } catch {
    return 'another run';
  }
}

function holderFile(path: string): string {
  return path.replace(/\.db$/, '.json');
}

/** The error while another process works on the run. */
export function runBusyError(run: string): SvcError {
  return busyError(`another process is working on ${run}`, `svc runs show ${run}`);
}

function busyError(message: string, hint: string): SvcError {
  return new SvcError(EXIT.busy, 'busy', message, { hint });
}
