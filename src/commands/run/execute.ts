import type { ExitCode } from '../../base/lib/exit.ts';
import type { CheckOptions } from '../../check/options.ts';
import { runCheck } from '../../check/run.ts';
import type { EnrollOptions } from '../../enroll/options.ts';
import { runEnroll } from '../../enroll/run.ts';
import type { RunContext } from '../../migrate/context.ts';
import type { ImportOptions, RunOptions } from '../../migrate/options.ts';
import type { RunResult } from '../../migrate/report/end-run.ts';
import { runImport } from '../../migrate/run.ts';
import type { OutcomeCounts } from '../../migrate/types.ts';
import { checkText } from '../../render/report/check.ts';
import { print } from '../framework/output/print.ts';
import { executeRun, type LongRun, type RunLine, withRunContext } from './long-run.ts';

/** A command that sends a list, with the options of its engine. */
export interface ListRun<Options> extends Omit<LongRun, 'dryRun' | 'from' | 'work'> {
  readonly options: Options;
}

/** Runs an import and prints its report on stdout. A problem that ended it early is thrown after the report is printed. */
export function executeImport(run: ListRun<ImportOptions>): Promise<ExitCode> {
  return executeList(run, runImport);
}

/** The same for an enrollment. */
export function executeEnroll(run: ListRun<EnrollOptions>): Promise<ExitCode> {
  return executeList(run, runEnroll);
}

type Engine<Options> = (options: Options, context: RunContext, resume?: string) => Promise<RunResult<OutcomeCounts>>;

function executeList<Options extends RunOptions>(
  { options, ...run }: ListRun<Options>,
  engine: Engine<Options>,
): Promise<ExitCode> {
  const { dryRun, reading } = options;
  return executeRun({ ...run, dryRun, from: reading.from, work: (context) => engine(options, context, run.resume) });
}

/** The parts of a command that compares a list with an audience. */
export interface CheckRun extends Omit<RunLine, 'dryRun' | 'from'> {
  readonly options: CheckOptions;
}

/** Runs a check and prints its result on stdout. An interrupted one is thrown, with the line that continues it. */
export function executeCheck({ options, ...run }: CheckRun): Promise<ExitCode> {
  const line = { ...run, dryRun: false, from: options.reading.from };
  // Only the flags of the verified run answer its checks.
  const whole = (context: RunContext) => (options.verifies ? { ...context, retype: undefined } : context);
  const work = (context: RunContext) => runCheck(options, whole(context), run.resume);
  return withRunContext(line, work, (ended) => {
    if (!ended.report) {
      throw ended.problem;
    }
    print(run, ended.report, checkText);
    return ended.report.exit_code;
  });
}
