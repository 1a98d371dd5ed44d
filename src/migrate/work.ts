import type { Client } from '../api/client.ts';
import type { Emit } from '../base/events.ts';
import type { Clock } from '../base/lib/clock.ts';
import type { Journal } from '../runs/store/journal.ts';
import type { ImportOptions } from './options.ts';

/** What every stage that writes needs: the account, the journal, and when to stop. */
export interface Work {
  readonly client: Client;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly emit: Emit;
  /** Aborts at the first signal or when a sibling failed: take nothing new. */
  readonly signal: AbortSignal;
  readonly options: ImportOptions;
  /** Base URL or emulator store; first half of every destination. */
  readonly origin: string;
  /** Journaled random suffix of --again. */
  readonly again: string | undefined;
  randomHex(length: number): string;
}
