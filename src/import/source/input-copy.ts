import { createHash } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { chmod, copyFile, type FileHandle, open, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Emit } from '../../base/events.ts';
import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { sumOf } from '../../base/lib/rows.ts';
import { safe } from '../../base/lib/text.ts';
import { ensurePrivateFolder, PRIVATE_FILE, syncFolder } from '../../base/os/files.ts';
import { storageError } from '../../base/os/storage-error.ts';
import { isStdinName } from '../../base/os/user-named-file.ts';
import { changeOf, inputChanged, type RecordedInput, stampOf, statsOf, watchInput } from './input-watch.ts';
import { type DiskFile, handleBytes, hashFile, openHandle, pipeBytes } from './read-file.ts';
import { labelOf } from './source.ts';

/** An input: `path` as the user gave it, and the file from which svc reads its bytes. */
export interface InputFile extends Omit<DiskFile, 'label'> {
  readonly path: string;
}

/** The hash of a table as the survey read it: of its bytes in an archive, otherwise of the file. */
interface InputHash {
  readonly sha256: string;
}

/** The inputs of a run. svc can read them any number of times. */
export interface RunInputs {
  readonly files: readonly InputFile[];
  /** The inputs as the run's journal records them. */
  readonly recorded: readonly RecordedInput[];
  /**
   * Throws `input_changed` if a file that was not copied has changed since the survey. Hashes it again, unless the
   * survey has already done so.
   */
  confirm(surveyed: readonly InputHash[]): Promise<void>;
}

/** The folder for relative paths (`cwd`), the stream for `-`, and the folder for the copies. */
export interface CopyInputsOptions {
  readonly cwd: string;
  readonly stdin: AsyncIterable<Buffer>;
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly emit: Emit;
  /** A dry run reads files where they are. It copies only pipes, which can't be read twice. */
  readonly dryRun: boolean;
}

/**
 * Copies all inputs into the run's folder before they are read, so that svc sends exactly what it surveyed (D7). Throws
 * SvcError `input_unreadable`, `duplicate_input`, `disk_full`, or `input_changed` if a file changes during the copy.
 */
export async function copyInputs(paths: readonly string[], options: CopyInputsOptions): Promise<RunInputs> {
  const { cwd, folder, dryRun, emit } = options;
  const found = await findInputs(paths, cwd);
  const copying = found.filter(({ isFile }) => !(dryRun && isFile));
  const total = copying.every(({ size }) => size !== undefined)
    ? sumOf(copying.map(({ size = 0 }) => size))
    : undefined;
  let done = 0;
  const onBytes = (bytes: number) => {
    done += bytes;
    emit({ type: 'progress', phase: 'copy', done });
  };
  if (copying.length > 0) {
    ensurePrivateFolder(folder);
    emit({ type: 'phase', phase: 'copy', total, unit: 'bytes' });
  }
  const inputs: RunInput[] = [];
  for (const [index, { path, label, isFile }] of found.entries()) {
    inputs.push(
      dryRun && isFile
        ? await watchInput(path, { cwd, label })
        : await copyInput(path, { ...options, to: copyPlace(folder, index), label, onBytes }),
    );
  }
  if (copying.length > 0) {
    syncFolder(folder);
  }
  return {
    files: inputs.map(({ file, recorded: { path } }) => ({ ...file, path })),
    recorded: inputs.map(({ recorded }) => recorded),
    confirm: async (surveyed) => {
      const hashes = new Set(surveyed.map(({ sha256 }) => sha256));
      for (const { confirm } of inputs) {
        await confirm?.(hashes);
      }
    },
  };
}

/** The copies of the recorded inputs, to be read again. */
export function copiedFiles(inputs: readonly RecordedInput[], folder: string): InputFile[] {
  return inputs.map(({ path, size }, index) => ({ path, place: copyPlace(folder, index), copied: true, size }));
}

/** Describes the first missing or damaged copy of a run. Undefined if all have the recorded hashes. */
export async function damagedCopy(inputs: readonly RecordedInput[], folder: string): Promise<string | undefined> {
  for (const [index, { path, sha256 }] of inputs.entries()) {
    const place = copyPlace(folder, index);
    if (!existsSync(place)) {
      return `the copy of ${safe(path)} is gone`;
    }
    const found = await hashFile({ place, label: path, copied: true }).catch(() => undefined);
    if (found?.sha256 !== sha256) {
      return `the copy of ${safe(path)} is damaged`;
    }
  }
  return undefined;
}

function copyPlace(folder: string, index: number): string {
  return join(folder, String(index + 1));
}

interface RunInput {
  readonly file: DiskFile;
  readonly recorded: RecordedInput;
  readonly confirm?: (hashes: ReadonlySet<string>) => Promise<void>;
}

interface FoundInput {
  readonly path: string;
  readonly label: string;
  readonly isFile: boolean;
  /** The size in bytes. Undefined for a pipe, whose size can't be known. */
  readonly size: number | undefined;
}

