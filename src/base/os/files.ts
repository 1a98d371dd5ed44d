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

/** The modes of all files and folders that svc creates. Only their owner has access (D6). */
export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;

const BUFFERED_BYTES = 64 * 1024;

/** True if the path exists. Throws if svc can't find out, for example on a failing disk. */
export function pathExists(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    throw toStorageError(error, dirname(path));
  }
}

/**
 * Creates a folder and its parents with mode 0700, and sets the mode of an existing folder. Refuses a shared folder
 * such as /tmp, because other users would lose their access.
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

/** True if the path is a folder, or a link to a folder. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/**
 * Creates a folder and its parents with mode 0700. In /proc, the system says ENOENT although the parent exists, and
 * Node's recursive `mkdirSync` would then loop forever. So this function does not use it.
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
    // Another process may have created the folder at the same time.
    if (!isFolder(path)) {
      throw error;
    }
  }
}

/**
 * Replaces a file atomically, with mode 0600: after a crash it has either the old or the new bytes. Follows a link at
 * `path`. Writes directly to a device or pipe.
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

/** Deletes a temporary folder. Throws nothing, because an error here would hide the error of the write. */
function removeQuietly(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // The temporary folder stays, and does no harm.
  }
}

/** Replaces a file atomically. Replaces a link itself, and not its target. Throws errors of the system unchanged. */
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
  // Without this sync of the folder, a power cut could undo the rename.
  syncFolder(folder);
}

function isSpecial(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && !found.isFile() && !found.isDirectory();
}

/** A file that is written from its start to its end. Its data is on disk only after `close`. */
export interface PrivateWriter {
  readonly path: string;
  write(data: string | Uint8Array): void;
  close(): void;
}

/** Opens a file for writing, with mode 0600. Empties the file, unless `append` is set. */
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

/** Opens a file, and sets mode 0600. Does not follow a link, because it may lead to a file of another user (K8). */
function openPrivate(path: string, flags: 'a' | 'w'): number {
  const { O_WRONLY, O_CREAT, O_NOFOLLOW, O_APPEND, O_TRUNC } = constants;
  const how = flags === 'a' ? O_APPEND : O_TRUNC;
  const handle = openSync(path, O_WRONLY | O_CREAT | O_NOFOLLOW | how, PRIVATE_FILE);
  fchmodSync(handle, PRIVATE_FILE);
  return handle;
}

/** Writes all of the data. One system call may write only a part of it, for example on an almost full disk. */
export function writeAll(handle: number, data: string | Uint8Array): void {
  const bytes = typeof data === 'string' ? Buffer.from(data) : data;
  for (let written = 0; written < bytes.byteLength; ) {
    written += writeSync(handle, bytes, written);
  }
}

/** Syncs a folder. Before the sync, a power cut can undo a rename in the folder. */
export function syncFolder(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
