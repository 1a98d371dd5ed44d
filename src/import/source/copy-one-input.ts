import { createHash } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { chmod, copyFile, type FileHandle, open, rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Emit } from '../../base/events.ts';
import type { Clock } from '../../base/lib/clock.ts';
import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { terminalSafe } from '../../base/lib/text.ts';
import { PRIVATE_FILE } from '../../base/os/files.ts';
import { toStorageError } from '../../base/os/storage-error.ts';
import { isStdinName } from '../../base/os/user-named-file.ts';
import {
  describeChange,
  inputChangedError,
  type RecordedInput,
  type RunInput,
  stampOf,
  statsOf,
} from './input-changes.ts';
import { handleBytes, hashFile, openHandle, pipeBytes } from './read-file.ts';

/**
 * The options for copying inputs: `cwd` resolves relative paths, `stdin` is the input `-`, and `folder` gets the
 * copies.
 */
export interface CopyInputsOptions {
  readonly cwd: string;
  readonly stdin: AsyncIterable<Buffer>;
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly emit: Emit;
  readonly clock: Pick<Clock, 'now'>;
  /** True for a dry run. It reads files where they are, and copies only streams, which can't be read twice. */
  readonly dryRun: boolean;
}

interface CopyOptions extends CopyInputsOptions {
  readonly to: string;
  readonly label: string;
  readonly onBytes: (bytes: number) => void;
}

export async function copyInput(path: string, copying: CopyOptions): Promise<RunInput> {
  const { to, label } = copying;
  // A copy gets its final name only when it is complete, so a killed run never leaves half a list under this name.
  const part = `${to}.part`;
  try {
    const copied = isStdinName(path)
      ? await writeCopy(untilAborted(copying.stdin, copying.signal), part, copying)
      : await copyPath(resolve(copying.cwd, path), part, copying);
    await rename(part, to);
    const recorded = { path, ...copied };
    return { file: { diskPath: to, label, isCopy: true, size: copied.size }, record: () => Promise.resolve(recorded) };
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/** Copies an input. Throws if the file changes meanwhile, or if its path leads to a different file afterwards. */
async function copyPath(diskPath: string, part: string, copying: CopyOptions): Promise<Omit<RecordedInput, 'path'>> {
  const { label, signal } = copying;
  if (statsOf(diskPath)?.isFIFO()) {
    return writeCopy(pipeBytes({ diskPath, label }, signal), part, copying);
  }
  const handle = await openHandle({ diskPath, label });
  try {
    const before = await handle.stat({ bigint: true });
    if (!before.isFile()) {
      return await writeCopy(untilAborted(handleBytes(handle, { diskPath, label }), signal), part, copying);
    }
    const copied =
      (await cloneFile(handle, diskPath, part)) ??
      (await writeCopy(handleBytes(handle, { diskPath, label }), part, copying));
    const change =
      describeChange(before, await handle.stat({ bigint: true })) ?? describeChange(before, statsOf(diskPath));
    if (change !== undefined || BigInt(copied.size) !== before.size) {
      throw inputChangedError(label, change ?? 'was changed while it was read');
    }
    return { ...copied, original: { place: diskPath, stamp: stampOf(before) } };
  } finally {
    await handle.close();
  }
}

/**
 * Makes a copy-on-write clone, which takes hardly any time or space. Undefined if the file system has no such clones.
 */
async function cloneFile(handle: FileHandle, diskPath: string, part: string) {
  const opened = `/proc/self/fd/${handle.fd}`;
  try {
    await copyFile(existsSync(opened) ? opened : diskPath, part, constants.COPYFILE_FICLONE_FORCE);
  } catch {
    // The caller then makes an ordinary copy. If that fails too, its error names the cause.
    return undefined;
  }
  await chmod(part, PRIVATE_FILE);
  return hashFile({ diskPath: part, label: part, isCopy: true });
}

async function writeCopy(bytes: AsyncIterable<Buffer>, part: string, { folder, label, signal, onBytes }: CopyOptions) {
  const hash = createHash('sha256');
  let size = 0;
  const withCopyError = <T>(work: Promise<T>) =>
    work.catch((error: unknown) => {
      throw copyError(error, label, folder);
    });
  const copy = await withCopyError(open(part, 'w', PRIVATE_FILE));
  try {
    await withCopyError(copy.chmod(PRIVATE_FILE));
    for await (const buffer of bytes) {
      signal.throwIfAborted();
      // To save time, svc hashes the buffer while a thread of Node writes it to disk.
      const written = withCopyError(copy.writeFile(buffer));
      hash.update(buffer);
      await written;
      size += buffer.length;
      onBytes(buffer.length);
    }
    await withCopyError(copy.sync());
  } finally {
    await copy.close();
  }
  return { sha256: hash.digest('hex'), size };
}

function copyError(error: unknown, label: string, folder: string): unknown {
  const problem = toStorageError(error, folder);
  return problem instanceof SvcError && problem.code === 'disk_full'
    ? new SvcError(
        EXIT.failed,
        'disk_full',
        `no room for a copy of ${terminalSafe(label)} in ${folder}; nothing was done`,
        {
          hint: 'Free some space there, or name a state folder on another disk with --state-dir <dir>',
          cause: error,
        },
      )
    : problem;
}

/** Yields the bytes of a stream. Throws as soon as the signal aborts, even while the stream has no bytes to read. */
async function* untilAborted(bytes: AsyncIterable<Buffer>, signal: AbortSignal): AsyncGenerator<Buffer> {
  signal.throwIfAborted();
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  aborted.catch(() => undefined);
  const reader = bytes[Symbol.asyncIterator]();
  for (;;) {
    const next = await Promise.race([reader.next(), aborted]);
    if (next.done) {
      return;
    }
    yield next.value;
  }
}
