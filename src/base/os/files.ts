import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { EXIT, SvcError } from '../lib/errors.ts';
import { STICKY } from './ownership.ts';
import { toStorageError } from './storage-error.ts';

/** Modes of all files and folders that svc makes: only the owner may read them (D6). */
export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;

const BUFFERED_BYTES = 64 * 1024;

/** True if the path exists. Throws if that is unknown, for example on a failing disk. */
export function pathExists(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    throw toStorageError(error, dirname(path));
  }
}

/**
 * Creates the folder and its parents with mode 0700, and sets the mode of an existing folder. Refuses a shared folder
 * such as /tmp, because that mode would lock other users out.
 */
export function ensurePrivateFolder(path: string): void {
  try {
    createFolders(path);
    refuseShared(path);
    chmodSync(path, PRIVATE_FOLDER);
  } catch (error) {
    throw toStorageError(error, path);
  }
}

/** True if there is a folder at this path, or a link to one. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/**
 * Creates the folder and its parents with mode 0700. Node's recursive `mkdirSync` would loop forever where the system
 * says ENOENT although the parent exists, as in /proc.
 */
export function createFolders(path: string): void {
  if (isFolder(path)) {
    return;
  }
  if (dirname(path) !== path) {
    createFolders(dirname(path));
  }
  try {
    mkdirSync(path, { mode: PRIVATE_FOLDER });
  } catch (error) {
    // Another process may have created the folder meanwhile.
    if (!isFolder(path)) {
      throw error;
    }
  }
}

/**
 * Replaces the file atomically with mode 0600: after a crash it holds either the old bytes or the new bytes. Follows a
 * link at `path`. Writes to a device or pipe directly.
 */
export function writePrivateFile(path: string, data: string | Uint8Array): void {
  let target = path;
  try {
    target = pathExists(path) ? realpathSync(path) : path;
    if (isSpecial(target)) {
      writeFileSync(target, data);
      return;
    }
    replaceFile(target, data);
  } catch (error) {
    throw toStorageError(error, dirname(target));
  }
}

/** Deletes a temporary folder. An error here must not hide the error of the write itself. */
function removeQuietly(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // The temporary folder stays, which is harmless.
  }
}

/** Replaces a file atomically. At a link, it replaces the link itself. Throws the error of the system. */
export function replaceFile(path: string, data: string | Uint8Array, mode = PRIVATE_FILE): void {
  const folder = dirname(path);
  const draftFolder = mkdtempSync(join(folder, '.draft-'));
  try {
    const draft = join(draftFolder, basename(path));
    writeSynced(draft, data);
    chmodSync(draft, mode);
    renameSync(draft, path);
  } finally {
    removeQuietly(draftFolder);
  }
  // A power cut may undo the rename until the folder is synced.
  syncFolder(folder);
}

function isSpecial(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && !found.isFile() && !found.isDirectory();
}

/** A file that is written from start to end. Its data is on disk only after `close`. */
export interface PrivateWriter {
  readonly path: string;
  write(data: string | Uint8Array): void;
  close(): void;
}

/** Opens a file for writing with mode 0600. `append` keeps the existing content; otherwise the file is emptied. */
export function openPrivateWriter(path: string, options: { readonly append?: boolean } = {}): PrivateWriter {
  const guard = storageGuard(dirname(path));
  const handle = guard(() => openPrivate(path, options.append ? 'a' : 'w'));
  let waiting: Uint8Array[] = [];
  let bytes = 0;
  const flush = () => {
    const data = Buffer.concat(waiting);
    waiting = [];
    bytes = 0;
    guard(() => writeAll(handle, data));
  };
  return {
    path,
    write(data) {
      const part = typeof data === 'string' ? Buffer.from(data) : data;
      waiting.push(part);
      bytes += part.byteLength;
      if (bytes >= BUFFERED_BYTES) {
        flush();
      }
    },
    close() {
      try {
        flush();
        guard(() => fsyncSync(handle));
      } finally {
        closeSync(handle);
      }
    },
  };
}

function refuseShared(path: string): void {
  if (statSync(path).mode & STICKY) {
    throw new SvcError(EXIT.usage, 'state_shared', `${path} is shared with other users`, {
      hint: `Name a folder that only svc uses: ${join(path, 'svc')}`,
    });
  }
}

function storageGuard(folder: string): <T>(work: () => T) => T {
  return (work) => {
    try {
      return work();
    } catch (error) {
      throw toStorageError(error, folder);
    }
  };
}

function writeSynced(path: string, data: string | Uint8Array): void {
  const handle = openPrivate(path, 'w');
  try {
    writeAll(handle, data);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Opens a file and sets mode 0600. Does not follow a link: it may lead to the file of another user (K8). */
function openPrivate(path: string, flags: 'a' | 'w'): number {
  const { O_WRONLY, O_CREAT, O_NOFOLLOW, O_APPEND, O_TRUNC } = constants;
  const how = flags === 'a' ? O_APPEND : O_TRUNC;
  const handle = openSync(path, O_WRONLY | O_CREAT | O_NOFOLLOW | how, PRIVATE_FILE);
  fchmodSync(handle, PRIVATE_FILE);
  return handle;
}

/** Writes all of the data. One system call may write fewer bytes than it got, for example on an almost full disk. */
export function writeAll(handle: number, data: string | Uint8Array): void {
  const bytes = typeof data === 'string' ? Buffer.from(data) : data;
  for (let written = 0; written < bytes.byteLength; ) {
    written += writeSync(handle, bytes, written);
  }
}

/** Syncs a folder. Until then, a power cut may undo a rename in it. */
export function syncFolder(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
