import { EXIT, SvcError } from '../../base/lib/errors.ts';
import type { ContactText } from '../../import/batch/contact-text.ts';
import type { ContactItem } from '../../import/batch/cut-batches.ts';
import { createJsonWriter } from '../../import/batch/json-bytes.ts';
import type { ContactLedger } from '../../ledgers/contact-ledger.ts';
import type { WriteContext } from '../../run-lifecycle/data/run-context.ts';

type LedgerWork = Pick<WriteContext, 'ledger' | 'ledgerListId' | 'journal'> & {
  readonly options: Pick<WriteContext['options'], 'changes' | 'explicitStatus'>;
};

/**
 * Deletes from the ledger what the audience accepted of these people, before their request is sent. If the process ends
 * before the response, the next run sends them again (G2). Without --only-changed, --full and --gone, no person is
 * added to the ledger. Otherwise the next list would count the people of a one-time import as missing (G6).
 */
export function forgetAcceptedContent(
  { ledger, ledgerListId }: Pick<LedgerWork, 'ledger' | 'ledgerListId'>,
  batch: { readonly items: readonly ContactItem[] },
): void {
  // Without a ledger, `batch.items` is not read, because that would parse the whole body.
  ledger?.forgetContent(
    batch.items.map(({ contact }) => contact.email),
    ledgerListId,
  );
}

/** What a response says about the person at an index of the batch. */
export interface PersonOutcomes {
  accepts(index: number): boolean;
  isSuppressed(index: number): boolean;
}

/** Records what the audience accepted of each person. Called once the journal has the response (G2). */
export function recordAcceptedPeople(
  { ledger, options, journal }: LedgerWork,
  batch: { readonly items: readonly ContactItem[] },
  { accepts, isSuppressed }: PersonOutcomes,
): void {
  const prefix = contentPrefix(options);
  const entryOf = ({ contact }: ContactItem) => ({
    email: contact.email,
    json: prefix + JSON.stringify(contact),
    optsOut: contact.status === 'unsubscribed',
  });
  ledger?.recordAccepted(batch.items.filter((_, index) => accepts(index)).map(entryOf), journal.run);
  ledger?.recordSuppressed(batch.items.filter((_, index) => isSuppressed(index)).map(({ contact }) => contact.email));
}

/**
 * A prefix of the hashed content. With --explicit-status svc sends another status for the same contact, so the hash
 * must differ.
 */
function contentPrefix({ explicitStatus }: LedgerWork['options']): string {
  return explicitStatus ? 'explicit ' : '';
}

/** Returns a function that hashes a contact of the list in the same way as the ledger. */
export function createContentReader(ledger: ContactLedger, options: LedgerWork['options']) {
  const prefix = Buffer.from(contentPrefix(options));
  const body = createJsonWriter();
  return (text: ContactText): Uint8Array => {
    body.writeJsonBytes(prefix);
    text.write(body);
    return ledger.hashContent(body.borrow());
  };
}

/**
 * Does `work`, then closes the ledger. If contacts differ when svc reads them back, the service did not keep what it
 * accepted. Then the ledger forgets what the audience accepted of all people (G8).
 */
export async function withOpenLedger(
  { ledger, journal }: Pick<WriteContext, 'ledger' | 'journal'>,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof SvcError && error.exit === EXIT.unverified) {
      ledger?.forgetAllContent(journal.run);
    }
    throw error;
  } finally {
    ledger?.close();
  }
}
