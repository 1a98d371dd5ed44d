import type { ExitCode } from '../../base/lib/exit.ts';
import type { CheckOptions } from '../../check/options.ts';
import { runCheck } from '../../check/run.ts';
import type { EnrollOptions } from '../../enroll/options.ts';
import { runEnroll } from '../../enroll/run.ts';
import type { RunContext } from '../../migrate/context.ts';
import type { ImportOptions } from '../../migrate/options.ts';
import { runImport } from '../../migrate/run.ts';
import { checkText } from '../../render/report/check.ts';
import { print } from '../framework/output/print.ts';
import { executeRun, type LongRun, type RunLine, withRunContext } from './long-run.ts';

/** The parts of an enrollment command. */
interface EnrollRun extends Omit<LongRun, 'dryRun' | 'from' | 'work'> {
  readonly options: EnrollOptions;
}

/**
 * Runs an enrollment and prints its report on stdout. A problem that ended it early is thrown after the report is
 * printed.
 */
export function executeEnroll({ options, ...run }: EnrollRun): Promise<ExitCode> {
  const { dryRun, reading } = options;
  return executeRun({ ...run, dryRun, from: reading.from, work: (context) => runEnroll(options, context, run.resume) });
}

/** The parts of an import command. */
export interface ImportRun extends Omit<LongRun, 'dryRun' | 'from' | 'work'> {
  readonly options: ImportOptions;
}

/** Runs an import and prints its report on stdout. A problem that ended it early is thrown after the report is printed. */
export function executeImport({ options, ...run }: ImportRun): Promise<ExitCode> {
  const { dryRun, reading } = options;
  return executeRun({ ...run, dryRun, from: reading.from, work: (context) => runImport(options, context, run.resume) });
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
