import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { sumOf } from '../../base/lib/rows.ts';
import { pathExists } from '../../base/os/files.ts';
import { STATE_DAMAGED_CODE, toSvcError } from '../../base/os/storage-error.ts';
import type { Journal } from '../store/journal.ts';
import { isRunning } from '../store/lock.ts';
import { isWithoutJournal, readRun } from '../store/open-journal.ts';
import { type RunHeader, writtenAudienceId } from '../store/run-header.ts';
import { isRunId, namesInFolder, type RunFiles, runFiles, stateFolderLayout } from '../store/state-folder.ts';
import {
  countOpenOptOuts,
  hasSentRequests,
  isComparisonCommand,
  isFinished,
  ONLY_OPT_OUTS_NOTE,
  overtakenBy,
} from './run-status.ts';

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
  /** The number of opted-out or pending people whom the service may have signed up. A resume reads them back. */
  readonly openOptOuts?: number;
  /** True if there is nothing to resume. */
  readonly finished?: boolean;
  readonly phase?: string;
  readonly exitCode?: number;
  readonly destinationId?: string;
  /** The audience to which a resume would write contacts. Undefined if a resume would write no contacts. */
  readonly audienceId?: string;
  /** The newer run that wrote to the same audience. Because of it, this run can't be resumed (G10). */
  readonly overtakenBy?: string;
  /** True if the run sends only opt-outs as contacts. */
  readonly onlyOptOuts?: true;
  /** The header of the run. Undefined if the run can't be read. */
  readonly header?: RunHeader;
  /** True if the run has sent a request, or may have sent one. */
  readonly hasSent?: boolean;
  /** When the run last sent a request under a new key, by the service's clock. Undefined if it sent none. */
  readonly lastSentAt?: number | undefined;
  /** The error for a run that can't be read. */
  readonly problem?: SvcError;
}

/**
 * All runs, newest first. Some statuses: `running` while a process works on the run, `unfinished` after a kill,
 * `broken` if it can't be read.
 */
export function listRuns(stateFolder: string): RunSummary[] {
  // Ids sort in the order in which the runs began. Recorded times may not, because a clock may be set back (P7).
  const ids = namesInFolder(stateFolderLayout(stateFolder).runs).filter(isRunId).sort().reverse();
  const runs = ids.map((run) => summarizeRun(stateFolder, run));
  // A run looks broken if another process deleted it during this loop. Such a run is left out.
  return runs.filter((run) => run.status !== 'broken' || pathExists(run.folder));
}

/**
 * Like `listRuns`, but throws if a run can't be read. Used for decisions that must not overlook a run (D9). Does not
 * throw for a run that was killed before its first write, because that run sent nothing.
 */
export function listReadableRuns(stateFolder: string): RunSummary[] {
  const runs = listRuns(stateFolder);
  const error = unreadableRunError(runs, 'the command was not started');
  if (error) {
    throw error;
  }
  return runs;
}

/** The error for a run that can't be read, if there is one. `result` says what svc did not do because of the error. */
export function unreadableRunError(runs: readonly RunSummary[], result: string): SvcError | undefined {
  const unread = runs.find(({ problem }) => problem !== undefined && !isWithoutJournal(problem));
  if (!unread?.problem) {
    return undefined;
  }
  const { run, problem } = unread;
  // A disk that fails for a moment looks like damage too. So the first hint is to try again, not to delete the run.
  const damaged = `Run the same command again. If this error comes back, the record of that run is lost: check in the account what it did.\nTo go on without it: svc runs delete ${run} --confirm ${run}`;
  const hint = problem.code === STATE_DAMAGED_CODE ? damaged : problem.hint;
  return new SvcError(problem.exit, problem.code, `${run} can't be read, so ${result}: ${problem.message}`, { hint });
}

