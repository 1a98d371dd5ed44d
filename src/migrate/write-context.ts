import type { Client } from '../api/client.ts';
import { SvcError } from '../base/lib/errors.ts';
import { EXIT } from '../base/lib/exit.ts';
import type { ContactLedger } from '../runs/contact-ledger.ts';
import type { OpenRun } from './context.ts';
import type { ImportOptions, RunOptions } from './options.ts';

/** A run that writes to its account. */
export interface WriteContext extends Pick<OpenRun, 'journal' | 'clock' | 'emit' | 'signal' | 'randomHex' | 'retype'> {
  readonly client: Client;
  readonly options: ImportOptions;
  /** Base URL or emulator store: the first half of every destination. */
  readonly origin: string;
  readonly keyFingerprint: string;
  /** The recorded random suffix of a run with its own keys. */
  readonly again: string | undefined;
  /** The ledger of what the service last accepted in the audience, if this machine has one. */
  readonly ledger?: ContactLedger | undefined;
  /** The list of this run in the ledger. Undefined without --only-changed: then the ledger gets no new people. */
  readonly list?: number | undefined;
}

/** The note of a run that uses its own keys without a flag. */
export const OWN_KEYS = 'own_keys';

/** Prepares a run to write with the options of an import. Throws without an account. */
export function writeContextOf(run: OpenRun<RunOptions>, options: ImportOptions): WriteContext {
  const { account, journal, clock, emit, signal, randomHex, retype } = run;
  if (!account) {
    throw new SvcError(EXIT.usage, 'no_base_url', 'no account to write to');
  }
  const { client, origin, keyFingerprint } = account;
  // --again uses new keys on purpose. So does --only-changed: a replay of an earlier run would not write later changes
  // (G5). The same holds for a list whose last run failed a comparison or was overtaken (C1, G10).
  const again = options.again || options.changes || journal.read(OWN_KEYS) ? recordedHex(run, 'again', 8) : undefined;
  return { client, origin, keyFingerprint, journal, clock, emit, signal, randomHex, retype, options, again };
}

/** A random text of the run. It is recorded, so a resume uses the same text. */
export function recordedHex(
  { journal, randomHex }: Pick<OpenRun, 'journal' | 'randomHex'>,
  name: string,
  length: number,
): string {
  const recorded = journal.read(name);
  if (typeof recorded === 'string') {
    return recorded;
  }
  const made = randomHex(length);
  journal.note(name, made);
  return made;
}
