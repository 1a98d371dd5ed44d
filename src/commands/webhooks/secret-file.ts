import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { UserId } from '../../base/context.ts';
import { EXIT, errorCode, SvcError } from '../../base/lib/errors.ts';
import { sha256Hex } from '../../base/lib/hash.ts';
import { terminalSafe } from '../../base/lib/text.ts';
import { PRIVATE_FILE, syncFolder } from '../../base/os/files.ts';
import { type Exposure, fileExposure, folderExposure } from '../../base/os/ownership.ts';
import { toStorageError } from '../../base/os/storage-error.ts';

/** The open file for the secret of a webhook endpoint. The file itself is on disk already. */
export interface SecretFile {
  readonly path: string;
  readonly isFilled: boolean;
  /** Writes the secret, without a line break. It is on disk when this returns. */
  writeSecret(secret: string): void;
  /** Removes the secret from the file. Called if the endpoint was deleted. */
  removeSecret(): void;
  /** Deletes the file if this process created it and it is still empty. */
  discard(): void;
  close(): void;
}

/** Which file may be used: its owner, and the hash of the secret that it may already have. */
interface AcceptedSecretFile {
  readonly user: UserId;
  readonly hash?: string | undefined;
}

/**
 * Creates the file with mode 0600 and syncs it, before any request (W1). Accepts an empty file, because a failed
 * attempt may leave one. Accepts a file whose secret has this hash, because a killed run may leave one. Throws for any
 * other file, for a link, and for a file that other users can write or replace (K8).
 */
export function openSecretFile(path: string, { user, hash }: AcceptedSecretFile): SecretFile {
  refuseExposed(path, folderExposure(dirname(path), user));
  const { handle, isNew, isFilled } = openOwn(path, { user, hash });
  fchmodSync(handle, PRIVATE_FILE);
  fsyncSync(handle);
  syncFolder(dirname(path));
  let hasSecret = isFilled;
  return {
    path,
    get isFilled() {
      return hasSecret;
    },
    writeSecret(secret) {
      if (!leadsToOpenFile(path, handle)) {
        throw unusableFileError(path, 'another program replaced or deleted it');
      }
      refuseExposed(path, fileExposure(path, fstatSync(handle), user));
      if (fstatSync(handle).size > 0) {
        throw unusableFileError(path, 'another program wrote into it');
      }
      try {
        writeFromStart(handle, Buffer.from(secret));
        fsyncSync(handle);
        hasSecret = true;
      } catch (error) {
        throw toStorageError(error, dirname(path));
      }
    },
    removeSecret() {
      ftruncateSync(handle, 0);
      fsyncSync(handle);
      hasSecret = false;
    },
    discard() {
      if (isNew && !hasSecret && leadsToOpenFile(path, handle) && fstatSync(handle).size === 0) {
        rmSync(path, { force: true });
      }
    },
    close() {
      try {
        closeSync(handle);
      } catch {
        // An error loses nothing, because each write was synced before.
      }
    },
  };
}

function leadsToOpenFile(path: string, handle: number): boolean {
  const [atPath, open] = [lstatSync(path, { throwIfNoEntry: false }), fstatSync(handle)];
  return atPath !== undefined && atPath.ino === open.ino && atPath.dev === open.dev;
}

/** Writes at the start of the file, because an earlier read moved the position in the file. */
function writeFromStart(handle: number, bytes: Buffer): void {
  for (let position = 0; position < bytes.byteLength; ) {
    position += writeSync(handle, bytes, position, bytes.byteLength - position, position);
  }
}

function openOwn(path: string, { user, hash }: AcceptedSecretFile) {
  const { O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  try {
    return { handle: openSync(path, O_RDWR | O_CREAT | O_EXCL, PRIVATE_FILE), isNew: true, isFilled: false };
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') {
      throw unusableFileError(path, 'it cannot be created there', error);
    }
  }
  const handle = openExisting(path, O_RDWR | O_NOFOLLOW);
  const stat = fstatSync(handle);
  const isFilled = stat.isFile() && stat.size > 0;
  if (!stat.isFile() || (isFilled && secretHash(readFileSync(handle, 'utf8')) !== hash)) {
    closeSync(handle);
    throw unusableFileError(path, stat.isFile() ? 'it is not empty' : 'it is not a regular file');
  }
  const exposure = fileExposure(path, stat, user);
  if (exposure) {
    closeSync(handle);
    refuseExposed(path, exposure);
  }
  return { handle, isNew: false, isFilled };
}

function refuseExposed(path: string, exposure: Exposure | undefined): void {
  if (exposure) {
    throw new SvcError(
      EXIT.usage,
      'secret_file',
      `--secret-file ${terminalSafe(path)}: ${terminalSafe(exposure.why)}`,
      {
        hint: `Other users could read the signing secret. ${exposure.fix}`,
      },
    );
  }
}

/** A hash of a secret. Hashes tell secrets apart, but do not show them. */
export function secretHash(secret: string): string {
  return sha256Hex(secret);
}

function openExisting(path: string, flags: number): number {
  try {
    return openSync(path, flags);
  } catch (error) {
    throw unusableFileError(path, errorCode(error) === 'ELOOP' ? 'it is a link' : 'it cannot be written', error);
  }
}

function unusableFileError(path: string, why: string, cause?: unknown): SvcError {
  return new SvcError(EXIT.usage, 'secret_file', `--secret-file ${terminalSafe(path)}: ${why}`, {
    hint: 'Name a file that does not exist yet.',
    cause,
  });
}
