import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { sumOf } from '../../base/lib/rows.ts';
import { pathExists } from '../../base/os/files.ts';
import { DAMAGED, problemOf, storageError } from '../../base/os/storage-error.ts';
import { isRunning } from '../lock.ts';
import { isRunId, type RunFiles, runFiles, stateLayout } from '../state-folder.ts';
import type { Journal } from '../store/journal.ts';
import { isWithoutJournal, readRun } from '../store/read-run.ts';
import type { RunHeader } from '../store/run-header.ts';
import { hasSentRequests, isFinished, openOptOuts, overtakenBy } from './run-status.ts';

/** What `svc runs ls` shows about a run. */
export interface RunSummary {
  readonly run: string;
  readonly command: string;
  readonly status: string;
  readonly origin: string;
  readonly destination: string | undefined;
  readonly startedAt: number;
  readonly endedAt: number | undefined;
  readonly folder: string;
  /** The size of the input copies that still exist, in bytes. */
  readonly copiedBytes: number;
  /** The number of rows with an unknown outcome. */
  readonly unknown: number;
  /** The number of people who may have to be opted out again. */
  readonly openOptOuts?: number;
  /** True if there is nothing to resume. */
  readonly finished?: boolean;
  readonly phase?: string;
  readonly exitCode?: number;
  readonly destinationId?: string;
  /** The audience to which the rest of the run writes contacts. Undefined if it writes none. */
  readonly audienceId?: string;
  /** The run that wrote to this audience later. Then this run can't be resumed (G10). */
  readonly overtakenBy?: string;
  /** Undefined if the run can't be read. The same holds for `hasSent`. */
  readonly header?: RunHeader;
  /** True if the run has sent a request, or may have sent one. */
  readonly hasSent?: boolean;
  /** The error for a run that can't be read. */
  readonly problem?: SvcError;
}

/**
 * All runs of the state folder, newest first. `status` is `running` while a process works on the run, `unfinished`
 * after a kill, `broken` if run.db can't be read, else how the run ended.
 */
export function listRuns(state: string): RunSummary[] {
  const { runs } = stateLayout(state);
  const names = namesIn(runs).filter(isRunId);
  return (
    names
      .map((run) => summarize(state, run))
      // Another process may delete a run during this loop.
      .filter((run) => run.status !== 'broken' || pathExists(run.folder))
      .sort((a, b) => b.startedAt - a.startedAt || (a.run < b.run ? 1 : -1))
  );
}

/**
 * Like `listRuns`, for decisions that must not overlook a run (D9). Throws if a run can't be read. A run that was
 * killed before its first commit is listed as broken.
 */
export function listReadableRuns(state: string): RunSummary[] {
  const runs = listRuns(state);
  const error = unreadRun(runs, 'the command was not started');
  if (error) {
    throw error;
  }
  return runs;
}

/** The error about a run that can't be read, if there is one. `result` says what svc did not do because of it. */
export function unreadRun(runs: readonly RunSummary[], result: string): SvcError | undefined {
  const unread = runs.find(({ problem }) => problem !== undefined && !isWithoutJournal(problem));
  if (!unread?.problem) {
    return undefined;
  }
  const { run, problem } = unread;
  // A disk that fails for a moment looks like damage too, and the record keeps people from being mailed twice. So the
  // hint is to try again first, and to delete the run only if that fails.
  const damaged = `Run the same command again. If this error comes back, the record of that run is lost: check in the account what it did.\nTo go on without it: svc runs delete ${run} --confirm ${run}`;
  const hint = problem.code === DAMAGED ? damaged : problem.hint;
  return new SvcError(problem.exit, problem.code, `${run} can't be read, so ${result}: ${problem.message}`, { hint });
}

