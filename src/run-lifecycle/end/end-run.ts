import { EXIT, SvcError, worstExitCode } from '../../base/lib/errors.ts';
import { abortError } from '../../base/lib/interruption.ts';
import { toSvcError } from '../../base/os/storage-error.ts';
import type { OpenRun, PlannedAudience } from '../data/run-context.ts';
import type { RunOptions } from '../data/run-options.ts';
import type { OutcomeCounts, RowCounts, RunReport } from '../data/run-report.ts';

/** How a run ended. `problem` is what ended it early, if anything. */
export interface RunResult<Rows extends OutcomeCounts = RowCounts> {
  readonly report: RunReport<Rows>;
  readonly problem: SvcError | undefined;
  readonly audience?: PlannedAudience | undefined;
}

/** The steps at the end of a run in which an import and an enrollment differ. */
interface EndSteps<Rows extends OutcomeCounts> {
  write(): Promise<RunReport['files']>;
  report(files: RunReport['files'], problem: SvcError | undefined): RunReport<Rows>;
  record(report: RunReport<Rows>, now: number): void;
}

/**
 * Ends a run: writes its files and report, and records its status. Always returns a report. If a file can't be written,
 * for example on a full disk, the report says so (D2). If the status can't be recorded, the run stays unfinished.
 * `earlier` is the problem that stopped the run before this step, if any.
 */
export async function endRun<Rows extends OutcomeCounts>(
  run: OpenRun<RunOptions>,
  earlier: SvcError | undefined,
  steps: EndSteps<Rows>,
): Promise<RunResult<Rows>> {
  const { signal, clock, journal } = run;
  const now = clock.now();
  run.emit({ type: 'phase', phase: 'report' });
  const lost = journal.problemIfLost();
  if (lost) {
    const problem = lostProblem(lost, earlier);
    const report = steps.report({}, problem);
    // The files of the run were deleted or replaced. svc writes no new files there, only the status into the database
    // that is still open (D8).
    await captureProblem(signal, async () => journal.setStatus(report.status, report.exit_code, now));
    return { report, problem };
  }
  let files: RunReport['files'] = {};
  const writeProblem = await captureProblem(signal, async () => {
    files = await steps.write();
  });
  const problem = worseProblem(earlier, writeProblem);
  const { report: json, reportHtml } = journal.files;
  const report = steps.report({ ...files, report: json, report_html: reportHtml }, problem);
  const recordProblem = await captureProblem(signal, async () => steps.record(report, now));
  if (!recordProblem) {
    return { report, problem };
  }
  const cause = problem ?? recordProblem;
  return { report: steps.report(files, cause), problem: cause };
}

/**
 * Returns the problem with the worse exit code. Ctrl-C while svc writes the files counts as a problem too, so that a
 * resume writes them.
 */
function worseProblem(earlier: SvcError | undefined, writeProblem: SvcError | undefined): SvcError | undefined {
  if (!earlier || !writeProblem) {
    return earlier ?? writeProblem;
  }
  return worstExitCode([earlier.exit, writeProblem.exit]) === earlier.exit ? earlier : writeProblem;
}

/**
 * The problem of a run whose files were deleted. It replaces the earlier error, because that error may come from the
 * deleted files, and would look like a bug of svc.
 */
function lostProblem({ exit, message, code, hint }: SvcError, earlier: SvcError | undefined): SvcError {
  // Keeps the exit code of the earlier problem if it is worse. The codes for a bug and for a usage error do not count,
  // because the deleted files can cause such errors.
  const outranks = earlier && ![EXIT.bug, EXIT.usage].some((one) => one === earlier.exit);
  return new SvcError(outranks ? worstExitCode([exit, earlier.exit]) : exit, code, message, { hint, cause: earlier });
}

/** Does `work`, and returns its error instead of throwing it, so that a report is always written. */
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
    return toSvcError(error);
  }
}
