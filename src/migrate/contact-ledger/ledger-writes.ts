import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import type { ContactItem } from '../../import/batch/cut-batches.ts';
import type { ContactLedger } from '../../runs/contact-ledger.ts';
import type { WriteContext } from '../run-context.ts';

type LedgerWork = Pick<WriteContext, 'ledger' | 'list'> & {
  readonly options: Pick<WriteContext['options'], 'changes' | 'explicitStatus'>;
};

/**
 * Deletes the content of these people from the ledger, before their request is sent. If the process ends before the
 * response, the next run sends them again (G2). An import without --only-changed has no `list`, and adds no person to
 * the ledger: the next list would miss people of a single import (G6).
 */
export function forgetAccepted({ ledger, list }: LedgerWork, batch: { readonly items: readonly ContactItem[] }): void {
  // Reading `batch.items` parses the body of the batch. This costs time, so it is only done if there is a ledger.
  ledger?.forget(
    batch.items.map(({ contact }) => contact.email),
    list,
  );
}

/** True if the service accepted the person at this index of the batch. */
export type IsAccepted = (index: number) => boolean;

/** Records what the service accepted of each person, once the journal has the response (G2). */
export function acceptPeople(
  { ledger, options }: LedgerWork,
  batch: { readonly items: readonly ContactItem[] },
  accepts: IsAccepted,
): void {
  const prefix = contentPrefix(options);
  const entryOf = ({ contact }: ContactItem) => ({ email: contact.email, json: prefix + JSON.stringify(contact) });
  ledger?.accept(batch.items.filter((_, index) => accepts(index)).map(entryOf));
}

/** Is hashed with the content: --explicit-status sends another status for the same contact. */
export function contentPrefix({ explicitStatus }: LedgerWork['options']): string {
  return explicitStatus ? 'explicit ' : '';
}

/**
 * Does `work`, then closes the ledger. If svc reads contacts back and they differ, the audience does not have what it
 * accepted. Then no content is certain, and the ledger forgets that of all people (G8).
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
