import type { ContactText } from '../../../import/batch/contact-text.ts';
import type { ContactLedger } from '../../../ledgers/contact-ledger.ts';

/** People of a list whom svc unsubscribed in an earlier run, because they were missing then. */
export interface OptedOutBefore {
  /** The address hashes of the ledger, in hex. */
  readonly hashes: readonly string[];
  /** The first few addresses. */
  readonly examples: readonly string[];
}

const MAX_EXAMPLES = 5;

/** Collects these people while a list is read. Leaves out people whom the list itself opts out. */
export function collectOptedOut(ledger: Pick<ContactLedger, 'optedOut'>) {
  const optedOut = ledger.optedOut();
  const hashes: string[] = [];
  const examples: string[] = [];
  return {
    size: optedOut.size,
    /** `person` is the address hash of the contact. */
    add(person: Buffer, { email, optsOut }: Pick<ContactText, 'email' | 'optsOut'>): void {
      const hash = optedOut.size === 0 || optsOut ? undefined : person.toString('hex');
      if (hash === undefined || !optedOut.has(hash)) {
        return;
      }
      hashes.push(hash);
      if (examples.length < MAX_EXAMPLES) {
        examples.push(email);
      }
    },
    found: (): { readonly optedOutBefore?: OptedOutBefore } =>
      hashes.length === 0 ? {} : { optedOutBefore: { hashes, examples } },
  };
}
