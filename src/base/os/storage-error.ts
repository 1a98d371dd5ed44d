import { closeSync, openSync } from 'node:fs';
import { EXIT, errorCode, SvcError, toBugError } from '../lib/errors.ts';

const DISK_FULL = ['ENOSPC', 'EDQUOT', 'EFBIG'];
const TOO_MANY_FILES = ['EMFILE', 'ENFILE'];

// Primary result codes of SQLite: BUSY, LOCKED, PROTOCOL. The low byte of an extended code is its primary code.
const SQLITE_HELD_CODES = [5, 6, 15];
const SQLITE_FULL = 13;
// The only extended code that means a full disk: there is no space for the index of the write-ahead log.
const SQLITE_IOERR_SHMSIZE = 10 | (19 << 8);
// PERM, NOMEM, READONLY, IOERR, CANTOPEN, NOLFS. They mean a problem of the machine, and never a bug of svc.
const SQLITE_UNWRITABLE = [3, 7, 8, 10, 14, 22];
const SQLITE_DAMAGED = [11, 26];

/**
 * Turns an error of reading or writing in `folder` into an SvcError (D2, D9). An error of the operating system or of
 * SQLite gets one of these codes: `disk_full`, `too_many_files`, `state_unwritable`, `state_damaged` or `state_busy`.
 * Returns any other error unchanged. The caller throws the result.
 */
export function toStorageError(cause: unknown, folder: string): unknown {
  const problem = problemKind(cause);
  return problem && cause instanceof Error
    ? new SvcError(EXIT.failed, problem, messageOf(problem, folder, cause), { hint: HINTS[problem], cause })
    : cause;
}

/**
 * Turns an error that no other code handled into an SvcError. For an error of the operating system or of a database
 * file, the exit code is 1 (D9). Its code is `system_error`, or one of the codes of `toStorageError`. Any other error
 * is a bug of svc, with exit code 70.
 */
export function toSvcError(error: unknown): SvcError {
  if (error instanceof SvcError) {
    return error;
  }
  const problem = problemKind(error);
  if (!problem || !(error instanceof Error)) {
    return toBugError(error);
  }
  const code = problem === 'state_unwritable' ? 'system_error' : problem;
  return new SvcError(EXIT.failed, code, `${MACHINE_MESSAGES[problem]}: ${error.message}`, {
    hint: problem === 'state_unwritable' ? 'run the same command again' : HINTS[problem],
    cause: error,
  });
}

/**
 * Throws SvcError `too_many_files` if this process can't open `count` more files at once. Called before the first
 * request, because a run that reaches the limit later could not record what it did (D2, D9).
 */
export function requireFreeFileHandles(count: number): void {
  const handles: number[] = [];
  try {
    while (handles.length < count) {
      handles.push(openSync('/dev/null', 'r'));
    }
  } catch (error) {
    if (TOO_MANY_FILES.includes(errorCode(error))) {
      const message = `this program may open only ${handles.length} more files and needs ${count}; nothing was done`;
      throw new SvcError(EXIT.failed, 'too_many_files', message, {
        hint: 'Raise the limit and run the same command again: ulimit -n 1024',
        cause: error,
      });
    }
  } finally {
    handles.forEach((handle) => closeSync(handle));
  }
}

/** What is wrong with this machine, for the code of an error. Undefined if the machine is not the cause. */
export function machineProblem(code: string | undefined): string | undefined {
  return Object.entries(MACHINE_MESSAGES).find(([problem]) => problem === code)?.[1];
}

/** Throws the error if it is a bug of svc. Used for work that may fail without harm. */
export function throwIfBug(error: unknown): void {
  if (toSvcError(error).exit === EXIT.bug) {
    throw error;
  }
}

/**
 * True for a problem of the machine that may be over at the next attempt, such as a full disk. False for a damaged
 * file, which stays damaged.
 */
export function isTransient(error: unknown): boolean {
  return error instanceof SvcError && TRANSIENT.has(error.code);
}

const TRANSIENT: ReadonlySet<string> = new Set([
  'disk_full',
  'too_many_files',
  'state_unwritable',
  'state_busy',
  'system_error',
]);

/**
 * The code for a damaged database file. SQLite also reports damage after some failed reads of a file that is not
 * damaged.
 */
export const STATE_DAMAGED_CODE = 'state_damaged';

type Problem = 'disk_full' | 'too_many_files' | 'state_unwritable' | typeof STATE_DAMAGED_CODE | 'state_busy';

const HINTS: Readonly<Record<Problem, string>> = {
  disk_full: 'free some space there and run the same command again',
  too_many_files: 'raise the limit and run the same command again: ulimit -n 1024',
  state_unwritable: 'make it readable and writable for you; another state folder is named with --state-dir <dir>',
  state_damaged: 'svc runs ls shows which runs can still be read',
  state_busy: 'try again in a moment',
};

const MACHINE_MESSAGES: Readonly<Record<Problem, string>> = {
  disk_full: 'the disk is full',
  too_many_files: 'this program may not open more files',
  state_unwritable: "a file can't be read or written",
  state_damaged: 'a file is damaged',
  state_busy: 'another program holds a file',
};

function messageOf(problem: Problem, folder: string, cause: Error): string {
  const messages: Readonly<Record<Problem, string>> = {
    disk_full: `no space left in ${folder}; svc does nothing that it cannot record`,
    too_many_files: `can't open a file in ${folder}: this program may not open more files`,
    state_unwritable: `can't read or write in ${folder}: ${cause.message}`,
    state_damaged: `damaged file in ${folder}: ${cause.message}`,
    state_busy: `another program holds a file in ${folder}`,
  };
  return messages[problem];
}

function problemKind(cause: unknown): Problem | undefined {
  return cause instanceof Error && !(cause instanceof SvcError)
    ? (fileProblem(cause) ?? sqliteProblem(cause))
    : undefined;
}

/**
 * The problem of a failed system call. There are many error codes, and they differ between systems. So each counts as
 * `state_unwritable`, except those for a full disk and for too many open files.
 */
function fileProblem(cause: Error): Problem | undefined {
  const code = errorCode(cause);
  if (DISK_FULL.includes(code)) {
    return 'disk_full';
  }
  if (TOO_MANY_FILES.includes(code)) {
    return 'too_many_files';
  }
  // Node has no name for some error numbers. The code is empty then, and only `syscall` and `errno` show the cause.
  const isOfSystemCall = 'syscall' in cause && 'errno' in cause;
  const isOfSystem = isOfSystemCall || /^E[A-Z0-9]+$/.test(code) || MACHINE_CODES.includes(code);
  return isOfSystem ? 'state_unwritable' : undefined;
}

// Codes that Node uses if the operating system refuses something.
const MACHINE_CODES = ['ERR_SYSTEM_ERROR', 'ERR_WORKER_INIT_FAILED', 'ERR_MEMORY_ALLOCATION_FAILED', 'ERR_FS_EISDIR'];

function sqliteProblem(cause: Error): Problem | undefined {
  const extended = 'errcode' in cause && typeof cause.errcode === 'number' ? cause.errcode : 0;
  const code = extended & 0xff;
  if (code === SQLITE_FULL || extended === SQLITE_IOERR_SHMSIZE) {
    return 'disk_full';
  }
  if (SQLITE_HELD_CODES.includes(code)) {
    return 'state_busy';
  }
  if (SQLITE_DAMAGED.includes(code)) {
    return STATE_DAMAGED_CODE;
  }
  return SQLITE_UNWRITABLE.includes(code) ? 'state_unwritable' : undefined;
}