/** Finds out what each path is, without opening it. Throws if two paths name the same file. */
async function findInputs(paths: readonly string[], cwd: string): Promise<FoundInput[]> {
  const seen = new Set<string>();
  const found: FoundInput[] = [];
  for (const path of paths) {
    if (path === '') {
      // An unset variable in a script gives an empty path, which would mean the working folder.
      throw new SvcError(EXIT.usage, 'input_unreadable', 'an input has no name', { hint: 'Name a file, or "-"' });
    }
    const stats = isStdinName(path) ? undefined : statsOf(resolve(cwd, path));
    const identity = isStdinName(path) ? 'stdin' : stats ? `${stats.dev}:${stats.ino}` : resolve(cwd, path);
    if (seen.has(identity)) {
      throw new SvcError(EXIT.usage, 'duplicate_input', `${path} is given twice`, { hint: 'Name every input once' });
    }
    seen.add(identity);
    const isFile = stats?.isFile() === true;
    const label = labelOf({ path, entry: undefined });
    found.push({ path, label, isFile, size: isFile ? Number(stats.size) : undefined });
  }
  return found;
}

interface CopyOptions extends CopyInputsOptions {
  readonly to: string;
  readonly label: string;
  readonly onBytes: (bytes: number) => void;
}

async function copyInput(path: string, copying: CopyOptions): Promise<RunInput> {
  const { to, label } = copying;
  // Until it is complete the copy has another name. A killed run must not leave half a list under the final name.
  const part = `${to}.part`;
  try {
    const copied = isStdinName(path)
      ? await writeCopy(untilAborted(copying.stdin, copying.signal), part, copying)
      : await copyPath(resolve(copying.cwd, path), part, copying);
    await rename(part, to);
    return { file: { place: to, label, copied: true, size: copied.size }, recorded: { path, ...copied } };
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/** Copies an input. Throws if the file changes meanwhile, or if its path then leads to another file. */
async function copyPath(place: string, part: string, copying: CopyOptions): Promise<Omit<RecordedInput, 'path'>> {
  const { label, signal } = copying;
  if (statsOf(place)?.isFIFO()) {
    return writeCopy(pipeBytes({ place, label }, signal), part, copying);
  }
  const handle = await openHandle({ place, label });
  try {
    const before = await handle.stat({ bigint: true });
    if (!before.isFile()) {
      return await writeCopy(untilAborted(handleBytes(handle, { place, label }), signal), part, copying);
    }
    const copied =
      (await cloneFile(handle, place, part)) ?? (await writeCopy(handleBytes(handle, { place, label }), part, copying));
    const change = changeOf(before, await handle.stat({ bigint: true })) ?? changeOf(before, statsOf(place));
    if (change !== undefined || BigInt(copied.size) !== before.size) {
      throw inputChanged(label, change ?? 'was changed while it was read');
    }
    return { ...copied, original: { place, stamp: stampOf(before) } };
  } finally {
    await handle.close();
  }
}

/** Makes a copy-on-write clone, which takes no time and no space. Undefined if the file system can't do that. */
async function cloneFile(handle: FileHandle, place: string, part: string) {
  const opened = `/proc/self/fd/${handle.fd}`;
  try {
    await copyFile(existsSync(opened) ? opened : place, part, constants.COPYFILE_FICLONE_FORCE);
  } catch {
    // The caller then makes an ordinary copy, which reports the cause if it fails too.
    return undefined;
  }
  await chmod(part, PRIVATE_FILE);
  return hashFile({ place: part, label: part, copied: true });
}

async function writeCopy(bytes: AsyncIterable<Buffer>, part: string, { folder, label, signal, onBytes }: CopyOptions) {
  const hash = createHash('sha256');
  let size = 0;
  const guarded = <T>(work: Promise<T>) =>
    work.catch((error: unknown) => {
      throw copyError(error, label, folder);
    });
  const copy = await guarded(open(part, 'w', PRIVATE_FILE));
  try {
    await guarded(copy.chmod(PRIVATE_FILE));
    for await (const buffer of bytes) {
      signal.throwIfAborted();
      hash.update(buffer);
      await guarded(copy.writeFile(buffer));
      size += buffer.length;
      onBytes(buffer.length);
    }
    await guarded(copy.sync());
  } finally {
    await copy.close();
  }
  return { sha256: hash.digest('hex'), size };
}

function copyError(error: unknown, label: string, folder: string): unknown {
  const problem = storageError(error, folder);
  return problem instanceof SvcError && problem.code === 'disk_full'
    ? new SvcError(EXIT.failed, 'disk_full', `no room for a copy of ${safe(label)} in ${folder}; nothing was done`, {
        hint: 'Free some space there, or name a state folder on another disk with --state-dir <dir>',
        cause: error,
      })
    : problem;
}

/** The bytes of a stream. Throws as soon as the signal aborts, also while the stream waits for more. */
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
