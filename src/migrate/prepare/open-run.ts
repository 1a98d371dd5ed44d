import { renameSync, rmSync } from 'node:fs';
import { SvcError } from '../../base/lib/errors.ts';
import { EXIT, type ExitCode } from '../../base/lib/exit.ts';
import { hashPlain } from '../../base/lib/hash.ts';
import { newRunId } from '../../base/lib/run.ts';
import { safe } from '../../base/lib/text.ts';
import { copiedFiles, damagedCopy, type HeldInputs, holdInputs } from '../../import/source/input-copy.ts';
import { changedOriginals } from '../../import/source/input-watch.ts';
import type { ReadingOptions } from '../../import/types.ts';
import { discardRun } from '../../runs/find/delete-run.ts';
import { removeLeftoverCopies } from '../../runs/find/list.ts';
import {
  findEmptyMatches,
  findLastFinishedMatch,
  findOlderVersion,
  findUnfinishedMatch,
  type MatchingRunQuery,
} from '../../runs/find/matching-run.ts';
import type { RunHeader, RunState } from '../../runs/store/header.ts';
import { createRun, type Journal, openRun, tryReadRun } from '../../runs/store/journal.ts';
import type { RunContext } from '../context.ts';
import { withEarlierAnswers } from './corrected-rejects.ts';

/** An open journal and how the run it belongs to came about. */
export interface OpenedRun {
  readonly journal: Journal;
  readonly resumed: boolean;
  /** What the run reads, now and later: its own copies, but in a dry run. */
  readonly held: Pick<HeldInputs, 'files' | 'confirm'>;
  /** How a run that goes on had ended before; undefined where it was killed. */
  readonly before?: Standing | undefined;
  /** A finished run of the same work, where this one is new. */
  readonly finishedBefore?: string | undefined;
}

/** How a run ended. */
export type Standing = Pick<RunState, 'status'> & { readonly exitCode: ExitCode; readonly endedAt: number };

/** What every run is told, whatever it does; kept in its header as a whole. */
export interface Told {
  readonly command: string;
  readonly inputs: readonly string[];
  readonly reading: ReadingOptions;
  readonly dryRun: boolean;
}

/** Where a run writes to, as its header keeps it. */
export type Destination = NonNullable<RunHeader['destination']>;

/** Names the place of a run whose audience is still to be created. */
export function newPlaceId(name: string): string {
  return `new:${name}`;
}

/** Version of what the options in a header mean. */
const HEADER_VERSION = 1;

/**
 * Opens the journal of a run: the unfinished one of the same list to the same place where there is one, else a new one.
 * The inputs are copied into its folder before anything reads them, and a run is bound to those bytes (rules D5, D7).
 * Returns the options as well: a reject file brings those of the run that rejected its rows.
 */
export async function beginRun<T extends Told>(
  told: T,
  destination: Destination | undefined,
  outside: RunContext,
): Promise<OpenedRun & { readonly options: T }> {
  removeLeftoverCopies(outside.state);
  const run = newRunId(outside.context.clock.now(), outside.context.randomHex);
  const journal = createRun(outside.state, headerOf(run, told, outside));
  try {
    const held = await hold(told, journal, outside);
    const options = await withEarlierAnswers(told, held.files, outside);
    journal.amend({
      options: { ...(options as Told) },
      inputs: held.recorded,
      ...(destination ? { destination } : {}),
    });
    return { options, ...(await newOrContinued({ journal, held }, destination, outside)) };
  } catch (error) {
    // Nothing was read, so there is nothing to go on with.
    if (journal.db.isOpen) {
      journal.close();
    }
    discardRun(outside.state, run);
    throw error;
  }
}

type Fresh = Pick<OpenedRun, 'journal' | 'held'>;

async function newOrContinued(
  fresh: Fresh,
  destination: Destination | undefined,
  outside: RunContext,
): Promise<OpenedRun> {
  const { header } = fresh.journal;
  const query = {
    command: header.command,
    origin: header.origin,
    destinationId: header.destination?.id,
    formerId: destination && newPlaceId(destination.name),
    inputs: header.inputs.map((input) => input.sha256),
  };
  const finishedBefore = findLastFinishedMatch(outside.state, query)?.run;
  if (header.options.dryRun === true) {
    return { ...fresh, resumed: false, finishedBefore };
  }
  const same = { ...query, optionsHash: hashPlain(header.options) };
  const twin = findUnfinishedMatch(outside.state, same);
  if (twin) {
    return continueTwin(twin.run, same, fresh, outside);
  }
  const older = findOlderVersion(outside.state, query, header.inputs);
  if (older) {
    const message = `${older.run} of an older version of ${older.path} is not finished. It goes on with that version: svc runs resume ${older.run}`;
    outside.emit({ type: 'note', message });
  }
  return { ...fresh, resumed: false, finishedBefore };
}