/** The id of the run that the user named. `latest` means the newest run for which `counts` is true. */
export function namedRun(state: string, given: string, counts: (run: RunSummary) => boolean = () => true): string {
  if (given !== 'latest') {
    return given;
  }
  const latest = listRuns(state).find(counts);
  if (!latest) {
    throw new SvcError(EXIT.usage, 'run_not_found', 'there is no run yet', { hint: `Runs are kept in ${state}` });
  }
  return latest.run;
}

function namesIn(folder: string): string[] {
  try {
    return pathExists(folder) ? readdirSync(folder) : [];
  } catch (error) {
    throw storageError(error, folder);
  }
}

/** The runs that can be resumed now, newest first. Runs in use by another process are not among them. */
export function unfinishedRuns(state: string): RunSummary[] {
  return listReadableRuns(state).filter(isUnfinished);
}

/** True for a run that can be resumed now. */
export function isUnfinished({ finished, status }: RunSummary): boolean {
  return finished === false && status !== 'running';
}

/** The summary of one run. A run that can't be read gets one too, with the status `broken`. */
export function summarize(state: string, run: string): RunSummary {
  const files = runFiles(state, run);
  try {
    return readRun(state, run, (journal) => summaryOf(journal, files));
  } catch (error) {
    return brokenSummary(files, run, problemOf(error));
  }
}

function summaryOf(journal: Journal, files: RunFiles): RunSummary {
  const { header, state } = journal;
  const status = state.status === 'running' && !isRunning(files) ? 'unfinished' : state.status;
  const open = openOptOuts(journal);
  return {
    run: header.run,
    command: header.command,
    status,
    origin: header.origin,
    destination: header.destination?.name || header.destination?.id,
    startedAt: header.startedAt,
    endedAt: state.endedAt,
    folder: files.folder,
    copiedBytes: copiedBytes(files),
    unknown: journal.requests.unknownRows(),
    header,
    hasSent: hasSentRequests(journal),
    ...(open > 0 && { openOptOuts: open }),
    finished: isFinished(status, journal),
    ...(state.phase && { phase: state.phase }),
    ...(state.exitCode !== undefined && { exitCode: state.exitCode }),
    ...(header.destination && { destinationId: header.destination.id }),
    ...audienceOfRest(journal),
  };
}

/** The audience that the run still writes to. An enrollment in its last phase has written all its contacts. */
function audienceOfRest(journal: Journal): Pick<RunSummary, 'audienceId' | 'overtakenBy'> {
  const { destination, options } = journal.header;
  const writes =
    destination?.kind !== 'automation' || (options.createContacts === true && journal.state.phase !== 'enrollments');
  const audienceId = destination?.audienceId ?? destination?.id;
  const by = overtakenBy(journal);
  return { ...(writes && audienceId && { audienceId }), ...(by && { overtakenBy: by }) };
}

/**
 * Deletes input copies of finished runs. They remain if a run was killed before it deleted them, or while it copied.
 */
export function removeLeftoverCopies(state: string): void {
  for (const run of namesIn(stateLayout(state).runs).filter(isRunId)) {
    const { inputs } = runFiles(state, run);
    if (existsSync(inputs) && summarize(state, run).finished) {
      removeCopies(inputs);
    }
  }
}

function removeCopies(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // The next run tries again.
  }
}

/** The size of the input copies of a run. 0 if they were deleted. */
function copiedBytes({ inputs }: RunFiles): number {
  try {
    return sumOf(readdirSync(inputs).map((name) => statSync(join(inputs, name)).size));
  } catch {
    // Another process removed the copies meanwhile.
    return 0;
  }
}

function brokenSummary(files: RunFiles, run: string, problem: SvcError): RunSummary {
  return {
    run,
    command: '',
    status: 'broken',
    origin: '',
    destination: undefined,
    startedAt: Math.round(statSync(files.folder, { throwIfNoEntry: false })?.mtimeMs ?? 0),
    endedAt: undefined,
    folder: files.folder,
    copiedBytes: copiedBytes(files),
    unknown: 0,
    problem,
  };
}
