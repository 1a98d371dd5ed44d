import type { FailureLimit, RunOptions, TargetOptions } from '../migrate/options.ts';
import type { OpenRun } from '../migrate/run-context.ts';

/** The commands that compare a list with an audience. */
export type CheckCommand = 'contacts check' | 'runs verify';

/** Everything that decides what a check does. */
export interface CheckOptions extends RunOptions {
  readonly command: CheckCommand;
  readonly target: TargetOptions;
  readonly maxFailures: FailureLimit;
  /** A check writes nothing to the service, but it is a run that can be resumed. */
  readonly dryRun: false;
  /** Path of the CSV file, absolute. */
  readonly output?: string | undefined;
  /** True to replace the file of --output. */
  readonly force?: boolean | undefined;
  readonly verifies?: VerifiedRun | undefined;
}

/** The finished run whose writes are compared. */
export interface VerifiedRun {
  readonly run: string;
  readonly command: string;
  /** The hashes of the inputs that it read. */
  readonly sha256: readonly string[];
}

/** The note in run.db of a check that began to write its CSV file. A resume may replace that file. */
export const OUTPUT_BEGUN = 'output_begun';

export type OpenCheck = OpenRun<CheckOptions>;
