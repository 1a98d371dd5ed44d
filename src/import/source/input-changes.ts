import { type BigIntStats, statSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Clock } from '../../base/lib/clock.ts';
import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { terminalSafe } from '../../base/lib/text.ts';
import type { RunHeader } from '../../runs/store/run-header.ts';
import { toReadError } from './input-errors.ts';
import { type DiskFile, hashFile, withChecks } from './read-file.ts';

/** An input as the run's journal records it. */
export type RecordedInput = RunHeader['inputs'][number];

const STAMP_FIELDS = ['dev', 'ino', 'size', 'mtimeNs', 'ctimeNs'] as const;

/**
 * A text that changes when a file is replaced or written to. Compare two stamps only as whole texts. Only `writtenAt`
 * reads a single field of a stamp.
 */
export function stampOf(stats: BigIntStats): string {
  return STAMP_FIELDS.map((key) => stats[key]).join(':');
}

/** When the content of a file was last written, in nanoseconds since the epoch, by its stamp. */
export function writtenAt(stamp: string): bigint | undefined {
  const time = stamp.split(':')[STAMP_FIELDS.indexOf('mtimeNs')];
  return time !== undefined && /^\d+$/.test(time) ? BigInt(time) : undefined;
}

/**
 * The error for a file that changes while svc reads it (D7). In the message, `how` stands after the file name: `was
 * deleted while it was read`.
 */
export function inputChangedError(label: string, how: string): SvcError {
  return new SvcError(EXIT.usage, 'input_changed', `${terminalSafe(label)} ${how}`, {
    hint: 'Wait until the program that writes the file is done, then run the same command again.',
  });
}

/** How a file changed between `before` and `now`, in words for messages. Undefined if it did not change. */
export function describeChange(before: BigIntStats, now: BigIntStats | undefined): string | undefined {
  if (now === undefined) {
    return 'was deleted while it was read';
  }
  const isSame = (key: keyof BigIntStats) => before[key] === now[key];
  if (STAMP_FIELDS.every(isSame)) {
    return undefined;
  }
  if (!isSame('dev') || !isSame('ino')) {
    return 'was replaced by another file while it was read';
  }
  return before.size === now.size
    ? 'was changed while it was read'
    : `was changed while it was read: it had ${before.size} bytes, and has ${now.size} now`;
}

/**
 * The stats of the file to which a path leads after all symbolic links. Undefined if there is no file. Synchronous,
 * because an asynchronous call takes longer.
 */
export function statsOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true });
  } catch {
    return undefined;
  }
}

/** An input as the survey read it. */
export interface SurveyedInput {
  readonly path: string;
  readonly sha256: string;
  /** True if `sha256` is the hash of the file itself, and not of unpacked bytes. */
  readonly isWholeFile: boolean;
}

/** An input of a run: svc's own copy, or a file that is read where it is. */
export interface RunInput {
  readonly file: DiskFile;
  /**
   * The input as the journal records it. Throws `input_changed` if a file that was not copied has changed since the run
   * began, or since the last call. `surveyed` is what the survey read. A file is hashed again only if the survey has no
   * hash of the file itself, as for an archive.
   */
  record(surveyed: readonly SurveyedInput[]): Promise<RecordedInput>;
}

interface WatchOptions {
  readonly cwd: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly label: string;
}

/**
 * Detects changes of a file during a dry run, which reads the file itself and no copy (D7). It resolves all links once,
 * so that each read gets the same file. A file that was just written is hashed before it is read, because its times may
 * not show a further change.
 */
export async function watchInput(path: string, { cwd, clock, label }: WatchOptions): Promise<RunInput> {
  const namedPath = resolve(cwd, path);
  const [diskPath, before] = await Promise.all([realpath(namedPath), stat(namedPath, { bigint: true })]).catch(
    (error: unknown) => {
      throw toReadError(error, { label });
    },
  );
  const check = async () => {
    const change = describeChange(before, statsOf(namedPath));
    if (change !== undefined) {
      throw inputChangedError(label, change);
    }
  };
  const file = { diskPath, label, check };
  const hash = () => withChecks(file, () => hashFile(file));
  let known = wasJustWritten(before, clock.now()) ? await hash() : undefined;
  return {
    file,
    record: async (surveyed) => {
      await check();
      const read = surveyed.find((input) => input.isWholeFile && input.path === path);
      const hashed = read ? { sha256: read.sha256, size: Number(before.size) } : await hash();
      if (known !== undefined && known.sha256 !== hashed.sha256) {
        throw inputChangedError(label, 'was changed while it was read');
      }
      known = hashed;
      return { path, ...hashed, original: { place: namedPath, stamp: stampOf(before) } };
    },
  };
}

/** How coarse the times of a file can be. FAT, the coarsest file system in use, counts in steps of two seconds. */
const COARSEST_TIME_MS = 3_000;

function wasJustWritten({ mtimeMs, ctimeMs }: BigIntStats, now: number): boolean {
  return now - Math.max(Number(mtimeMs), Number(ctimeMs)) < COARSEST_TIME_MS;
}

/**
 * Describes the original files that have changed since the run began, one sentence for each. The text is only a notice,
 * because the run reads its copies.
 */
export async function changedOriginals(inputs: readonly RecordedInput[]): Promise<string[]> {
  const changes = await describeChanges(inputs);
  return changes.map((change) => `${change} The run continues with its copy of the old file.`);
}

/** Says which original files have changed since the run began, one sentence for each. */
export async function describeChanges(inputs: readonly RecordedInput[]): Promise<string[]> {
  const changes: string[] = [];
  for (const input of inputs) {
    const change = input.original && (await changeSince(input, input.original));
    if (change !== undefined) {
      changes.push(`${terminalSafe(input.path)} ${change} since this run began.`);
    }
  }
  return changes;
}

async function changeSince(
  { path, sha256, size }: RecordedInput,
  { place: diskPath, stamp }: NonNullable<RecordedInput['original']>,
): Promise<string | undefined> {
  const now = statsOf(diskPath);
  if (now === undefined) {
    return 'is gone';
  }
  if (stampOf(now) === stamp) {
    return undefined;
  }
  if (!now.isFile() || now.size !== BigInt(size)) {
    return 'was changed';
  }
  // A file that can't be read any more counts as changed.
  const found = await hashFile({ diskPath, label: path }).catch(() => undefined);
  return found?.sha256 === sha256 ? undefined : 'was changed';
}
