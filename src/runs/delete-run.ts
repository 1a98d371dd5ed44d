import { readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { EXIT, errorCode, SvcError } from '../base/lib/errors.ts';
import { plural } from '../base/lib/text.ts';
import { pathExists } from '../base/os/files.ts';
import { isTransient, throwIfBug, toStorageError } from '../base/os/storage-error.ts';
import { listRuns } from './find/list-runs.ts';
import { stepForUnknown } from './find/next-commands.ts';
import { isComparisonCommand } from './find/run-status.ts';
import { type RunSummary, summarizeRun } from './find/summarize-run.ts';
import { isRunning, runBusyError } from './store/lock.ts';
import { existingRunFiles, runFiles, stateFolderLayout } from './store/state-folder.ts';

/** What `runs prune` did: the runs that it deleted, and the old runs that it kept, each with the reason. */
export interface PruneResult {
  readonly deleted: readonly string[];
  readonly kept: readonly { readonly run: string; readonly why: KeptReason }[];
}

/** `maybe_young`: the run is old by the clock of this machine, but no time of the service confirms its age. */
type KeptReason = 'unfinished' | 'unknown' | 'broken' | 'running' | 'maybe_young';

/**
 * Deletes the folder of a run. Throws while another process works on the run, and after a temporary read error. Some
 * folders are damaged, or are the only record of unknown outcomes or of people whom svc must read back. For such a
 * folder, `confirm` must be the id of the run.
 */
export function deleteRun(
  stateFolder: string,
  run: string,
  options: { readonly confirm?: string | undefined } = {},
): void {
  if (isRunning(existingRunFiles(stateFolder, run))) {
    throw runBusyError(run);
  }
  const summary = summarizeRun(stateFolder, run);
  if (isTransient(summary.problem)) {
    throw summary.problem;
  }
  const reason = reasonToKeep(summary);
  if (reason && options.confirm !== run) {
    const command = `svc runs delete ${run} --confirm ${run}`;
    const [code, first] = firstStep(summary);
    const record = code === 'unknown_rows' && summary.unknown === 1 ? 'it' : 'them';
    const steps = [first, `Only if you no longer need this record: ${command}`];
    throw new SvcError(EXIT.refused, code, `${run} ${reason}; its folder is the only record of ${record}`, {
      hint: steps.filter((step) => step !== undefined).join('\n'),
    });
  }
  if (!remove(stateFolder, run)) {
    throw runBusyError(run);
  }
}

/** The error code for a run that is the only record of something, and the step to take before its deletion. */
function firstStep(summary: RunSummary): readonly [code: string, step: string | undefined] {
  return summary.openOptOuts
    ? ['open_opt_outs', `To read these people, and opt out those who left: svc runs resume ${summary.run}`]
    : ['unknown_rows', stepForUnknown(summary)];
}

/** Deletes a run that is no longer needed. If the deletion fails, the run stays and the command goes on (D9). */
export function discardRun(stateFolder: string, run: string): void {
  try {
    deleteRun(stateFolder, run);
  } catch (error) {
    throwIfBug(error);
  }
}

/** Which runs to delete. A run is deleted only if all given limits allow it. */
export interface PruneLimits {
  /**
   * Deletes only runs that ended more than `ms` milliseconds ago. A run without an end counts from its start. `now` is
   * the time of this machine.
   */
  readonly olderThan?: { readonly ms: number; readonly now: number } | undefined;
  /** The number of runs to keep: the newest among those that could be deleted. */
  readonly keep?: number | undefined;
}

/**
 * Deletes old runs that are finished, have no unknown outcomes, and have no people whom svc must read back. A run that
 * only compares (`contacts check`, `runs verify`) is also deleted unfinished, because it writes nothing. With
 * `olderThan`, a run stays if no time of the service shows its age (`mayBeYoung`).
 */
export function pruneRuns(stateFolder: string, { olderThan, keep = 0 }: PruneLimits): PruneResult {
  const runs = listRuns(stateFolder);
  const newest = new Set(runs.filter((run) => whyKept(run) === undefined).slice(0, keep));
  const isOld = (run: RunSummary) => !olderThan || (run.endedAt ?? run.startedAt) < olderThan.now - olderThan.ms;
  const old = runs.filter((run) => isOld(run) && !newest.has(run));
  const reasonOf = (run: RunSummary) =>
    whyKept(run) ?? (olderThan && mayBeYoung(run, runs, olderThan.ms) ? 'maybe_young' : undefined);
  const removable = old.filter((run) => reasonOf(run) === undefined);
  const deleted = new Set(removable.filter(({ run }) => remove(stateFolder, run)));
  removeLeftovers(stateFolderLayout(stateFolder).runs);
  return {
    deleted: [...deleted].map(({ run }) => run),
    kept: old.filter((run) => !deleted.has(run)).map((run) => ({ run: run.run, why: reasonOf(run) ?? 'running' })),
  };
}

/**
 * True if no time of the service shows that a run is older than `ms`. A later run at the same origin can show it. The
 * clock of this machine may be wrong, and the run may have the only copy of opt-out dates. So `runs prune` keeps such a
 * run (P7). A run that sent nothing, or sent to an emulator, needs no proof of its age.
 */
function mayBeYoung(run: RunSummary, runs: readonly RunSummary[], ms: number): boolean {
  if (!run.hasSent || isLocal(run.origin)) {
    return false;
  }
  const [sentAt] = timesOfService(run).toReversed();
  const times = runs.filter(({ origin }) => origin === run.origin).flatMap(timesOfService);
  return sentAt === undefined || !times.some((time) => time - sentAt > ms);
}

/**
 * The times of the service that a run recorded: its start, its last request and its end. If no start is recorded, the
 * time of the last request does not count either, because it may come from the clock of this machine.
 */
function timesOfService({ header, lastSentAt }: RunSummary): number[] {
  const { serviceTime, serviceTimeAtEnd } = header ?? {};
  const early = serviceTime === undefined ? [] : [serviceTime, lastSentAt];
  return [...early, serviceTimeAtEnd].filter((time) => time !== undefined);
}

/**
 * True for an emulator, whose clock may be set to any time. A service with plain http runs on this machine, so it
 * counts as an emulator.
 */
function isLocal(origin: string): boolean {
  return origin.startsWith('emulator:') || origin.startsWith('http:');
}

const DELETED = '.deleted-';

/** Why a run may only be deleted with --confirm, as the end of a sentence. Undefined if no --confirm is needed. */
function reasonToKeep(run: RunSummary): string | undefined {
  if (run.status === 'broken') {
    return "can't be read and may have rows with an unknown outcome";
  }
  if (run.openOptOuts) {
    return `may have signed up ${plural(run.openOptOuts, 'person', 'people')} who had opted out or not confirmed`;
  }
  return run.unknown > 0 ? `has ${plural(run.unknown, 'row')} with an unknown outcome` : undefined;
}

function whyKept(run: RunSummary): Exclude<KeptReason, 'maybe_young'> | undefined {
  if (run.status === 'running' || run.status === 'broken') {
    return run.status;
  }
  if (run.unknown > 0) {
    return 'unknown';
  }
  return (run.finished && !run.openOptOuts) || isComparisonCommand(run.command) ? undefined : 'unfinished';
}

/**
 * Deletes the folder of a run. Renames it first, because a kill may interrupt the deletion: then `removeLeftovers`
 * deletes the renamed folder. Returns false, and deletes nothing, if a process took the lock of the run since the last
 * check. A process that takes the lock after the rename finds no journal under the old path.
 */
function remove(stateFolder: string, run: string): boolean {
  const { folder, lock } = runFiles(stateFolder, run);
  const trash = join(folder, '..', DELETED + run);
  try {
    renameSync(folder, trash);
    if (isRunning({ folder: trash, lock: join(trash, basename(lock)) })) {
      renameSync(trash, folder);
      return false;
    }
    rmSync(trash, { recursive: true, force: true });
  } catch (error) {
    // Another process has deleted the run.
    if (errorCode(error) !== 'ENOENT') {
      throw toStorageError(error, folder);
    }
  }
  return true;
}

/** Deletes the renamed folders that are left if a deletion was killed. */
function removeLeftovers(runs: string): void {
  try {
    const leftovers = pathExists(runs) ? readdirSync(runs).filter((name) => name.startsWith(DELETED)) : [];
    for (const name of leftovers) {
      rmSync(join(runs, name), { recursive: true, force: true });
    }
  } catch (error) {
    throw toStorageError(error, runs);
  }
}