/** Goes on with an unfinished run of the same work. Where its copies of the inputs are not whole, it takes the new ones. */
async function continueTwin(
  run: string,
  query: MatchingRunQuery,
  { journal }: Fresh,
  outside: RunContext,
): Promise<OpenedRun> {
  const before = standingOf(outside.state, run);
  const twin = openRun(outside.state, run);
  try {
    if ((await damagedCopy(twin.header.inputs, twin.files.inputs)) !== undefined) {
      rmSync(twin.files.inputs, { recursive: true, force: true });
      renameSync(journal.files.inputs, twin.files.inputs);
    }
    journal.close();
    // The new run was closed just now, so it is among them.
    for (const other of findEmptyMatches(outside.state, query, run)) {
      discardRun(outside.state, other.run);
    }
  } catch (error) {
    restore(twin, before);
    twin.close();
    throw error;
  }
  outside.emit({ type: 'note', message: `Continuing ${run}, which was not finished.` });
  return { journal: twin, resumed: true, held: heldBy(twin), before };
}

/** Opens a run to go on with it. It reads its copies of the inputs; what became of the originals is only said (rule D5). */
export async function reopenRun(
  run: string,
  destination: Destination | undefined,
  outside: RunContext,
): Promise<OpenedRun> {
  const before = standingOf(outside.state, run);
  const journal = openRun(outside.state, run);
  try {
    checkPlace(journal, destination, outside);
    await checkCopies(journal);
    for (const message of await changedOriginals(journal.header.inputs)) {
      outside.emit({ type: 'note', message });
    }
    return { journal, resumed: true, held: heldBy(journal), before };
  } catch (error) {
    restore(journal, before);
    journal.close();
    throw error;
  }
}

function heldBy({ header, files }: Journal): OpenedRun['held'] {
  return { files: copiedFiles(header.inputs, files.inputs), confirm: () => Promise.resolve() };
}

async function checkCopies({ header: { run, inputs }, files }: Journal): Promise<void> {
  const damage = await damagedCopy(inputs, files.inputs);
  if (damage !== undefined) {
    throw new SvcError(EXIT.usage, 'input_copy_damaged', `${run} can't go on: ${damage}`, {
      hint: 'Run the command of this run again with the file as it was then: it goes on with this run, and with the new copy.',
    });
  }
}

function standingOf(state: string, run: string): Standing | undefined {
  const ended = tryReadRun(state, run, (journal) => journal.state);
  const { status, exitCode, endedAt } = ended ?? {};
  return status === undefined || exitCode === undefined || endedAt === undefined
    ? undefined
    : { status, exitCode, endedAt };
}

/** Nothing was done, so the run stands as it ended before: a person may have to settle what it left in doubt. */
export function restore(journal: Journal, before: Standing | undefined): void {
  if (before) {
    journal.setStatus(before.status, before.exitCode, before.endedAt);
  }
}

function headerOf(run: string, options: Told, outside: RunContext): RunHeader {
  return {
    run,
    command: options.command,
    ...(outside.agreed && { agreed: true }),
    options: { ...options },
    origin: outside.account?.origin ?? '',
    destination: undefined,
    inputs: [],
    keyFingerprint: outside.account?.keyFingerprint ?? '',
    startedAt: outside.context.clock.now(),
    version: HEADER_VERSION,
  };
}

function hold(told: Told, { files }: Journal, { context, emit }: RunContext): Promise<HeldInputs> {
  return holdInputs(told.inputs, { ...context, folder: files.inputs, emit, dryRun: told.dryRun });
}

/** Another key may go on with a run, another origin, audience or automation may not (rule K4). */
function checkPlace(journal: Journal, found: Destination | undefined, outside: RunContext): void {
  const { origin, destination, run } = journal.header;
  if (origin !== outside.account?.origin) {
    throw elsewhere(run, `it was begun at ${safe(origin)}, not at ${safe(outside.account?.origin ?? 'no service')}`);
  }
  if (destination && destination.kind !== 'new audience' && !isSame(destination, found)) {
    const { kind, name, id } = destination;
    throw elsewhere(run, `its ${kind} was "${safe(name)}" (${safe(id)}), and this is another`);
  }
}

/** A flow that was renamed is the same flow: its id is what a person typed. */
function isSame(destination: Destination, found: Destination | undefined): boolean {
  const renamed = destination.kind !== 'automation' && found?.name !== destination.name;
  return found?.id === destination.id && found.createdAt === destination.createdAt && !renamed;
}

function elsewhere(run: string, why: string): SvcError {
  return new SvcError(EXIT.usage, 'another_destination', `${run} can't go on here: ${why}`, {
    hint: 'Give the base URL and a key of the same account. A run begun with --emulator-data needs that folder again.',
  });
}
