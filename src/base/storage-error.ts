import { SvcError } from './errors.ts';
import { EXIT } from './exit.ts';

const DISK_FULL = ['ENOSPC', 'EDQUOT', 'EFBIG'];
const UNWRITABLE = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EISDIR', 'EIO', 'ENOENT', 'EEXIST', 'ELOOP'];

// Primary result codes of SQLite; the low byte of an extended code is its primary one.
const SQLITE_BUSY = 5;
const SQLITE_FULL = 13;
// Of the extended codes only this one says that there is no room: for the index of the write-ahead log.
const SQLITE_IOERR_SHMSIZE = 10 | (19 << 8);
const SQLITE_UNWRITABLE = [3, 8, 10, 14];
const SQLITE_DAMAGED = [11, 26];

/**
 * The cause in words when it says that `folder` can't be written or read: codes `disk_full`, `state_unwritable`,
 * `state_damaged`, `state_busy` (rule D2). Any other cause comes back as it is, for the caller to throw.
 */
export function storageError(cause: unknown, folder: string): unknown {
  if (!(cause instanceof Error) || cause instanceof SvcError) {
    return cause;
  }
  const word = fileProblem(cause) ?? sqliteProblem(cause);
  return word ? new SvcError(EXIT.failed, word, messageOf(word, folder, cause), { hint: HINTS[word], cause }) : cause;
}

type Problem = 'disk_full' | 'state_unwritable' | 'state_damaged' | 'state_busy';

const HINTS: Readonly<Record<Problem, string>> = {
  disk_full: 'free some space there and run the same command again: it goes on where it stopped',
  state_unwritable: 'make it readable and writable for you; another state folder is named with --state-dir <dir>',
  state_damaged: 'svc runs ls shows which runs can still be read',
  state_busy: 'try again in a moment',
};

function messageOf(problem: Problem, folder: string, cause: Error): string {
  const messages: Readonly<Record<Problem, string>> = {
    disk_full: `no space left in ${folder}; nothing is sent that could not be recorded`,
    state_unwritable: `can't read or write in ${folder}: ${cause.message}`,
    state_damaged: `damaged file in ${folder}: ${cause.message}`,
    state_busy: `another program holds a file in ${folder}`,
  };
  return messages[problem];
}

function fileProblem(cause: Error): Problem | undefined {
  const code = 'code' in cause ? String(cause.code) : '';
  if (DISK_FULL.includes(code)) {
    return 'disk_full';
  }
  return UNWRITABLE.includes(code) ? 'state_unwritable' : undefined;
}

function sqliteProblem(cause: Error): Problem | undefined {
  const extended = 'errcode' in cause && typeof cause.errcode === 'number' ? cause.errcode : 0;
  const code = extended & 0xff;
  if (code === SQLITE_FULL || extended === SQLITE_IOERR_SHMSIZE) {
    return 'disk_full';
  }
  if (code === SQLITE_BUSY) {
    return 'state_busy';
  }
  if (SQLITE_DAMAGED.includes(code)) {
    return 'state_damaged';
  }
  return SQLITE_UNWRITABLE.includes(code) ? 'state_unwritable' : undefined;
}
