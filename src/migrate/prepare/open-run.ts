import { renameSync, rmSync } from 'node:fs';
import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { hashPlain } from '../../base/lib/hash.ts';
import { safe } from '../../base/lib/text.ts';
import { copiedFiles, damagedCopy, holdInputs } from '../../import/source/input-copy.ts';
import { changedOriginals } from '../../import/source/input-watch.ts';
import { discardRun } from '../../runs/find/delete-run.ts';
import { type RunSummary, removeLeftoverCopies } from '../../runs/find/list-runs.ts';
import {
  findEmptyMatches,
  findLastFinishedMatch,
  findOlderVersion,
  hashOfSent,
  type MatchingRunQuery,
} from '../../runs/find/matching-run.ts';
import { refuseOvertaken } from '../../runs/find/overtaken-runs.ts';
import { isContentReplaced } from '../../runs/find/replaced-content.ts';
import { newRunId } from '../../runs/state-folder.ts';
import type { RunHeader } from '../../runs/store/header.ts';
import { createJournal, type Journal, resumeJournal } from '../../runs/store/journal.ts';
import { readListedRun } from '../../runs/store/read-run.ts';
import { readRecord } from '../canary/canary-state.ts';
import type { RunOptions } from '../options.ts';
import { type FinalState, type OpenRun, OWN_KEYS, type RunContext, withProgress } from '../run-context.ts';
import { withEarlierAnswers } from './corrected-rejects.ts';
import { findOwnMatch, isSameAccount, recordedAccount, useKey } from './same-account.ts';

type OpenedRun = Pick<OpenRun, 'journal' | 'resumed' | 'held' | 'before' | 'finishedBefore'>;

export type Destination = NonNullable<RunHeader['destination']>;

/** The id of a destination whose audience must still be created. */
export function newDestinationId(name: string): string {
  return `new:${name}`;
}

/** The version of the options in a header. A header of the same version has options with the same meaning. */
export const HEADER_VERSION = 1;

/**
 * Opens the journal of a run: an unfinished run of the same list and destination, else a new one. The inputs are copied
 * into its folder before anything reads them. The run is bound to those bytes (D5, D7). Returns the options too,
 * because a rejects file has the options of the run that rejected its rows.
 */
export async function beginRun<T extends RunOptions>(
  given: T,
  destination: Destination | undefined,
  context: RunContext,
): Promise<OpenRun<T>> {
  removeLeftoverCopies(context.state);
  const run = newRunId(context.clock.now(), context.randomHex);
  const journal = createJournal(context.state, headerOf(run, given, context));
  try {
    const held = await holdInputs(given.inputs, { ...context, folder: journal.files.inputs, dryRun: given.dryRun });
    const options = await withEarlierAnswers(given, held.files, context);
    journal.amend({
      options: { ...(options as RunOptions) },
      inputs: held.recorded,
      ...(destination ? { destination } : {}),
    });
    const opened = await continueOrStart({ journal, held }, destination, context);
    return withProgress({ ...context, options, ...opened });
  } catch (error) {
    // Nothing was read, so there is nothing to resume.
    if (journal.db.isOpen) {
      journal.close();
    }
    discardRun(context.state, run);
    throw error;
  }
}

type NewRun = Pick<OpenRun, 'journal' | 'held'>;

/** Continues the unfinished run of the same work, if there is one. Otherwise the new run starts. */
async function continueOrStart(
  fresh: NewRun,
  destination: Destination | undefined,
  context: RunContext,
): Promise<OpenedRun> {
  const { header } = fresh.journal;
  const query: MatchingRunQuery = {
    command: header.command,
    origin: header.origin,
    destinationId: header.destination?.id,
    previousId: destination && newDestinationId(destination.name),
    inputs: header.inputs.map((input) => input.sha256),
    keyFingerprint: header.keyFingerprint,
  };
  const finished = findLastFinishedMatch(context.state, query);
  const started = { ...fresh, resumed: false, finishedBefore: finished?.run };
  if (header.options.dryRun === true) {
    return started;
  }
  const same = { ...query, optionsHash: hashPlain(header.options), sentHash: hashOfSent(header.options) };
  const matching = await findOwnMatch(same, context);
  const anew = header.options.again === true && matching !== undefined && failedCanary(context.state, matching);
  if (matching && !anew) {
    return continueMatchingRun(matching.run, same, fresh, context);
  }
  useOwnKeys(fresh.journal, matching ?? finished, context);
  // An enrollment keeps its keys: a new key would mail a person again (M5).
  const writesContactsOnly = header.command === 'migrate' || header.command === 'contacts import';
  if (writesContactsOnly && isContentReplaced(context.state, header, context.clock.now())) {
    fresh.journal.note(OWN_KEYS, true);
  }
  noteOlderVersion(header, query, context);
  return started;
}

