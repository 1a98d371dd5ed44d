import { EXIT, rewordError, SvcError } from '../../base/lib/errors.ts';
import { hashPlainData } from '../../base/lib/hash.ts';
import { abortError } from '../../base/lib/interruption.ts';
import { terminalSafe } from '../../base/lib/text.ts';
import { transaction } from '../../base/os/sqlite.ts';
import { requireFreeFileHandles, throwIfBug } from '../../base/os/storage-error.ts';
import { discardRun } from '../../runs/delete-run.ts';
import { listReadableRuns } from '../../runs/find/list-runs.ts';
import { findUnfinishedMatchingRun, queryOf, refuseRunningMatch } from '../../runs/find/matching-run.ts';
import { hintForOrigin } from '../../runs/find/next-commands.ts';
import { refuseCreationElsewhere, refuseSimilarCreation, type Similarity } from '../../runs/find/similar-creation.ts';
import type { Journal } from '../../runs/store/journal.ts';
import { runExclusively } from '../../runs/store/lock.ts';
import { createJournal, resumeJournal } from '../../runs/store/open-journal.ts';
import { HEADER_VERSION } from '../../runs/store/run-header.ts';
import { newRunId } from '../../runs/store/state-folder.ts';
import { CreationOutcomeUnknown } from '../../sending/create-idempotently.ts';
import { type CreationRun, endCreation, findOpenCreation, recordedResponse } from '../../sending/creation-record.ts';
import { hintForCreated } from '../../sending/read-created.ts';
import type { Invocation } from './invocation.ts';
import { writeNote } from './output/print.ts';
import { prepareCreationLine } from './output/resume-line.ts';
import type { Account } from './settings/account.ts';
import { resolveStateFolder } from './settings/settings.ts';

interface CreationCommand {
  readonly command: string;
  /** A part of the idempotency key that says what is created, such as `webhook`. */
  readonly op: string;
  /** What a resume needs: what is sent, and where the result is stored. run.db has it, so it must hold no secret. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Where the user can see whether the request had an effect, for example `svc audiences ls`. */
  readonly whereToCheck: string;
  /** True if a resume may repeat the key at any age, because it first checks that the object does not exist yet. */
  readonly canRenewKey?: boolean;
  readonly resume?: string | undefined;
  /**
   * Recognizes a run with other options that may have the same effect, such as a second endpoint for the same URL. That
   * run must end first. Without `similarity`, only runs with the same options count.
   */
  readonly similarity?: Similarity;
}

/**
 * Calls `create` with a run that stores the idempotency key. Deletes the run once the result is stored and shown. If
 * the outcome is unknown, the run stays, and the error names the command that resumes it.
 */
export async function withCreationRun<T>(
  command: CreationCommand,
  account: Account,
  invocation: Invocation<unknown>,
  create: (run: CreationRun) => Promise<T>,
): Promise<T> {
  requireFreeFileHandles(OPEN_FILES);
  const { context, settings } = invocation;
  const { client, keyFingerprint } = account;
  const { clock, signal, randomHex } = context;
  const stateFolder = resolveStateFolder(context, settings);
  const journal = openJournal(command, account, invocation);
  const rows = [{ source: 0, line: 1 }];
  const run = { journal, client, clock, signal, keyFingerprint, op: command.op, rows, randomHex };
  const unguard = client.addStateCheck(journal.problemIfLost);
  prepareCreationLine(invocation, journal.run);
  try {
    const result = await create(run);
    // The result is stored and shown. So no resume is needed, even if svc can't delete the run.
    transaction(journal.db, () => {
      endCreation(run, 'done');
      journal.setStatus('completed', EXIT.ok, context.clock.now());
    });
    return result;
  } catch (error) {
    throw findOpenCreation(run) ? withResumeCommand(run, command, { error, now: context.clock.now() }) : error;
  } finally {
    unguard();
    closeRun(run, stateFolder);
  }
}

// The maximum number of open files: the journal, its lock, a connection, the secret file, and files of an earlier run.
const OPEN_FILES = 16;

/** Closes the run, and deletes its folder if nothing is left to resume. An unreadable run does not fail the command. */
function closeRun(run: CreationRun, stateFolder: string): void {
  const { journal } = run;
  let isRemovable = false;
  try {
    isRemovable = findOpenCreation(run) === undefined && !journal.problemIfLost();
  } catch (error) {
    throwIfBug(error);
  } finally {
    journal.close();
  }
  if (isRemovable) {
    discardRun(stateFolder, journal.run);
  }
}

function openJournal(command: CreationCommand, account: Account, invocation: Invocation<unknown>): Journal {
  const stateFolder = resolveStateFolder(invocation.context, invocation.settings);
  if (command.resume !== undefined) {
    return checkedAccount(resumeJournal(stateFolder, command.resume), account);
  }
  // Only one process at a time may look for a matching run and create a run. If two commands begin at once, the second
  // one then finds the run of the first.
  return runExclusively(stateFolder, command.op, () => openMatchingOrNew(command, account, invocation));
}

