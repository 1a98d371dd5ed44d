import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { terminalSafe } from '../../base/lib/text.ts';
import { tryLock } from '../../base/os/file-lock.ts';
import { makePrivateDatabase } from '../../base/os/sqlite.ts';
import { toStorageError } from '../../base/os/storage-error.ts';

// How long to wait for another process that has the lock. Its work under the lock is short.
const WAIT_MS = 10_000;

/**
 * Does `work` under this lock. Waits up to 10 s while another process has the lock, and then throws `busy`. A kill
 * frees the lock. svc never deletes the lock file, because two processes could then work at once.
 */
export function withProfileLock(lockPath: string, work: () => void): void {
  const lock = lockAt(lockPath);
  if (!lock) {
    throw new SvcError(EXIT.busy, 'busy', `another process has ${terminalSafe(lockPath)} locked`, {
      hint: 'Wait until that process has ended, and run the same command again.',
    });
  }
  try {
    work();
  } finally {
    lock.close();
  }
}

function lockAt(lockPath: string): DatabaseSync | undefined {
  try {
    makePrivateDatabase(lockPath);
    return tryLock(lockPath, WAIT_MS);
  } catch (error) {
    throw toStorageError(error, dirname(lockPath));
  }
}
