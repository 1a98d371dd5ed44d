import { EXIT, SvcError } from '../../base/lib/errors.ts';
import type { ContactItem } from '../../import/batch/cut-batches.ts';
import type { ContactLedger } from '../../runs/contact-ledger.ts';
import type { WriteContext } from '../run-context.ts';

type LedgerWork = Pick<WriteContext, 'ledger' | 'ledgerListId'> & {
  readonly options: Pick<WriteContext['options'], 'changes' | 'explicitStatus'>;
};

/**
 * Deletes from the ledger what the service accepted of these people, before their request is sent. If the process ends
 * before the response, the next run sends them again (G2). An import without --only-changed, --full and --gone has no
 * list in the ledger, so it adds no person. Otherwise the next list would count people of a single import as missing
 * (G6).
 */
export function forgetAcceptedContent(
  { ledger, ledgerListId }: LedgerWork,
  batch: { readonly items: readonly ContactItem[] },
): void {
  // Reading `batch.items` parses the body of the batch. This costs time, so it is only done if there is a ledger.
  ledger?.forgetContent(
    batch.items.map(({ contact }) => contact.email),
    ledgerListId,
  );
}

/** True if the service accepted the person at this index of the batch. */
export type IsAccepted = (index: number) => boolean;

/** Records what the service accepted of each person, once the journal has the response (G2). */
export function recordAcceptedPeople(
  { ledger, options }: LedgerWork,
  batch: { readonly items: readonly ContactItem[] },
  accepts: IsAccepted,
): void {
  const prefix = contentPrefix(options);
  const entryOf = ({ contact }: ContactItem) => ({ email: contact.email, json: prefix + JSON.stringify(contact) });
  ledger?.recordAccepted(batch.items.filter((_, index) => accepts(index)).map(entryOf));
}

/**
 * A prefix of the hashed content. With --explicit-status svc sends another status for the same contact, so the hash
 * must differ.
 */
export function contentPrefix({ explicitStatus }: LedgerWork['options']): string {
  return explicitStatus ? 'explicit ' : '';
}

/**
 * Does `work`, then closes the ledger. If contacts differ when svc reads them back, the service did not keep what it
 * accepted. Then the ledger forgets all accepted contacts (G8).
 */
export async function withOpenLedger(ledger: ContactLedger | undefined, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof SvcError && error.exit === EXIT.unverified) {
      ledger?.forgetAllContent();
    }
    throw error;
  } finally {
    ledger?.close();
  }
}
