import type { ReadingOptions } from '../import/mapping/reading-answers.ts';

/** `migrate` writes suppressions and contacts. Each import command writes one of the two. */
export type ImportCommand = 'migrate' | 'contacts import' | 'suppressions import';

/**
 * How many rows stop a run. A percentage of --max-failures applies only from 1,000 rows on. One of --max-gone always
 * applies.
 */
export type FailureLimit =
  | { readonly kind: 'rows'; readonly rows: number }
  | { readonly kind: 'percent'; readonly percent: number };

/** The options of every run. They are plain data in run.db, so a resume does the same. */
export interface RunOptions {
  readonly command: string;
  readonly inputs: readonly string[];
  readonly reading: ReadingOptions;
  readonly dryRun: boolean;
}

export interface ImportOptions extends RunOptions {
  readonly command: ImportCommand;
  readonly target: TargetOptions;
  readonly allowAutomations: readonly string[];
  readonly explicitStatus: boolean;
  readonly maxNewFields: number;
  readonly maxFailures: FailureLimit;
  readonly plan: 'free' | 'paid' | undefined;
  readonly concurrency: number;
  readonly verify: boolean;
  readonly verifySample: number;
  readonly again: boolean;
  readonly changes?: OnlyChangedOptions | undefined;
  /**
   * People in one request (default: as many as the service allows). Stored with the run, because idempotency keys
   * depend on it.
   */
  readonly batchSize?: number | undefined;
}

/** How a run uses the ledger of accepted contacts. */
export interface OnlyChangedOptions {
  /** Send unchanged people too. */
  readonly full: boolean;
  /** What happens to people who are missing in the list. */
  readonly gone?: 'report' | 'unsubscribe' | undefined;
  readonly maxGone: FailureLimit;
}

/** Which audience: by id, or by name. Without both, the only audience of the account. */
export interface TargetOptions {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly create: boolean;
  /** True for a command that cannot create an audience. */
  readonly mustExist?: boolean;
  /** True for a resume: an audience with nearly this name may be the one that the run created. */
  readonly resumed?: boolean;
}

export function writesOf(command: ImportCommand): { readonly suppressions: boolean; readonly contacts: boolean } {
  return { suppressions: command !== 'contacts import', contacts: command !== 'suppressions import' };
}