/** Gives a new run its own keys if the last run of the same work is not to be repeated as it was (C1, G10). */
function useOwnKeys(journal: Journal, last: RunSummary | undefined, { emit }: RunContext): void {
  if (last?.status === 'unverified' || last?.overtakenBy !== undefined) {
    journal.note(OWN_KEYS, true);
    const why = last.overtakenBy === undefined ? 'found a difference' : `was overtaken by ${last.overtakenBy}`;
    emit({ type: 'note', message: `This is a new run of the whole list, because ${last.run} ${why}.` });
  }
}

/** Names an unfinished run of an older version of the list: after this run it cannot continue (G10). */
function noteOlderVersion({ inputs }: RunHeader, query: MatchingRunQuery, { state, emit }: RunContext): void {
  const older = findOlderVersion(state, query, inputs);
  if (older) {
    const message = `${older.run} sends an older version of ${older.path}. It is not finished, and can't continue after this run. To finish it first: svc runs resume ${older.run}`;
    emit({ type: 'note', message });
  }
}

/**
 * True if the run stopped because the service wrote its canary differently. Its people stay different, even after the
 * service was corrected. So --again starts a new run with another canary. Without --again the run continues and stops
 * again, because each canary writes up to four more people. A run that signed up people continues, to opt them out
 * (C1).
 */
function failedCanary(state: string, { run, status }: RunSummary): boolean {
  return status === 'unverified' && readListedRun(state, run, (journal) => readRecord(journal)?.signedUp) === undefined;
}

/** Continues an unfinished run of the same work, with the newest limits. Damaged copies of inputs are replaced. */
async function continueMatchingRun(
  run: string,
  query: MatchingRunQuery,
  { journal }: NewRun,
  context: RunContext,
): Promise<OpenedRun> {
  const before = standingOf(context.state, run);
  const matching = resumeJournal(context.state, run);
  try {
    useKey(matching, context);
    if ((await damagedCopy(matching.header.inputs, matching.files.inputs)) !== undefined) {
      rmSync(matching.files.inputs, { recursive: true, force: true });
      renameSync(journal.files.inputs, matching.files.inputs);
    }
    matching.amend({ options: journal.header.options });
    journal.close();
    // The new run was just closed, so it is among these matches, and is discarded too.
    for (const other of findEmptyMatches(context.state, query, run)) {
      discardRun(context.state, other.run);
    }
  } catch (error) {
    restore(matching, before);
    matching.close();
    throw error;
  }
  context.emit({ type: 'note', message: `Continuing ${run}, which was not finished.` });
  return { journal: matching, resumed: true, held: heldBy(matching), before };
}

/** Opens a run to resume it. It reads its copies of the inputs; changed originals are only reported (D5). */
export async function reopenRun<T extends RunOptions>(
  run: string,
  options: T,
  destination: Destination | undefined,
  context: RunContext,
): Promise<OpenRun<T>> {
  const before = standingOf(context.state, run);
  const journal = resumeJournal(context.state, run);
  try {
    checkDestination(journal, destination, context);
    await checkAccount(journal, context);
    refuseOvertaken(journal);
    await checkCopies(journal);
    const changedInputs = await changedOriginals(journal.header.inputs);
    for (const message of changedInputs) {
      context.emit({ type: 'note', message });
    }
    return withProgress({ ...context, options, journal, resumed: true, held: heldBy(journal), before, changedInputs });
  } catch (error) {
    restore(journal, before);
    journal.close();
    throw error;
  }
}

function heldBy({ header, files }: Journal): OpenRun['held'] {
  return { files: copiedFiles(header.inputs, files.inputs), confirm: () => Promise.resolve() };
}

async function checkCopies({ header: { run, inputs }, files }: Journal): Promise<void> {
  const damage = await damagedCopy(inputs, files.inputs);
  if (damage !== undefined) {
    throw new SvcError(EXIT.usage, 'input_copy_damaged', `${run} can't continue: ${damage}`, {
      hint: 'Run the command of this run again with the file as it was then: it continues this run with the new copy.',
    });
  }
}

