import type { ReadingOptions } from '../import/types.ts';

/** `migrate` writes suppressions and contacts, each import one of them. */
export type ImportCommand = 'migrate' | 'contacts import' | 'suppressions import';

/** How many rows may be rejected or failed before the run stops. A percentage counts from row 1,000 on. */
export type FailureLimit =
  | { readonly kind: 'rows'; readonly rows: number }
  | { readonly kind: 'percent'; readonly percent: number };

/** Everything that decides what an import does: plain data, kept in run.db so that a resume does the same. */
export interface ImportOptions {
  readonly command: ImportCommand;
  readonly inputs: readonly string[];
  readonly reading: ReadingOptions;
  readonly target: TargetOptions;
  readonly allowAutomations: readonly string[];
  readonly explicitStatus: boolean;
  readonly maxNewFields: number;
  readonly maxFailures: FailureLimit;
  readonly plan: 'free' | 'paid' | undefined;
  readonly concurrency: number;
  readonly verify: boolean;
  readonly verifySample: number;
  readonly dryRun: boolean;
  readonly again: boolean;
  /** People in one request; left out, as many as the service takes. Kept with the run, because keys hang on it. */
  readonly batchSize?: number | undefined;
}

/** Which audience: by id, or by name and perhaps to be created; neither means the only one there is. */
export interface TargetOptions {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly create: boolean;
}

/** Which of the two kinds of writes a command makes. */
export function writesOf(command: ImportCommand): { readonly suppressions: boolean; readonly contacts: boolean } {
  return { suppressions: command !== 'contacts import', contacts: command !== 'suppressions import' };
}
