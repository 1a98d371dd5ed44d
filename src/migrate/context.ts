import type { Client } from '../api/client.ts';
import type { Context } from '../base/context.ts';
import type { Emit } from '../base/events.ts';
import type { Budget } from './plan/plan.ts';
import type { Retype } from './plan/whole-commands.ts';
import type { OutcomeCounts, RunReport } from './types.ts';

/** The account a run writes to. */
export interface RunAccount {
  readonly client: Client;
  /** Base URL, or `emulator:<store id>`. */
  readonly origin: string;
  readonly keyFingerprint: string;
  /** True when the service lives and dies with this command, so that nothing can be resumed. */
  readonly ephemeral: boolean;
}

/** What a run is given besides its options. */
export interface RunContext {
  readonly context: Context;
  /** Undefined in a dry run without URL and key. */
  readonly account: RunAccount | undefined;
  /** Why not, where there was one to ask. */
  readonly unasked?: string | undefined;
  /** The state folder, absolute. */
  readonly state: string;
  readonly emit: Emit;
  readonly budget: Budget;
  /** How long to wait for another run at the same destination. */
  readonly waitMs: number;
  /** Makes a whole command of flags; undefined where the line can't be repeated with them, as in a resume. */
  readonly retype: Retype | undefined;
  /** Asks a person one question; undefined where there is no terminal. */
  readonly ask: ((question: string) => Promise<string>) | undefined;
  /** True where --yes was on the line: the run keeps it for its resumes (M7). */
  readonly agreed: boolean;
  /** Shows the plan of a run that would go ahead; false when a person says no. */
  confirm(planned: RunReport<OutcomeCounts>): Promise<boolean>;
}