function standingOf(state: string, run: string): FinalState | undefined {
  const ended = readListedRun(state, run, (journal) => journal.state);
  const { status, exitCode, endedAt } = ended ?? {};
  return status === undefined || exitCode === undefined || endedAt === undefined
    ? undefined
    : { status, exitCode, endedAt };
}

/** Restores the previous status: the resume did nothing. Unknown outcomes may still need the user. */
export function restore(journal: Journal, before: FinalState | undefined): void {
  if (before) {
    journal.setStatus(before.status, before.exitCode, before.endedAt);
  }
}

function headerOf(run: string, options: RunOptions, context: RunContext): RunHeader {
  return {
    run,
    command: options.command,
    ...(context.agreed && { agreed: true }),
    options: { ...options },
    origin: context.account?.origin ?? '',
    destination: undefined,
    inputs: [],
    keyFingerprint: context.account?.keyFingerprint ?? '',
    startedAt: context.clock.now(),
    version: HEADER_VERSION,
  };
}

/** Refuses a run of another origin (K4) before any request is sent there: a 404 would look like a deleted audience. */
export function checkOrigin(run: string, { state, account }: Pick<RunContext, 'state' | 'account'>): void {
  const origin = readListedRun(state, run, ({ header }) => header.origin);
  if (origin !== undefined && origin !== account?.origin) {
    throw otherAccountError(run, `it was begun at ${safe(origin)}, not at ${safe(account?.origin ?? 'no service')}`);
  }
}

/**
 * Another API key may resume a run. Another origin, audience or automation may not (K4). Until the id of a created
 * audience is known, an audience of this name under another key must be newer than the run.
 */
function checkDestination(journal: Journal, found: Destination | undefined, { account }: RunContext): void {
  const { destination, run, keyFingerprint, startedAt } = journal.header;
  const isOlder = found?.kind === 'audience' && Date.parse(found.createdAt) < startedAt - CLOCK_ERROR_MS;
  if (destination?.kind === 'new audience' && isOlder && keyFingerprint !== account?.keyFingerprint) {
    const why = `it was to create the audience "${safe(destination.name)}", and the one of this key is older`;
    throw otherAccountError(run, why);
  }
  if (destination && destination.kind !== 'new audience' && !isSame(destination, found)) {
    const { kind, name, id, createdAt } = destination;
    if (found?.id === id && found.createdAt === createdAt) {
      throw renamedError(run, name, found.name);
    }
    throw otherAccountError(run, `its ${kind} was "${safe(name)}" (${safe(id)}), and this is another`);
  }
}

/** Suppressions belong to the account, so another API key must be of the same account (K4). */
async function checkAccount(journal: Journal, context: RunContext): Promise<void> {
  if (!(await isSameAccount(recordedAccount(journal), context))) {
    const { run } = journal.header;
    const why = 'it was begun with another API key, and nothing shows that this key is of the same account';
    throw new SvcError(EXIT.usage, 'another_destination', `${run} can't continue here: ${why}`, {
      hint: `Give the key that it was begun with. If that key is gone, run the command of this run again: it sends the whole list once more. Then: svc runs delete ${run} --confirm ${run}`,
    });
  }
  useKey(journal, context);
}

// The clock of this machine may be ahead of the service's clock.
const CLOCK_ERROR_MS = 5 * 60_000;

/** A renamed automation is the same automation: the user typed its id. */
function isSame(destination: Destination, found: Destination | undefined): boolean {
  const renamed = destination.kind !== 'automation' && found?.name !== destination.name;
  return found?.id === destination.id && found.createdAt === destination.createdAt && !renamed;
}

/** The user confirms a renamed audience with the command, which names it again. */
function renamedError(run: string, before: string, now: string): SvcError {
  const message = `${run} can't continue here: its audience "${safe(before)}" is named "${safe(now)}" by now`;
  return new SvcError(EXIT.usage, 'another_destination', message, {
    hint: 'If it is the right audience, run the same command again: it continues the run. If the command names the audience, give it its old name first: svc audiences rename',
  });
}

function otherAccountError(run: string, why: string): SvcError {
  return new SvcError(EXIT.usage, 'another_destination', `${run} can't continue here: ${why}`, {
    hint: 'Give the base URL and a key of the same account. A run begun with --emulator-data needs that folder again.',
  });
}
