import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { SvcError } from '../../base/lib/errors.ts';
import { sumOf } from '../../base/lib/rows.ts';
import { reliableStampOf } from '../../base/os/sqlite.ts';
import { toSvcError } from '../../base/os/storage-error.ts';
import type { Journal } from '../store/journal.ts';
import { isRunning } from '../store/lock.ts';
import { readRun } from '../store/open-journal.ts';
import { type RunHeader, writtenAudienceId } from '../store/run-header.ts';
import { type RunFiles, runFiles } from '../store/state-folder.ts';
import { countOpenOptOuts, hasSentRequests, isFinished, ONLY_OPT_OUTS_NOTE, overtakenBy } from './run-status.ts';

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
 * The summary of one run. If run.db can't be read, the status is `broken`. A command lists all runs several times, and
 * most of them ended long ago. So svc reads such a run once, and again only when its run.db has changed.
 */
export function summarizeRun(stateFolder: string, run: string): RunSummary {
  const files = runFiles(stateFolder, run);
  try {
    const stamp = reliableStampOf(files.db);
    const ended = stamp === undefined ? undefined : ENDED.get(files.db);
    if (ended && ended.stamp === stamp) {
      return { ...ended.summary, copiedBytes: countCopiedBytes(files) };
    }
    const summary = readRun(stateFolder, run, (journal) => summaryOf(journal, files));
    if (stamp !== undefined && summary.endedAt !== undefined) {
      remember(files.db, { stamp, summary });
    }
    return summary;
  } catch (error) {
    return brokenSummary(files, run, toSvcError(error));
  }
}

/** The summary of a run that ended, and the stamp of its run.db before it was read. */
interface EndedRun {
  readonly stamp: string;
  readonly summary: RunSummary;
}

const ENDED = new Map<string, EndedRun>();
const MAX_ENDED = 2_000;

function remember(path: string, ended: EndedRun): void {
  if (ENDED.size >= MAX_ENDED) {
    ENDED.clear();
  }
  ENDED.set(path, ended);
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
