import { closeSync, constants, fstatSync, ftruncateSync, lstatSync, openSync, realpathSync, statSync } from 'node:fs';
import { normalize } from 'node:path';
import type { UserId } from '../context.ts';
import { errorCode } from '../lib/errors.ts';
import { replaceFile, writeAll } from './files.ts';
import { isOwnedByOther } from './ownership.ts';

// Matches paths of streams that are open already. The program that started svc opened them, so svc checks no owner.
const STREAMS = /^\/(?:dev\/(?:stdout|stderr|fd\/\d+)|proc\/self\/fd\/\d+)$/;

/**
 * Why svc must not write a file that a flag names: the file, or the link to it, belongs to another user (K8). Undefined
 * if svc may write it.
 */
export function reasonNotToOverwrite(path: string, user: UserId): string | undefined {
  const link = lstatSync(path, { throwIfNoEntry: false });
  if (!link || STREAMS.test(path)) {
    return undefined;
  }
  if (link.isSymbolicLink() && isOwnedByOther(link, user)) {
    return 'it is a link of another user';
  }
  const target = statSync(path, { throwIfNoEntry: false });
  const isTheirs = target?.isFile()
    ? user !== undefined && target.uid !== user
    : target?.isFIFO() && isOwnedByOther(target, user);
  return isTheirs ? 'it belongs to another user' : undefined;
}

/**
 * Replaces a file that a flag names. Writes directly to a device or pipe. A new file gets mode 0600. An existing file
 * keeps its mode, except that other users can't write to it any more. Throws the error of the system, or an Error if
 * the file belongs to another user (K8).
 */
export function writeOutputFile(path: string, data: string | Uint8Array, user: UserId): void {
  const why = reasonNotToOverwrite(path, user);
  if (why !== undefined) {
    throw new Error(why);
  }
  const found = statSync(path, { throwIfNoEntry: false });
  if (found && (STREAMS.test(path) || !found.isFile())) {
    writeInto(openSync(path, constants.O_WRONLY | constants.O_APPEND), data);
    return;
  }
  const target = found ? realpathSync(path) : path;
  try {
    replaceFile(target, data, found ? found.mode & 0o755 : undefined);
  } catch (error) {
    if (!found || !['EACCES', 'EPERM'].includes(errorCode(error))) {
      throw error;
    }
    writeInPlace(target, data, user);
  }
}

/**
 * Overwrites a file of this user directly. Used in a folder without write permission, where svc can't make a temporary
 * file.
 */
function writeInPlace(path: string, data: string | Uint8Array, user: UserId): void {
  const handle = openSync(path, constants.O_WRONLY | constants.O_NOFOLLOW);
  const stat = fstatSync(handle);
  if (!stat.isFile() || (user !== undefined && stat.uid !== user)) {
    closeSync(handle);
    throw new Error('it belongs to another user');
  }
  ftruncateSync(handle);
  writeInto(handle, data);
}

/** True for a path of a file, or of no file yet. False for a device, a pipe or an open stream. */
export function isFilePath(path: string): boolean {
  return !STREAMS.test(path) && statSync(path, { throwIfNoEntry: false })?.isFile() !== false;
}

function writeInto(handle: number, data: string | Uint8Array): void {
  try {
    writeAll(handle, data);
  } finally {
    closeSync(handle);
  }
}

/** The names of standard input: `-`, and its paths on Linux and macOS. */
const STDIN_NAMES: ReadonlySet<string> = new Set([
  '-',
  '/dev/stdin',
  '/dev/fd/0',
  '/proc/self/fd/0',
  '/proc/thread-self/fd/0',
]);

/** True if the path means standard input, also as `/dev/../dev/stdin`. Standard input can be read only once. */
export function isStdinName(path: string | undefined): boolean {
  return path !== undefined && STDIN_NAMES.has(normalize(path));
}
