import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { sumOf } from '../../base/lib/rows.ts';
import { terminalSafe } from '../../base/lib/text.ts';
import { ensurePrivateFolder, syncFolder } from '../../base/os/files.ts';
import { isStdinName } from '../../base/os/user-named-file.ts';
import { type CopyInputsOptions, copyInput } from './copy-one-input.ts';
import { type RecordedInput, type RunInput, type SurveyedInput, statsOf, watchInput } from './input-changes.ts';
import { type DiskFile, hashFile } from './read-file.ts';
import { sourceLabel } from './source.ts';

/** An input: `path` is what the user typed, and `diskPath` is the file from which svc reads the bytes. */
export interface InputFile extends Omit<DiskFile, 'label'> {
  readonly path: string;
}

/** The inputs of a run. svc can read them any number of times. */
export interface RunInputs {
  readonly files: readonly InputFile[];
  /** The inputs as the run's journal records them; see `RunInput`. */
  record(surveyed: readonly SurveyedInput[]): Promise<readonly RecordedInput[]>;
}

/**
 * Copies all inputs into the run's folder before they are read, so that svc sends exactly what it surveyed (D7). A dry
 * run copies only streams such as pipes, and watches its files for changes. Throws SvcError `input_unreadable`,
 * `duplicate_input`, `disk_full`, or `input_changed` if a file changes meanwhile.
 */
export async function copyInputs(paths: readonly string[], options: CopyInputsOptions): Promise<RunInputs> {
  const { cwd, folder, dryRun, emit } = options;
  const allInputs = await findInputs(paths, cwd);
  const copying = allInputs.filter(({ isFile }) => !(dryRun && isFile));
  const total = copying.every(({ size }) => size !== undefined)
    ? sumOf(copying.map(({ size = 0 }) => size))
    : undefined;
  let copiedBytes = 0;
  const onBytes = (bytes: number) => {
    copiedBytes += bytes;
    emit({ type: 'progress', phase: 'copy', done: copiedBytes });
  };
  if (copying.length > 0) {
    ensurePrivateFolder(folder);
    emit({ type: 'phase', phase: 'copy', total, unit: 'bytes' });
  }
  const inputs: RunInput[] = [];
  for (const [index, { path, label, isFile }] of allInputs.entries()) {
    inputs.push(
      dryRun && isFile
        ? await watchInput(path, { ...options, label })
        : await copyInput(path, { ...options, to: pathOfCopy(folder, index), label, onBytes }),
    );
  }
  if (copying.length > 0) {
    syncFolder(folder);
  }
  return {
    files: inputs.map(({ file }, index) => ({ ...file, path: paths[index] as string })),
    record: async (surveyed) => {
      const recorded: RecordedInput[] = [];
      for (const { record } of inputs) {
        recorded.push(await record(surveyed));
      }
      return recorded;
    },
  };
}

/** The copies of the recorded inputs in the folder of their run, so that a resume can read them again. */
export function copiedFiles(inputs: readonly RecordedInput[], folder: string): InputFile[] {
  return inputs.map(({ path, size }, index) => ({ path, diskPath: pathOfCopy(folder, index), isCopy: true, size }));
}

/**
 * Describes the first missing or damaged copy of a run in words for messages. Undefined if all copies have the recorded
 * hashes.
 */
export async function findDamagedCopy(inputs: readonly RecordedInput[], folder: string): Promise<string | undefined> {
  for (const [index, { path, sha256 }] of inputs.entries()) {
    const diskPath = pathOfCopy(folder, index);
    if (!existsSync(diskPath)) {
      return `the copy of ${terminalSafe(path)} is gone`;
    }
    const found = await hashFile({ diskPath, label: path, isCopy: true }).catch(() => undefined);
    if (found?.sha256 !== sha256) {
      return `the copy of ${terminalSafe(path)} is damaged`;
    }
  }
  return undefined;
}

function pathOfCopy(folder: string, index: number): string {
  return join(folder, String(index + 1));
}

interface FoundInput {
  readonly path: string;
  readonly label: string;
  readonly isFile: boolean;
  /** True for standard input, a pipe or a device. Its bytes can be read only once. */
  readonly isStream: boolean;
  /** The size of a file in bytes. Undefined for a stream, whose size can't be known. */
  readonly size: number | undefined;
}

/** Finds out what each path is, without opening it. Throws if two paths name the same file. */
export async function findInputs(paths: readonly string[], cwd: string): Promise<FoundInput[]> {
  const seen = new Set<string>();
  const found: FoundInput[] = [];
  for (const path of paths) {
    if (path === '') {
      // svc refuses an empty path, because it would resolve to the working folder. Unset variables of scripts give
      // empty paths.
      throw new SvcError(EXIT.usage, 'input_unreadable', 'an input has no name', { hint: 'Name a file, or "-"' });
    }
    const stats = isStdinName(path) ? undefined : statsOf(resolve(cwd, path));
    const identity = isStdinName(path) ? 'stdin' : stats ? `${stats.dev}:${stats.ino}` : resolve(cwd, path);
    if (seen.has(identity)) {
      throw new SvcError(EXIT.usage, 'duplicate_input', `${path} is given twice`, { hint: 'Name every input once' });
    }
    seen.add(identity);
    const isFile = stats?.isFile() === true;
    const isStream = isStdinName(path) || (stats !== undefined && !isFile && !stats.isDirectory());
    const label = sourceLabel({ path, entry: undefined });
    found.push({ path, label, isFile, isStream, size: isFile ? Number(stats.size) : undefined });
  }
  return found;
}
