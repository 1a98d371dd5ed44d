import { type BigIntStats, fstatSync, statSync } from 'node:fs';
import { EXIT, SvcError } from '../lib/errors.ts';

/** Returns an error if an open file is no longer at its path. Otherwise undefined. */
export type IdentityCheck = () => SvcError | undefined;

/**
 * Remembers the device and the inode of each file, and returns a check that they are still the same (D8). If the file
 * of a database was deleted, moved or replaced, SQLite reports no error, but loses everything that it writes after
 * that. Ignores a path without a file.
 */
export function createIdentityCheck(
  paths: readonly string[],
  hint = 'Put it back, then see what can continue: svc runs ls',
): IdentityCheck {
  const files = paths.map((path) => ({ path, identity: identityOf(path) }));
  const opened = files.filter(({ identity }) => identity !== undefined);
  return () => {
    const lost = opened.find(({ path, identity }) => identityOf(path) !== identity);
    return lost && new SvcError(EXIT.failed, STATE_LOST, messageOf(lost.path), { hint });
  };
}

/** True for the error of an `IdentityCheck`: a file is no longer at its path. */
export function isStateFolderLost(error: { readonly code: string } | undefined): boolean {
  return error?.code === STATE_LOST;
}

const STATE_LOST = 'state_lost';

function messageOf(path: string): string {
  return `stopped before the next request: ${path} was deleted, moved or replaced while svc was using it`;
}

/** The device and the inode of the file at a path. Undefined if there is no file, or if the path can't be read. */
export function identityOf(path: string): string | undefined {
  try {
    return identityFrom(statSync(path, { bigint: true }));
  } catch {
    return undefined;
  }
}

/** Device and inode of an open file. */
export function identityOfOpen(handle: number): string {
  return identityFrom(fstatSync(handle, { bigint: true }));
}

function identityFrom({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`;
}
