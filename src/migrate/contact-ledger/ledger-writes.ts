import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import type { ContactItem } from '../../import/batch/cut-batches.ts';
import type { ContactLedger } from '../../runs/contact-ledger.ts';
import type { WriteContext } from '../run-context.ts';

type LedgerWork = Pick<WriteContext, 'ledger' | 'list'> & {
  readonly options: Pick<WriteContext['options'], 'changes' | 'explicitStatus'>;
};

/**
 * Deletes the content of these people from the ledger. Call it before the first byte of their request. If the process
 * ends before the response, the next run sends them again (G2). An import without --only-changed has no `list` and adds
 * no person: people of a single import would be missing in the next list (G6).
 */
export function forgetAccepted({ ledger, list }: LedgerWork, batch: { readonly items: readonly ContactItem[] }): void {
  // `batch.items` parses the batch, so it is only read if there is a ledger.
  ledger?.forget(
    batch.items.map(({ contact }) => contact.email),
    list,
  );
}

/** True for the index of an accepted person in the batch. */
export type IsAccepted = (index: number) => boolean;

/** Records the content of the accepted people. Call it once the journal has the response (G2). */
export function acceptPeople(
  { ledger, options }: LedgerWork,
  batch: { readonly items: readonly ContactItem[] },
  accepts: IsAccepted,
): void {
  const prefix = contentPrefix(options);
  const entryOf = ({ contact }: ContactItem) => ({ email: contact.email, json: prefix + JSON.stringify(contact) });
  ledger?.accept(batch.items.filter((_, index) => accepts(index)).map(entryOf));
}

/** A part of the hashed content, because --explicit-status sends another status for the same contact. */
export function contentPrefix({ explicitStatus }: LedgerWork['options']): string {
  return explicitStatus ? 'explicit ' : '';
}

/**
 * Calls `work`, and closes the ledger afterwards. If contacts read back differently, the audience does not have what it
 * accepted, so the content of all people is deleted (G8).
 */
export async function withOpenLedger(ledger: ContactLedger | undefined, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof SvcError && error.exit === EXIT.unverified) {
      ledger?.forgetAll();
    }
    throw error;
  } finally {
    ledger?.close();
  }
}
