import type { Client } from '../api/client.ts';
import type { Emit } from '../base/events.ts';
import type { Clock } from '../base/lib/clock.ts';
import type { ContactLedger } from '../runs/contact-ledger.ts';
import type { Journal } from '../runs/store/journal.ts';
import type { ImportOptions } from './options.ts';

/** What every phase that writes needs: the account, the journal, and the signal to stop. */
export interface Work {
  readonly client: Client;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly emit: Emit;
  /** Aborts at the first signal, or when another batch failed. Then nothing new is sent. */
  readonly signal: AbortSignal;
  readonly options: ImportOptions;
  /** Base URL or emulator store: the first half of every destination. */
  readonly origin: string;
  /** The recorded random suffix of --again and --only-changed. */
  readonly again: string | undefined;
  /** What this machine last had accepted in the audience, if it keeps that. */
  readonly ledger?: ContactLedger | undefined;
  randomHex(length: number): string;
}
