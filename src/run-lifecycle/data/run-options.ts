import type { ReadingOptions } from '../../import/mapping/reading-answers.ts';
import type { Audience } from '../../wire/shapes.ts';

/** `migrate` writes suppressions and contacts. Each import command writes one of the two. */
export type ImportCommand = 'migrate' | 'contacts import' | 'suppressions import';

const IMPORT_COMMANDS: readonly string[] = [
  'migrate',
  'contacts import',
  'suppressions import',
] satisfies ImportCommand[];

/** True for the name of a command that imports a list. */
export function isImport(command: string): boolean {
  return IMPORT_COMMANDS.includes(command);
}

/** True for the name of a command that imports contacts, and not only suppressions. */
export function importsContacts(command: string): boolean {
  return isImport(command) && command !== 'suppressions import';
}

/**
 * The limit of --max-failures (rows), or of --max-gone, --max-opt-outs or --max-moved (people). A percentage has no
 * effect on small numbers: fewer than 1,000 rows for --max-failures, up to 9 people for --max-opt-outs, and up to 2
 * people for --max-moved.
 */
export type FailureLimit =
  | { readonly kind: 'rows'; readonly rows: number }
  | { readonly kind: 'percent'; readonly percent: number };

/** The options that every run has. run.db stores them as JSON, so that a resume uses the same options. */
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
  /** Given with --only-changed, --full or --gone. */
  readonly changes: OnlyChangedOptions | undefined;
  /**
   * The maximum number of people in one request; by default what the service allows. Stored with the run, because a
   * resume with a different size would send different requests under different idempotency keys.
   */
  readonly batchSize: number | undefined;
}

/** How a run uses the contact ledger: what the audience last accepted of each person. */
export interface OnlyChangedOptions {
  /** True to send unchanged people too. */
  readonly full: boolean;
  /** What to do about people of earlier lists who are missing in this one (--gone). */
  readonly gone: 'report' | 'unsubscribe' | undefined;
  readonly maxGone: FailureLimit;
  /** A list may opt out at most this many people who are subscribed in the ledger. Undefined without --max-opt-outs. */
  readonly maxOptOuts: FailureLimit | undefined;
  /** The maximum number of people whose address moved to another column of the list. Undefined without --max-moved. */
  readonly maxMoved: FailureLimit | undefined;
}

/** Which audience to write to, by id or by name. Without id and name, it is the only audience of the account. */
export interface TargetOptions {
  readonly id: string | undefined;
  readonly name: string | undefined;
  /** True for --create-audience: creates the audience if none has this name. */
  readonly create: boolean;
  /** True for a command that can't create an audience, so that its errors don't suggest --create-audience. */
  readonly mustExist: boolean | undefined;
  /**
   * Set for a resume: whether the run created its audience and knows the id. If so, the resume accepts several
   * audiences of this name. Any resume ignores audiences with nearly the same name.
   */
  readonly resumed: 'created' | 'not created' | undefined;
}

/** The audience to write to: an existing audience, or an audience to create. */
export type AudienceTarget =
  | {
      readonly kind: 'found';
      readonly audience: Audience;
      /** True if the user chose the audience at the terminal. */
      readonly isChosenByUser?: boolean;
    }
  | { readonly kind: 'create'; readonly name: string };

export function writeKindsOf(command: ImportCommand): {
  readonly writesSuppressions: boolean;
  readonly writesContacts: boolean;
} {
  return { writesSuppressions: command !== 'contacts import', writesContacts: importsContacts(command) };
}
