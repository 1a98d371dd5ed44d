import { renameSync, rmSync } from 'node:fs';
import { hashPlainData } from '../../base/lib/hash.ts';
import { copyInputs, findDamagedCopy } from '../../import/source/input-copies.ts';
import { discardRun } from '../../runs/delete-run.ts';
import { findEarlierImport } from '../../runs/find/earlier-import.ts';
import { listReadableRuns, removeLeftoverCopies } from '../../runs/find/list-runs.ts';
import {
  findEmptyMatches,
  findLastFinishedMatch,
  findOlderVersion,
  hashOfSendOptions,
  type MatchingRunQuery,
} from '../../runs/find/matching-run.ts';
import { hasSignedPeopleUp } from '../../runs/find/run-status.ts';
import { isContentReplaced } from '../../runs/find/same-audience.ts';
import type { RunSummary } from '../../runs/find/summarize-run.ts';
import type { Journal } from '../../runs/store/journal.ts';
import { createJournal, readListedRun, resumeJournal } from '../../runs/store/open-journal.ts';
import {
  type Destination,
  HEADER_VERSION,
  placeholderAudienceId,
  type RunHeader,
} from '../../runs/store/run-header.ts';
import { newRunId } from '../../runs/store/state-folder.ts';
import {
  type OpenRun,
  OWN_CONTACT_KEYS_NOTE,
  OWN_KEYS_NOTE,
  type RunContext,
  withProgress,
} from '../data/run-context.ts';
import { importsContacts, type RunOptions } from '../data/run-options.ts';
import { findEarlierAnswers } from './corrected-rejects.ts';
import { REJECTS_OF_NOTE } from './rejecting-run.ts';
import { finalStateOf, inputCopiesOf, restorePreviousEnd } from './resume-run.ts';
import { findMatchingRunOfAccount, recordApiKey } from './same-account.ts';

type OpenedRun = Pick<
  OpenRun,
  'journal' | 'resumed' | 'inputCopies' | 'previousEnd' | 'changedInputs' | 'findEarlierRun'
>;

/**
 * Opens the run of a command: an unfinished run with the same list and destination, or a new run. The run reads only
 * its own copies of the inputs (D5, D7). It reads a rejects file with the options of the run that rejected its rows.
 */
export async function startOrContinueRun<T extends RunOptions>(
  askedOptions: T,
  destination: Destination | undefined,
  context: RunContext,
): Promise<OpenRun<T>> {
  removeLeftoverCopies(context.stateFolder);
  const runId = newRunId(context.stateFolder, context.clock.now(), context.randomHex);
  const journal = createJournal(context.stateFolder, headerOf(runId, askedOptions, context));
  try {
    const inputCopies = await copyInputs(askedOptions.inputs, {
      ...context,
      folder: journal.files.inputs,
      dryRun: askedOptions.dryRun,
    });
    const { rejectingRuns, ...answers } = await findEarlierAnswers(askedOptions, inputCopies.files, context);
    if (rejectingRuns.length > 0) {
      journal.writeNote(REJECTS_OF_NOTE, rejectingRuns);
    }
    const options = { ...askedOptions, reading: answers.addEarlierAnswers(askedOptions.reading) };
    journal.amendHeader({ options: { ...(options as RunOptions) }, ...(destination ? { destination } : {}) });
    const inputs = askedOptions.dryRun ? [] : await inputCopies.record([]);
    const opened = await openMatchingOrNewRun({ journal, inputCopies, inputs }, context);
    return withProgress({ ...context, options, ...answers, ...opened });
  } catch (error) {
    // Deletes the new run: it sent nothing, so a resume would have nothing to continue.
    if (journal.db.isOpen) {
      journal.close();
    }
    discardRun(context.stateFolder, runId);
    throw error;
  }
}

interface NewRun extends Pick<OpenRun, 'journal' | 'inputCopies'> {
  /**
   * The inputs. The header of a new run gets them only once svc knows that the command continues no older run. A run
   * that is killed before has no inputs, so no resume can send the list a second time.
   */
  readonly inputs: RunHeader['inputs'];
}

/**
 * Continues the matching run. Starts a new run in three cases: in a dry run, if no run matches, or with --again if the
 * canary of the matching run failed.
 */
async function openMatchingOrNewRun({ inputs, ...newRun }: NewRun, context: RunContext): Promise<OpenedRun> {
  const runs = listReadableRuns(context.stateFolder);
  const started = {
    ...newRun,
    resumed: false,
    previousEnd: undefined,
    changedInputs: undefined,
    findEarlierRun: () => findEarlierImport(runs, newRun.journal.header, () => false),
  };
  const header = { ...newRun.journal.header, inputs };
  if (header.options.dryRun === true) {
    return started;
  }
  const query = queryOfRun(header);
  const exactQuery = {
    ...query,
    optionsHash: hashPlainData(header.options),
    sendOptionsHash: hashOfSendOptions(header.options),
  };
  const matching = await findMatchingRunOfAccount(runs, exactQuery, context);
  const startsAnew =
    header.options.again === true && matching !== undefined && failedCanary(context.stateFolder, matching);
  if (matching && !startsAnew) {
    return continueMatchingRun(matching.run, exactQuery, newRun, context);
  }
  useOwnKeys(newRun.journal, matching ?? findLastFinishedMatch(runs, query), context);
  const serviceNow = context.account?.client.serverNow() ?? context.clock.now();
  if (isContentReplaced(runs, header, serviceNow)) {
    newRun.journal.writeNote(importsContacts(header.command) ? OWN_KEYS_NOTE : OWN_CONTACT_KEYS_NOTE, true);
  }
  noteOlderVersion(findOlderVersion(runs, query, inputs), header, context);
  newRun.journal.amendHeader({ inputs });
  return started;
}

