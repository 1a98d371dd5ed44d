import { SvcError } from '../../base/lib/errors.ts';
import { EXIT, worstExit } from '../../base/lib/exit.ts';
import { problemOf } from '../../base/os/storage-error.ts';
import type { Journal } from '../../runs/store/journal.ts';
import type { PlannedAudience, RunContext } from '../context.ts';
import type { OutcomeCounts, RowCounts, RunReport } from '../types.ts';
import { interrupted } from '../write/send-recorded.ts';

/** How a run ended: its report, and the problem that ended it early, if any. */
export interface RunResult<Rows extends OutcomeCounts = RowCounts> {
  readonly report: RunReport<Rows>;
  readonly problem: SvcError | undefined;
  /** The audience as it was before the run. */
  readonly audience?: PlannedAudience | undefined;
}

/** What the end of a run needs. */
export interface RunEnding<Rows extends OutcomeCounts> {
  readonly journal: Journal;
  readonly problem: SvcError | undefined;
  readonly outside: RunContext;
  /** Writes the files for users, and returns their names. */
  write(): Promise<RunReport['files']>;
  report(files: RunReport['files'], problem: SvcError | undefined): RunReport<Rows>;
  /** Stores the report and the final status, at `now` of the wall clock. */
  record(report: RunReport<Rows>, now: number): void;
}

/**
 * Ends a run: files, report, status. There is always a report. A file that cannot be written, for example on a full
 * disk, is a problem in it (D2). A run whose status cannot be recorded stays unfinished.
 */
export async function endRun<Rows extends OutcomeCounts>(run: RunEnding<Rows>): Promise<RunResult<Rows>> {
  const { signal, clock } = run.outside.context;
  const now = clock.now();
  // Emitted without the phase recorder, so the report still names the phase in which the run ended.
  run.outside.emit({ type: 'phase', phase: 'report' });
  const lost = run.journal.lost();
  if (lost) {
    return endLost(run, lost, now);
  }
  let files: RunReport['files'] = {};
  const unwritten = await captureProblem(signal, async () => {
    files = await run.write();
  });
  const problem = run.problem ?? unwritten;
  const { report: json, reportHtml } = run.journal.files;
  const report = run.report({ ...files, report: json, report_html: reportHtml }, problem);
  const unrecorded = await captureProblem(signal, async () => run.record(report, now));
  if (!unrecorded) {
    return { report, problem };
  }
  const cause = problem ?? unrecorded;
  return { report: run.report(files, cause), problem: cause };
}

/**
 * Ends a run whose files were deleted. svc makes no new files in their place. The journal that is still open records
 * the final status (D8).
 */
async function endLost<Rows extends OutcomeCounts>(
  run: RunEnding<Rows>,
  lost: SvcError,
  now: number,
): Promise<RunResult<Rows>> {
  const { message, code, hint } = lost;
  // From inside, the loss looks like a bug or a missing file. A signal or a refusal keeps its exit code.
  const outranks = run.problem && ![EXIT.bug, EXIT.usage].some((exit) => exit === run.problem?.exit);
  const exit = outranks ? worstExit([lost.exit, run.problem.exit]) : lost.exit;
  const problem = new SvcError(exit, code, message, { hint, cause: run.problem });
  const report = run.report({}, problem);
  const { signal } = run.outside.context;
  await captureProblem(signal, async () => run.journal.setStatus(report.status, report.exit_code, now));
  return { report, problem };
}

/** Does the work of a run. Returns a problem that ends it early, so there is a report in every case. */
export async function captureProblem(signal: AbortSignal, work: () => Promise<void>): Promise<SvcError | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof SvcError) {
      return error;
    }
    if (signal.aborted) {
      return interrupted(signal);
    }
    return problemOf(error);
  }
}
