import type { ExitCode } from '../../base/lib/exit.ts';
import type { EnrollOptions } from '../../enroll/options.ts';
import { runEnroll } from '../../enroll/run.ts';
import type { ImportOptions } from '../../migrate/options.ts';
import { runImport } from '../../migrate/run.ts';
import { executeRun, type LongRun } from './long-run.ts';

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