function openMatchingOrNew(creation: CreationCommand, account: Account, invocation: Invocation<unknown>): Journal {
  const { command, options } = creation;
  const { context, settings } = invocation;
  const { origin, keyFingerprint } = account;
  const stateFolder = resolveStateFolder(context, settings);
  refuseCreationElsewhere(stateFolder, { command, origin, options }, creation.similarity);
  if (creation.similarity) {
    refuseSimilarCreation(stateFolder, { command, origin, options }, creation.similarity);
  }
  // Continues a run with the same options, because a second key would create a second object.
  const query = queryOf({ command, origin, destinationId: undefined, inputs: [] }, hashPlainData(options));
  refuseRunningMatch(stateFolder, query);
  const matchingRun = findUnfinishedMatchingRun(listReadableRuns(stateFolder), query)?.run;
  if (matchingRun !== undefined) {
    // With --json, only an error may be on stderr.
    if (!settings.output.quiet && !settings.output.json) {
      writeNote(context, `Resuming ${matchingRun}, which did not finish.`);
    }
    return checkedAccount(resumeJournal(stateFolder, matchingRun), account);
  }
  return createJournal(stateFolder, {
    run: newRunId(stateFolder, context.clock.now(), context.randomHex),
    command,
    options,
    origin,
    destination: undefined,
    inputs: [],
    keyFingerprint,
    startedAt: context.clock.now(),
    version: HEADER_VERSION,
  });
}

/** Throws if the run began at another origin or with another API key: its idempotency key is not known here (K4). */
function checkedAccount(journal: Journal, account: Account): Journal {
  try {
    requireSameAccount(journal, account);
    return journal;
  } catch (error) {
    journal.close();
    throw error;
  }
}

function requireSameAccount({ header, run }: Journal, account: Account): void {
  const { origin, keyFingerprint } = header;
  if (origin !== account.origin || keyFingerprint !== account.keyFingerprint) {
    const what = origin === account.origin ? 'with another API key' : `at ${terminalSafe(origin)}`;
    throw new SvcError(EXIT.usage, 'another_destination', `${run} began ${what}, so it cannot be repeated here`, {
      hint:
        (origin === account.origin ? undefined : hintForOrigin(origin)) ??
        `Check whether it was done. Then delete its record: svc runs delete ${run} --confirm ${run}`,
    });
  }
}

/** Records that the run is not finished, and returns its error with a hint that says how to continue. */
function withResumeCommand(
  run: CreationRun,
  command: CreationCommand,
  { error, now }: { readonly error: unknown; readonly now: number },
): unknown {
  const { journal, signal } = run;
  const problem = signal.aborted && !(error instanceof SvcError) ? abortError(signal) : error;
  if (!(problem instanceof SvcError)) {
    return problem;
  }
  const code = isRepeatable(problem, command) ? problem.code : 'in_doubt';
  // The service refused a repeat. This proves nothing about the first attempt, so the exit code is not `stopped`.
  const exit = problem.exit === EXIT.stopped ? EXIT.failed : problem.exit;
  journal.setStatus(exit === EXIT.later ? 'later' : 'failed', exit, now);
  return rewordError(problem, { exit, code, hint: nextStep(run, problem, command) });
}

/** False if svc can't send the key again. Then only the user can find out whether the object was created. */
function isRepeatable(problem: SvcError, { canRenewKey = false }: CreationCommand): boolean {
  const expired = problem instanceof CreationOutcomeUnknown ? problem.expired : undefined;
  return !(expired === 'stored' || (expired === 'time' && !canRenewKey));
}

function nextStep(creation: CreationRun, problem: SvcError, command: CreationCommand): string {
  const { whereToCheck } = command;
  const { run } = creation.journal;
  const isDone = recordedResponse(creation) !== undefined;
  if (creation.journal.problemIfLost()) {
    return `${isDone ? 'It was done' : 'It is unknown whether it was done'}. Check: ${whereToCheck}\n${problem.hint ?? ''}`;
  }
  const forget = `Then: svc runs delete ${run} --confirm ${run}`;
  if (isDone) {
    return isRepeatable(problem, command)
      ? (hintForCreated(problem) ?? `It was done, but its result was not stored. Resume: svc runs resume ${run}`)
      : `It was done, but its result is lost, and the request can't be repeated. Delete what was created: ${whereToCheck}\n${forget}\nAfter that run the same command again.`;
  }
  return isRepeatable(problem, command)
    ? `It is unknown whether it was done. Repeat the request with the same key: svc runs resume ${run}`
    : `It is unknown whether it was done, and it is too late to repeat the request. The service may work on it for up to ten minutes. After that check: ${whereToCheck}\n${forget}\nIf it was not done, run the same command again.`;
}
