import type { OpenRun } from '../run-lifecycle/data/run-context.ts';
import type { FailureLimit, RunOptions, TargetOptions } from '../run-lifecycle/data/run-options.ts';

/** The commands that compare a list with an audience. */
export type CheckCommand = 'contacts check' | 'runs verify';

/** Everything that decides what a check does. */
export interface CheckOptions extends RunOptions {
  readonly command: CheckCommand;
  readonly target: TargetOptions;
  readonly maxFailures: FailureLimit;
  /** Always false. A check writes nothing, like a dry run, but its run is recorded, so that it can be resumed. */
  readonly dryRun: false;
  /** The absolute path of the CSV file for the results (--output). */
  readonly output: string | undefined;
  /** True if the file of --output may be replaced. */
  readonly force: boolean | undefined;
  /** The run that `runs verify` compares. Undefined for `contacts check`. */
  readonly verifies: VerifiedRun | undefined;
}

/** The finished run that `runs verify` compares with its audience. */
export interface VerifiedRun {
  readonly run: string;
  readonly command: string;
  /** SHA-256 of each input that the run read. */
  readonly sha256: readonly string[];
}

/** The name of a note in run.db: true if the check began to write its CSV file. Then a resume may replace that file. */
export const OUTPUT_BEGUN_NOTE = 'output_begun';

export type OpenCheck = OpenRun<CheckOptions>;
