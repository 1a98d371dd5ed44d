import type { ContactItem } from '../../import/types.ts';
import type { WriteContext } from '../write-context.ts';

type LedgerWork = Pick<WriteContext, 'ledger'> & {
  readonly options: Pick<WriteContext['options'], 'changes' | 'explicitStatus'>;
};

/**
 * Call before the first byte of a request: from now on it is unknown what the service holds of these people. If the
 * process ends before the response, the next run sends them again (G2). An import without --only-changed adds no person:
 * the next list would miss the people of a list that was imported once (G6).
 */
export function forgetAccepted(
  { ledger, options }: LedgerWork,
  batch: { readonly items: readonly ContactItem[] },
): void {
  const emails = batch.items.map(({ contact }) => contact.email);
  ledger?.forget(emails, { adds: options.changes !== undefined });
}

/** Call once the journal holds the response, with the indexes that the response accepted (G2). */
export function acceptPeople(
  { ledger, options }: LedgerWork,
  batch: { readonly items: readonly ContactItem[] },
  accepted: readonly number[],
): void {
  const prefix = contentPrefix(options);
  const entryOf = ({ contact }: ContactItem) => ({ email: contact.email, json: prefix + JSON.stringify(contact) });
  ledger?.accept(accepted.map((index) => entryOf(batch.items[index]!)));
}

/** What a content depends on besides the contact: --explicit-status sends another status for the same contact. */
export function contentPrefix({ explicitStatus }: LedgerWork['options']): string {
  return explicitStatus ? 'explicit ' : '';
}
