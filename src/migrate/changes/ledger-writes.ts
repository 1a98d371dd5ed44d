import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import type { ContactItem } from '../../import/batch/cut-batches.ts';
import type { ContactLedger } from '../../runs/contact-ledger.ts';
import type { WriteContext } from '../run-context.ts';

type LedgerWork = Pick<WriteContext, 'ledger' | 'list'> & {
  readonly options: Pick<WriteContext['options'], 'changes' | 'explicitStatus'>;
};

/**
 * Call before the first byte of a request: from now on the content of these people is unknown. If the process ends
 * before the response, the next run sends them again (G2). An import without --only-changed adds no person. Otherwise
 * the people of a single import would be missing in the next list (G6).
 */
export function forgetAccepted({ ledger, list }: LedgerWork, batch: { readonly items: readonly ContactItem[] }): void {
  // Without a ledger, no batch is parsed for its people.
  ledger?.forget(
    batch.items.map(({ contact }) => contact.email),
    list,
  );
}

/** True for the index of a person whom the service accepted. */
export type IsAccepted = (index: number) => boolean;

/** Call once the journal holds the response (G2). */
export function acceptPeople(
  { ledger, options }: LedgerWork,
  batch: { readonly items: readonly ContactItem[] },
  accepts: IsAccepted,
): void {
  const prefix = contentPrefix(options);
  const entryOf = ({ contact }: ContactItem) => ({ email: contact.email, json: prefix + JSON.stringify(contact) });
  ledger?.accept(batch.items.filter((_, index) => accepts(index)).map(entryOf));
}

/** Part of the content hash besides the contact: --explicit-status sends another status for the same contact. */
export function contentPrefix({ explicitStatus }: LedgerWork['options']): string {
  return explicitStatus ? 'explicit ' : '';
}

/**
 * Closes the ledger after the work. If contacts read back differently, the ledger cannot be trusted, so it forgets all
 * contents (G8).
 */
export async function closingLedger(ledger: ContactLedger | undefined, work: () => Promise<void>): Promise<void> {
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
