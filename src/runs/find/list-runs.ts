import { existsSync, rmSync } from 'node:fs';
import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { pathExists } from '../../base/os/files.ts';
import { STATE_DAMAGED_CODE } from '../../base/os/storage-error.ts';
import { isWithoutJournal } from '../store/open-journal.ts';
import { isRunId, namesInFolder, runFiles, stateFolderLayout } from '../store/state-folder.ts';
import { isComparisonCommand } from './run-status.ts';
import { type RunSummary, summarizeRun } from './summarize-run.ts';

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
