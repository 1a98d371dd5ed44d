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

/** An open journal, and whether its run is new or resumed. */
export interface OpenedRun {
  readonly journal: Journal;
  readonly resumed: boolean;
  /** The files that the run reads, now and later: its own copies, except in a dry run. */
  readonly held: Pick<HeldInputs, 'files' | 'confirm'>;
  /** How a resumed run had ended before. Undefined if it was killed. */
  readonly before?: Standing | undefined;
  /** A finished run of the same work, if this one is new. */
  readonly finishedBefore?: string | undefined;
}

/** How a run ended. */
export type Standing = Pick<RunState, 'status'> & { readonly exitCode: ExitCode; readonly endedAt: number };

/** The options that every run has, stored in its header as a whole. */
export interface Told {
  readonly command: string;
  readonly inputs: readonly string[];
  readonly reading: ReadingOptions;
  readonly dryRun: boolean;
}

/** The destination of a run, as its header stores it. */
export type Destination = NonNullable<RunHeader['destination']>;

/** The id of a destination whose audience must still be created. */
export function newPlaceId(name: string): string {
  return `new:${name}`;
}

/** The version of the meaning of the options in a header. */
const HEADER_VERSION = 1;

/**
 * Opens the journal of a run: an unfinished run of the same list and destination, else a new one. The inputs are copied
 * into its folder before anything reads them. The run is bound to those bytes (D5, D7). Returns the options too,
 * because a rejects file brings the options of the run that rejected its rows.
 */
export async function beginRun<T extends Told>(
  given: T,
  destination: Destination | undefined,
  outside: RunContext,
): Promise<OpenedRun & { readonly options: T }> {
  removeLeftoverCopies(outside.state);
  const run = newRunId(outside.context.clock.now(), outside.context.randomHex);
  const journal = createRun(outside.state, headerOf(run, given, outside));
  try {
    const held = await copyInputs(given, journal, outside);
    const options = await withEarlierAnswers(given, held.files, outside);
    journal.amend({
      options: { ...(options as Told) },
      inputs: held.recorded,
      ...(destination ? { destination } : {}),
    });
    return { options, ...(await newOrContinued({ journal, held }, destination, outside)) };
  } catch (error) {
    // Nothing was read, so there is nothing to resume.
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
  const query: MatchingRunQuery = {
    command: header.command,
    origin: header.origin,
    destinationId: header.destination?.id,
    previousId: destination && newPlaceId(destination.name),
    inputs: header.inputs.map((input) => input.sha256),
  };
  const finishedBefore = findLastFinishedMatch(outside.state, query)?.run;
  if (header.options.dryRun === true) {
    return { ...fresh, resumed: false, finishedBefore };
  }
  const same = { ...query, optionsHash: hashPlain(header.options) };
  const matching = findUnfinishedMatch(outside.state, same);
  if (matching) {
    return continueMatchingRun(matching.run, same, fresh, outside);
  }
  const older = findOlderVersion(outside.state, query, header.inputs);
  if (older) {
    const message = `${older.run} of an older version of ${older.path} is not finished. It goes on with that version: svc runs resume ${older.run}`;
    outside.emit({ type: 'note', message });
  }
  return { ...fresh, resumed: false, finishedBefore };
}

/** Continues an unfinished run of the same work. If its copies of the inputs are damaged, it gets the new ones. */
async function continueMatchingRun(
  run: string,
  query: MatchingRunQuery,
  { journal }: Fresh,
  outside: RunContext,
): Promise<OpenedRun> {
  const before = standingOf(outside.state, run);
  const matching = openRun(outside.state, run);
  try {
    if ((await damagedCopy(matching.header.inputs, matching.files.inputs)) !== undefined) {
      rmSync(matching.files.inputs, { recursive: true, force: true });
      renameSync(journal.files.inputs, matching.files.inputs);
    }
    journal.close();
    // The new run was just closed, so it is one of them.
    for (const other of findEmptyMatches(outside.state, query, run)) {
      discardRun(outside.state, other.run);
    }
  } catch (error) {
    restore(matching, before);
    matching.close();
    throw error;
  }
  outside.emit({ type: 'note', message: `Continuing ${run}, which was not finished.` });
  return { journal: matching, resumed: true, held: heldBy(matching), before };
}

/** Opens a run to resume it. The run reads its copies of the inputs. If the originals changed, svc only reports it (D5). */
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

/**
 * Restores the previous status, because the resume did nothing. A person may still have to resolve its unknown
 * outcomes.
 */
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

function copyInputs(given: Told, { files }: Journal, { context, emit }: RunContext): Promise<HeldInputs> {
  return holdInputs(given.inputs, { ...context, folder: files.inputs, emit, dryRun: given.dryRun });
}

/** Another API key may resume a run. Another origin, audience or automation may not (K4). */
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

/** A renamed automation is the same automation: the user typed its id. */
function isSame(destination: Destination, found: Destination | undefined): boolean {
  const renamed = destination.kind !== 'automation' && found?.name !== destination.name;
  return found?.id === destination.id && found.createdAt === destination.createdAt && !renamed;
}

function elsewhere(run: string, why: string): SvcError {
  return new SvcError(EXIT.usage, 'another_destination', `${run} can't go on here: ${why}`, {
    hint: 'Give the base URL and a key of the same account. A run begun with --emulator-data needs that folder again.',
  });
}
