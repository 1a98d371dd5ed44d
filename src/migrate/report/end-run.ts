import { SvcError } from '../../base/lib/errors.ts';
import { EXIT, worstExit } from '../../base/lib/exit.ts';
import { abortError } from '../../base/lib/interruption.ts';
import { problemOf } from '../../base/os/storage-error.ts';
import type { RunOptions } from '../options.ts';
import type { OpenRun, PlannedAudience } from '../run-context.ts';
import type { OutcomeCounts, RowCounts, RunReport } from './run-report.ts';

export interface RunResult<Rows extends OutcomeCounts = RowCounts> {
  readonly report: RunReport<Rows>;
  readonly problem: SvcError | undefined;
  readonly audience?: PlannedAudience | undefined;
}

interface EndSteps<Rows extends OutcomeCounts> {
  write(): Promise<RunReport['files']>;
  report(files: RunReport['files'], problem: SvcError | undefined): RunReport<Rows>;
  record(report: RunReport<Rows>, now: number): void;
}

/**
 * Ends a run: files, report, status. `earlier` is the problem that ended it early. There is always a report. A file
 * that cannot be written, for example on a full disk, is a problem in it (D2). A run whose status cannot be recorded
 * stays unfinished.
 */
export async function endRun<Rows extends OutcomeCounts>(
  run: OpenRun<RunOptions>,
  earlier: SvcError | undefined,
  steps: EndSteps<Rows>,
): Promise<RunResult<Rows>> {
  const { signal, clock, journal } = run;
  const now = clock.now();
  run.emit({ type: 'phase', phase: 'report' });
  const lost = journal.lost();
  if (lost) {
    const problem = lostProblem(lost, earlier);
    const report = steps.report({}, problem);
    // svc makes no new files in place of deleted ones. The journal that is still open records the final status (D8).
    await captureProblem(signal, async () => journal.setStatus(report.status, report.exit_code, now));
    return { report, problem };
  }
  let files: RunReport['files'] = {};
  const unwritten = await captureProblem(signal, async () => {
    files = await steps.write();
  });
  const problem = worseProblem(earlier, unwritten);
  const { report: json, reportHtml } = journal.files;
  const report = steps.report({ ...files, report: json, report_html: reportHtml }, problem);
  const unrecorded = await captureProblem(signal, async () => steps.record(report, now));
  if (!unrecorded) {
    return { report, problem };
  }
  const cause = problem ?? unrecorded;
  return { report: steps.report(files, cause), problem: cause };
}

/**
 * The problem to report if both ended a run. A run that is interrupted while its files are written must be resumed for
 * them.
 */
function worseProblem(earlier: SvcError | undefined, unwritten: SvcError | undefined): SvcError | undefined {
  if (!earlier || !unwritten) {
    return earlier ?? unwritten;
  }
  return worstExit([earlier.exit, unwritten.exit]) === earlier.exit ? earlier : unwritten;
}

/** The problem of a run whose files were deleted. Otherwise the loss would look like a bug. */
function lostProblem({ exit, message, code, hint }: SvcError, earlier: SvcError | undefined): SvcError {
  // A signal or a refusal that ended the run before keeps its exit code.
  const outranks = earlier && ![EXIT.bug, EXIT.usage].some((one) => one === earlier.exit);
  return new SvcError(outranks ? worstExit([exit, earlier.exit]) : exit, code, message, { hint, cause: earlier });
}

/** Does the work of a run. Returns a problem that ends it early, so that there is a report in every case. */
export async function captureProblem(signal: AbortSignal, work: () => Promise<void>): Promise<SvcError | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof SvcError) {
      return error;
    }
    if (signal.aborted) {
      return abortError(signal);
    }
    return problemOf(error);
  }
}
