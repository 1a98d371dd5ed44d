import { closeSync, constants, fstatSync, ftruncateSync, lstatSync, openSync, realpathSync, statSync } from 'node:fs';
import { normalize } from 'node:path';
import { replaceFile, writeAll } from './files.ts';
import { isForeign, type User } from './ownership.ts';

// Names of what is open already: its owner is whoever started the program.
const STREAMS = /^\/(?:dev\/(?:stdout|stderr|fd\/\d+)|proc\/self\/fd\/\d+)$/;

/** Why a file that a flag names must not be written: it, or the link to it, is another user's (K8). Undefined: it may. */
export function whyForeign(path: string, user: User): string | undefined {
  const link = lstatSync(path, { throwIfNoEntry: false });
  if (!link || STREAMS.test(path)) {
    return undefined;
  }
  if (link.isSymbolicLink() && isForeign(link, user)) {
    return 'it is a link of another user';
  }
  const target = statSync(path, { throwIfNoEntry: false });
  const isTheirs = target?.isFile()
    ? user !== undefined && target.uid !== user
    : target?.isFIFO() && isForeign(target, user);
  return isTheirs ? 'it belongs to another user' : undefined;
}

/**
 * Writes a whole file that a flag names, in one step; devices and pipes are written to as they are. A new file is 0600, an
 * own one keeps its mode. Throws what the system says, and an Error where the file is another user's (K8).
 */
export function writeOutput(path: string, data: string | Uint8Array, user: User): void {
  const why = whyForeign(path, user);
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
    if (
      !found ||
      !(error instanceof Error) ||
      !('code' in error) ||
      !['EACCES', 'EPERM'].includes(String(error.code))
    ) {
      throw error;
    }
    writeInPlace(target, data, user);
  }
}

/** For an own file in a folder in which nothing may be made. */
function writeInPlace(path: string, data: string | Uint8Array, user: User): void {
  const handle = openSync(path, constants.O_WRONLY | constants.O_NOFOLLOW);
  const stat = fstatSync(handle);
  if (!stat.isFile() || (user !== undefined && stat.uid !== user)) {
    closeSync(handle);
    throw new Error('it belongs to another user');
  }
  ftruncateSync(handle);
  writeInto(handle, data);
}

function writeInto(handle: number, data: string | Uint8Array): void {
  try {
    writeAll(handle, typeof data === 'string' ? Buffer.from(data) : data);
  } finally {
    closeSync(handle);
  }
}

/** Every name of standard input: what a flag takes for it, and where the system shows it. */
const STDIN_NAMES: ReadonlySet<string> = new Set([
  '-',
  '/dev/stdin',
  '/dev/fd/0',
  '/proc/self/fd/0',
  '/proc/thread-self/fd/0',
]);

/** True for standard input by any of its names, with detours such as `/dev/../dev/stdin`. It can be read once only. */
export function isStdinName(path: string | undefined): boolean {
  return path !== undefined && STDIN_NAMES.has(normalize(path));
}