/** The query for runs with the same list and destination, whatever their options. */
function queryOfRun({ command, origin, destination, inputs, keyFingerprint }: RunHeader): MatchingRunQuery {
  return {
    command,
    origin,
    destinationId: destination?.id,
    previousId: destination && placeholderAudienceId(destination.name),
    inputs: inputs.map(({ sha256 }) => sha256),
    keyFingerprint,
    optionsHash: undefined,
    sendOptionsHash: undefined,
    excludedRuns: undefined,
  };
}

/**
 * Gives a run idempotency keys of its own, if the last run of this list found a difference (C1) or was overtaken (G10).
 * With the keys of that last run, the service would only replay its old responses, and write nothing.
 */
function useOwnKeys(journal: Journal, last: RunSummary | undefined, { emit }: RunContext): void {
  if (last?.status === 'unverified' || last?.overtakenBy !== undefined) {
    journal.writeNote(OWN_KEYS_NOTE, true);
    const why = last.overtakenBy === undefined ? 'found a difference' : `was overtaken by ${last.overtakenBy}`;
    emit({ type: 'note', message: `This is a new run of the whole list, because ${last.run} ${why}.` });
  }
}

/**
 * Warns about an unfinished run of an older version of the list. An older import can't continue once this run writes
 * contacts (G10). An older enrollment can still continue, because only its own records show whom it may have enrolled
 * (M5).
 */
function noteOlderVersion(
  older: ReturnType<typeof findOlderVersion>,
  { command }: RunHeader,
  { emit }: RunContext,
): void {
  if (older) {
    const { run, path } = older;
    const message =
      command === 'automations enroll'
        ? `${run} enrolls people by an older version of ${path}, and is not finished. A resume of it also enrolls people whom this list no longer has, or names as opted out. If it must not continue: svc runs delete ${run} --confirm ${run}`
        : `${run} sends an older version of ${path}. It is not finished, and can't continue after this run. To finish it first: svc runs resume ${run}`;
    emit({ type: 'note', message });
  }
}

/**
 * True if the run stopped because the people of its canary differed from what was sent. A resume would find the same
 * difference, so only a new run with another canary can succeed. It needs --again, because each canary writes up to
 * four more people. False if the service signed opted-out people up: a resume must opt them out again (C1).
 */
function failedCanary(stateFolder: string, { run, status }: RunSummary): boolean {
  return status === 'unverified' && readListedRun(stateFolder, run, hasSignedPeopleUp) !== true;
}

/** Continues an unfinished run with the options of this command. Replaces its input copies if they are damaged. */
async function continueMatchingRun(
  runId: string,
  query: MatchingRunQuery,
  { journal }: Pick<NewRun, 'journal'>,
  context: RunContext,
): Promise<OpenedRun> {
  const previousEnd = finalStateOf(context.stateFolder, runId);
  const matching = resumeJournal(context.stateFolder, runId);
  try {
    recordApiKey(matching, context);
    if ((await findDamagedCopy(matching.header.inputs, matching.files.inputs)) !== undefined) {
      rmSync(matching.files.inputs, { recursive: true, force: true });
      renameSync(journal.files.inputs, matching.files.inputs);
    }
    matching.amendHeader({ options: journal.header.options, typed: journal.header.typed });
    journal.close();
    discardRun(context.stateFolder, journal.run);
    for (const other of findEmptyMatches(context.stateFolder, query, runId)) {
      discardRun(context.stateFolder, other.run);
    }
  } catch (error) {
    restorePreviousEnd(matching, previousEnd);
    matching.close();
    throw error;
  }
  context.emit({ type: 'note', message: `Continuing ${runId}, which was not finished.` });
  const inputCopies = inputCopiesOf(matching);
  const earlier = { previousEnd, changedInputs: undefined, findEarlierRun: () => undefined };
  return { journal: matching, resumed: true, inputCopies, ...earlier };
}

function headerOf(runId: string, options: RunOptions, context: RunContext): RunHeader {
  const client = context.account?.client;
  return {
    run: runId,
    command: options.command,
    typed: context.typedCommand(),
    ...(context.isYesGiven && { agreed: true }),
    options: { ...options },
    origin: context.account?.origin ?? '',
    destination: undefined,
    inputs: [],
    keyFingerprint: context.account?.keyFingerprint ?? '',
    startedAt: context.clock.now(),
    ...(client?.knowsServerTime() && { serviceTime: client.serverNow() }),
    version: HEADER_VERSION,
  };
}
