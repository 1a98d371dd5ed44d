import { closeSync, constants, fchmodSync, fstatSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { SvcError } from '../../base/errors.ts';
import { EXIT } from '../../base/exit.ts';
import { PRIVATE_FILE } from '../../base/files.ts';
import { storageError } from '../../base/storage-error.ts';
import { safe } from '../../base/text.ts';

/** An empty file of ours that waits for a secret. Its place on the disk is certain. */
export interface SecretFile {
  readonly path: string;
  /** Writes the secret, without a newline, and syncs it. */
  fill(secret: string): void;
  /** Takes away the empty file if it was made here. */
  discard(): void;
  close(): void;
}

/**
 * Makes the file 0600 and syncs it, before anything is asked of the service (rule W1). An empty file is taken as it is,
 * which is what a failed attempt left; any other is refused, and so is a link.
 */
export function openSecretFile(path: string): SecretFile {
  const { handle, isNew } = openEmpty(path);
  fchmodSync(handle, PRIVATE_FILE);
  fsyncSync(handle);
  syncFolder(dirname(path));
  let filled = false;
  return {
    path,
    fill(secret) {
      if (fstatSync(handle).size > 0) {
        throw unusable(path, 'somebody else wrote into it');
      }
      try {
        writeAll(handle, Buffer.from(secret));
        fsyncSync(handle);
        filled = true;
      } catch (error) {
        throw storageError(error, dirname(path));
      }
    },
    discard() {
      if (isNew && !filled) {
        rmSync(path, { force: true });
      }
    },
    close: () => closeSync(handle),
  };
}

function writeAll(handle: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.byteLength; ) {
    at += writeSync(handle, bytes, at, bytes.byteLength - at, at);
  }
}

function openEmpty(path: string): { readonly handle: number; readonly isNew: boolean } {
  const { O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  try {
    return { handle: openSync(path, O_RDWR | O_CREAT | O_EXCL, PRIVATE_FILE), isNew: true };
  } catch (error) {
    if (!isCode(error, 'EEXIST')) {
      throw unusable(path, 'it cannot be made there', error);
    }
  }
  const handle = openExisting(path, O_RDWR | O_NOFOLLOW);
  const stat = fstatSync(handle);
  if (!stat.isFile() || stat.size > 0) {
    closeSync(handle);
    throw unusable(path, stat.isFile() ? 'it holds something already' : 'it is no file');
  }
  return { handle, isNew: false };
}

function openExisting(path: string, flags: number): number {
  try {
    return openSync(path, flags);
  } catch (error) {
    throw unusable(path, isCode(error, 'ELOOP') ? 'it is a link' : 'it cannot be written', error);
  }
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function unusable(path: string, why: string, cause?: unknown): SvcError {
  return new SvcError(EXIT.usage, 'secret_file', `--secret-file ${safe(path)}: ${why}`, {
    hint: 'Name a file that does not exist yet.',
    cause,
  });
}
