import { SvcError } from '../../base/lib/errors.ts';
import { EXIT, worstExit } from '../../base/lib/exit.ts';
import { problemOf } from '../../base/os/storage-error.ts';
import type { Journal } from '../../runs/store/journal.ts';
import type { RunContext } from '../context.ts';
import type { OutcomeCounts, RowCounts, RunReport } from '../types.ts';
import { interrupted } from '../write/send-recorded.ts';

/** How a run ended: its report, and the problem that ended it early, if one did. */
export interface RunResult<Rows extends OutcomeCounts = RowCounts> {
  readonly report: RunReport<Rows>;
  readonly problem: SvcError | undefined;
}

/** What ending a run takes. */
export interface RunEnding<Rows extends OutcomeCounts> {
  readonly journal: Journal;
  readonly problem: SvcError | undefined;
  readonly outside: RunContext;
  /** Writes the files that people need, and names them. */
  write(): Promise<RunReport['files']>;
  report(files: RunReport['files'], problem: SvcError | undefined): RunReport<Rows>;
  /** Stores the report, and how the run ended, at `now` of the wall clock. */
  record(report: RunReport<Rows>, now: number): void;
}

/**
 * Ends a run: files, report, record. There is a report whatever happens: a file that can't be written, on a full disk for
 * instance, is a problem in it (rule D2), and a run that can't be recorded stays unfinished.
 */
export async function endRun<Rows extends OutcomeCounts>(run: RunEnding<Rows>): Promise<RunResult<Rows>> {
  const { signal, clock } = run.outside.context;
  const now = clock.now();
  // Emitted past the stage, so that the report still names the phase in which the run ended.
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
  const report = run.report({ ...files, report: run.journal.files.report }, problem);
  const unrecorded = await captureProblem(signal, async () => run.record(report, now));
  if (!unrecorded) {
    return { report, problem };
  }
  const cause = problem ?? unrecorded;
  return { report: run.report(files, cause), problem: cause };
}

/** How a run ends whose files are gone: no file is made in their place, and what is still open hears how it ended (D8). */
async function endLost<Rows extends OutcomeCounts>(
  run: RunEnding<Rows>,
  lost: SvcError,
  now: number,
): Promise<RunResult<Rows>> {
  const { message, code, hint } = lost;
  // A bug or a missing file is what the loss looks like from inside; a signal or a refusal keeps its exit code.
  const outranks = run.problem && ![EXIT.bug, EXIT.usage].some((exit) => exit === run.problem?.exit);
  const exit = outranks ? worstExit([lost.exit, run.problem.exit]) : lost.exit;
  const problem = new SvcError(exit, code, message, { hint, cause: run.problem });
  const report = run.report({}, problem);
  const { signal } = run.outside.context;
  await captureProblem(signal, async () => run.journal.setStatus(report.status, report.exit_code, now));
  return { report, problem };
}

/** Does the work of a run. A problem that ends it early comes back as a value, so that there is a report all the same. */
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