/** The id of the run that the user named. The name `latest` means the newest run for which `isCounted` is true. */
export function resolveRunName(
  stateFolder: string,
  name: string,
  isCounted: (run: RunSummary) => boolean = () => true,
): string {
  if (name !== 'latest') {
    return name;
  }
  const latest = listRuns(stateFolder).find(isCounted);
  if (!latest) {
    throw new SvcError(EXIT.usage, 'run_not_found', 'there is no run yet', { hint: `Runs are kept in ${stateFolder}` });
  }
  return latest.run;
}

/** The runs that can be resumed now, newest first. Leaves out runs on which another process works. */
export function unfinishedRuns(stateFolder: string): RunSummary[] {
  return listReadableRuns(stateFolder).filter(isUnfinished);
}

/** True for a run that can be resumed now. */
export function isUnfinished({ finished, status }: RunSummary): boolean {
  return finished === false && status !== 'running';
}

/**
 * True for a run that ended before the user agreed to its plan, for example because the terminal closed at a question.
 * It has nothing to finish, because the user agreed to no write (M7).
 */
export function wasNeverAgreed({ command, header, hasSent, phase, status }: RunSummary): boolean {
  const mayBeAsked = !isComparisonCommand(command) && (phase === 'survey' || phase === 'plan');
  return mayBeAsked && status !== 'running' && header?.agreed !== true && hasSent !== true;
}

/** The summary of one run. If run.db can't be read, the status is `broken`. */
export function summarizeRun(stateFolder: string, run: string): RunSummary {
  const files = runFiles(stateFolder, run);
  try {
    return readRun(stateFolder, run, (journal) => summaryOf(journal, files));
  } catch (error) {
    return brokenSummary(files, run, toSvcError(error));
  }
}

function summaryOf(journal: Journal, files: RunFiles): RunSummary {
  const { header, state } = journal;
  const status = state.status === 'running' && !isRunning(files) ? 'unfinished' : state.status;
  const open = countOpenOptOuts(journal);
  return {
    run: header.run,
    command: header.command,
    status,
    origin: header.origin,
    destination: header.destination?.name || header.destination?.id,
    startedAt: header.startedAt,
    endedAt: state.endedAt,
    folder: files.folder,
    copiedBytes: countCopiedBytes(files),
    unknown: journal.requests.unknownRows(),
    header,
    hasSent: hasSentRequests(journal),
    lastSentAt: journal.requests.lastSentAt(),
    ...(open > 0 && { openOptOuts: open }),
    finished: isFinished(status, journal),
    ...(state.phase && { phase: state.phase }),
    ...(state.exitCode !== undefined && { exitCode: state.exitCode }),
    ...(header.destination && { destinationId: header.destination.id }),
    ...audienceOfRest(journal),
  };
}

/** The audience to which a resume would write contacts. An enrollment in its last phase writes no more contacts. */
function audienceOfRest(journal: Journal): Pick<RunSummary, 'audienceId' | 'overtakenBy' | 'onlyOptOuts'> {
  const audienceId = journal.state.phase === 'enrollments' ? undefined : writtenAudienceId(journal.header);
  const overtakingRun = overtakenBy(journal);
  return {
    ...(audienceId && { audienceId }),
    ...(overtakingRun && { overtakenBy: overtakingRun }),
    ...(journal.readNote(ONLY_OPT_OUTS_NOTE) === true && { onlyOptOuts: true }),
  };
}

/** Deletes input copies of finished runs. A run that was killed may have left some. */
export function removeLeftoverCopies(stateFolder: string): void {
  for (const run of namesInFolder(stateFolderLayout(stateFolder).runs).filter(isRunId)) {
    const { inputs } = runFiles(stateFolder, run);
    if (existsSync(inputs) && summarizeRun(stateFolder, run).finished) {
      removeCopies(inputs);
    }
  }
}

function removeCopies(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // The next run tries this again.
  }
}

/** The size of the input copies of a run. 0 if they were deleted. */
function countCopiedBytes({ inputs }: RunFiles): number {
  try {
    return sumOf(readdirSync(inputs).map((name) => statSync(join(inputs, name)).size));
  } catch {
    // There are no copies, or another process removed them meanwhile.
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
    copiedBytes: countCopiedBytes(files),
    unknown: 0,
    problem,
  };
}
