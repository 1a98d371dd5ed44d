import type { ExitCode } from '../../base/lib/exit.ts';
import type { CheckOptions } from '../../check/options.ts';
import { runCheck } from '../../check/run.ts';
import type { EnrollOptions } from '../../enroll/options.ts';
import { runEnroll } from '../../enroll/run.ts';
import type { RunContext } from '../../migrate/context.ts';
import { runImport } from '../../migrate/import-run.ts';
import type { ImportOptions } from '../../migrate/options.ts';
import { checkText } from '../../render/report/check.ts';
import { print } from '../framework/output/print.ts';
import { executeRun, type LongRun, withRunContext } from './long-run.ts';

/**
 * Runs an import and prints its report on stdout. A problem that ended it early is thrown after the report is printed.
 */
export function executeImport(run: LongRun<ImportOptions>): Promise<ExitCode> {
  return executeRun(run, runImport);
}

/** Runs an enrollment and prints its report on stdout. */
export function executeEnroll(run: LongRun<EnrollOptions>): Promise<ExitCode> {
  return executeRun(run, runEnroll);
}

/** Runs a check and prints its result on stdout. An interrupted one is thrown, with the line that continues it. */
export function executeCheck(run: LongRun<CheckOptions>): Promise<ExitCode> {
  const { options, resume } = run;
  // The flags of the verified run resolve its stops, so no flags are offered.
  const whole = (context: RunContext) => (options.verifies ? { ...context, retype: undefined } : context);
  const work = (context: RunContext) => runCheck(options, whole(context), resume);
  return withRunContext(run, work, (ended) => {
    if (!ended.report) {
      throw ended.problem;
    }
    print(run, ended.report, checkText);
    return ended.report.exit_code;
  });
}
