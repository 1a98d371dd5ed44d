import { writtenAt } from '../../import/source/input-changes.ts';
import type { OpenRun } from '../../run-lifecycle/data/run-context.ts';
import type { CommandStart } from '../../run-lifecycle/open/locks.ts';
import type { Journal } from '../../runs/store/journal.ts';
import { tryReadRun } from '../../runs/store/open-journal.ts';
import type { RunHeader } from '../../runs/store/run-header.ts';
import type { ChangeCounts } from './change-counts.ts';

// If files were written together, for example by a copy or a checkout, their times do not show which list is newer. So
// the times must differ by at least an hour.
const MIN_AGE_NS = 3_600_000_000_000n;

type Inputs = RunHeader['inputs'];

/** The name of a note in run.db: when the command of the run was given, in milliseconds since the epoch. */
const ASKED_AT_NOTE = 'asked_at';

/** Records when the command was given, so that a run whose command was given earlier sees that this list is newer. */
export function noteAskedAt({ readNote, writeNote }: Pick<Journal, 'readNote' | 'writeNote'>, askedAt: number): void {
  if (readNote(ASKED_AT_NOTE) === undefined) {
    writeNote(ASKED_AT_NOTE, askedAt);
  }
}

/**
 * Whether the last list of this name is newer than this one (G7). `newerRun`: its command was given later, and it was
 * sent while this run waited for other runs. `newerPath`: its file was changed an hour later or more. `lastRun` is the
 * run that last imported a list of this name.
 */
export function newerListOf(
  { stateFolder, journal }: Pick<OpenRun, 'stateFolder' | 'journal'>,
  { askedAt, newestRun = '' }: CommandStart,
  lastRun: string | undefined,
): Pick<ChangeCounts, 'newerRun' | 'newerPath'> {
  if (lastRun === undefined || lastRun === journal.run) {
    return {};
  }
  const last = tryReadRun(stateFolder, lastRun, ({ header, readNote }) => ({
    inputs: header.inputs,
    askedAt: readNote(ASKED_AT_NOTE) as number | undefined,
  }));
  const { inputs } = journal.header;
  if (!last) {
    return {};
  }
  // Ids of runs sort in their order even if the clock was set back (P7).
  const isGivenLater = lastRun > newestRun && last.askedAt !== undefined && last.askedAt > askedAt;
  if (isGivenLater && !isSameFile(inputs, last.inputs)) {
    return { newerRun: lastRun };
  }
  const [before, now] = [lastChangeOf(last.inputs), lastChangeOf(inputs)];
  const newerPath = last.inputs[0]?.original?.place;
  const isOlder = before !== undefined && now !== undefined && before - now >= MIN_AGE_NS;
  return isOlder && newerPath !== undefined ? { newerPath } : {};
}

/** True if both lists are the same files. svc reads a file only after the wait, so this list is not older. */
function isSameFile(one: Inputs, other: Inputs): boolean {
  const paths = new Set(other.map(({ original }) => original?.place));
  return one.every(({ original }) => original !== undefined && paths.has(original.place));
}

/** When the newest of these files was last changed. Undefined if svc does not know the time of each file. */
function lastChangeOf(inputs: Inputs): bigint | undefined {
  const times = inputs.map(({ original }) => original && writtenAt(original.stamp));
  return times.reduce((one, other) =>
    one === undefined || other === undefined ? undefined : one > other ? one : other,
  );
}
