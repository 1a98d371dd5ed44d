import type { BigIntStats } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { safe } from '../../base/lib/text.ts';
import type { RunHeader } from '../../runs/store/header.ts';
import { type DiskFile, hashFile, readError } from './disk.ts';

/** An input as a header records it. */
export type RecordedInput = RunHeader['inputs'][number];

/** What tells a file from any other and from itself after a change: compared as a whole, never read apart. */
export function stampOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(':');
}

/** Refuses a file that changes while it is read (rule D7). `how` goes after its name. */
export function inputChanged(label: string, how: string): SvcError {
  return new SvcError(EXIT.usage, 'input_changed', `${safe(label)} ${how}`, {
    hint: 'Wait until the program that writes the file is done, then run the same command again.',
  });
}

/** What became of a file between two stamps, in words; undefined where it is the same. */
export function changeOf(before: BigIntStats, now: BigIntStats | undefined): string | undefined {
  if (now === undefined) {
    return 'was deleted while it was read';
  }
  if (stampOf(before) === stampOf(now)) {
    return undefined;
  }
  if (before.dev !== now.dev || before.ino !== now.ino) {
    return 'was replaced by another file while it was read';
  }
  return before.size === now.size
    ? 'was changed while it was read'
    : `was changed while it was read: it had ${before.size} bytes, and has ${now.size} now`;
}

/** The stats of a path, through links; undefined where nothing is there. */
export async function statsOf(path: string): Promise<BigIntStats | undefined> {
  try {
    return await stat(path, { bigint: true });
  } catch {
    return undefined;
  }
}

/** A file that is read where it is, and hashed. Every read checks that it is still the same. */
export interface WatchedInput {
  readonly file: DiskFile;
  readonly recorded: RecordedInput;
  /** Hashes the file again, but where its hash is among those of what was read. */
  confirm(hashes: ReadonlySet<string>): Promise<void>;
}

/** Watches a file of a dry run, which copies nothing (rule D7). Reads go past any link, so that only the file itself counts. */
export async function watchInput(path: string, { cwd, label }: { cwd: string; label: string }): Promise<WatchedInput> {
  const given = resolve(cwd, path);
  const [place, before] = await Promise.all([realpath(given), stat(given, { bigint: true })]).catch(
    (error: unknown) => {
      throw readError(error, { label });
    },
  );
  const check = async () => {
    const change = changeOf(before, await statsOf(given));
    if (change !== undefined) {
      throw inputChanged(label, change);
    }
  };
  const file = { place, label, check };
  const hashed = await hashChecked(file);
  return {
    file,
    recorded: { path, ...hashed, original: { place: given, stamp: stampOf(before) } },
    confirm: async (hashes) => {
      await check();
      if (!hashes.has(hashed.sha256) && (await hashChecked(file)).sha256 !== hashed.sha256) {
        throw inputChanged(label, 'was changed while it was read');
      }
    },
  };
}

async function hashChecked(file: DiskFile): Promise<{ readonly sha256: string; readonly size: number }> {
  await file.check?.();
  try {
    return await hashFile(file);
  } finally {
    await file.check?.();
  }
}

/** Says which originals of a run are other files now. The run goes on with its copies, so this is no problem of it. */
export async function changedOriginals(inputs: readonly RecordedInput[]): Promise<string[]> {
  const notes: string[] = [];
  for (const input of inputs) {
    const change = input.original && (await changeSince(input, input.original));
    if (change !== undefined) {
      notes.push(`${input.path} ${change} since this run began. The run goes on with its copy of the file as it was.`);
    }
  }
  return notes;
}

async function changeSince(
  { path, sha256, size }: RecordedInput,
  { place, stamp }: NonNullable<RecordedInput['original']>,
): Promise<string | undefined> {
  const now = await statsOf(place);
  if (now === undefined) {
    return 'is gone';
  }
  if (stampOf(now) === stamp) {
    return undefined;
  }
  if (!now.isFile() || now.size !== BigInt(size)) {
    return 'was changed';
  }
  // A file that can't be read any more is no longer the one that was copied.
  const found = await hashFile({ place, label: path }).catch(() => undefined);
  return found?.sha256 === sha256 ? undefined : 'was changed';
}
