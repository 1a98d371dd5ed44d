import type { Client } from '../api/client.ts';
import type { Context } from '../base/context.ts';
import type { Emit } from '../base/events.ts';
import type { ImportOptions } from './options.ts';
import type { Budget } from './plan/plan.ts';
import type { Question } from './plan/questions.ts';
import type { Retype } from './plan/whole-commands.ts';
import type { RecordedWait } from './report/timeline.ts';
import type { OutcomeCounts, RunReport } from './types.ts';

/** The account a run writes to. */
export interface RunAccount {
  readonly client: Client;
  /** Base URL, or `emulator:<store id>`. */
  readonly origin: string;
  readonly keyFingerprint: string;
  /** True if the service ends with this command. Then nothing can be resumed. */
  readonly ephemeral: boolean;
}

/** The options that answers can change. Each answer does what a flag would do. */
export type AnsweredOptions = Pick<
  ImportOptions,
  'reading' | 'allowAutomations' | 'maxNewFields' | 'maxFailures' | 'plan'
>;

/** Asks questions at the terminal. */
export interface Questioner {
  /** Returns the flags of the answers. Throws if the user leaves. */
  ask(questions: readonly Question[]): Promise<readonly string[]>;
  /** The options with all answers so far. */
  options(): Partial<AnsweredOptions>;
  /** Called after the answers lifted all stops: shows the command that does the same without questions. */
  finish(): Promise<void>;
}

/** What a run gets besides its options. */
export interface RunContext {
  readonly context: Context;
  /** Undefined in a dry run without URL and key. */
  readonly account: RunAccount | undefined;
  /** Why the account was not asked, if one was given. */
  readonly unasked?: string | undefined;
  /** The state folder, absolute. */
  readonly state: string;
  readonly emit: Emit;
  /** The waits of this command so far. */
  readonly waits: readonly RecordedWait[];
  readonly budget: Budget;
  /** How long to wait for another run at the same destination. */
  readonly waitMs: number;
  /** Adds flags to the command line. Undefined if the line cannot be repeated with flags, as in a resume. */
  readonly retype: Retype | undefined;
  /** Asks the user about stops. Undefined if nothing may be asked. */
  readonly questioner: Questioner | undefined;
  /** True if --yes was given. The run records it for its resumes (M7). */
  readonly agreed: boolean;
  /** Shows the plan of a run that would continue. Returns false if the user declines. */
  confirm(planned: RunReport<OutcomeCounts>, audience: PlannedAudience | undefined): Promise<boolean>;
}

/** The audience of a plan, as it is before the run. `contacts` is undefined if the service shows no count. */
export interface PlannedAudience {
  readonly name: string;
  readonly contacts: number | undefined;
  /** True if the run will create it. */
  readonly isNew: boolean;
}
