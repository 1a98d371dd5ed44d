import type { ContactLedger } from '../../../ledgers/contact-ledger.ts';
import type { LedgerIndex } from '../../../ledgers/ledger-index.ts';
import { isInOneOf } from '../list-shape.ts';

/** People whom the ledger holds as subscribed, and how many of them this list opts out. */
export interface NewOptOuts {
  readonly people: number;
  /** How many people of earlier versions of this list the ledger holds as subscribed. */
  readonly subscribed: number;
}

/** Collects these people while a list is read. */
export function collectNewOptOuts(index: LedgerIndex) {
  const entries: number[] = [];
  let optedOutBefore = 0;
  return {
    /** Adds a person of the ledger whom the list opts out. `isUnchanged` is true if the audience accepted just that. */
    add(entry: number, isUnchanged: boolean): void {
      if (isUnchanged) {
        // Only the ledger of an older svc holds such a person as subscribed.
        optedOutBefore += index.isSubscribed(entry) ? 1 : 0;
      } else if (index.isSubscribed(entry)) {
        entries.push(entry);
      }
    },
    /**
     * Counts only people of these lists. A first list that names people who left says so about people of other lists,
     * and no earlier version of it said anything else.
     */
    countIn(ledger: ContactLedger, lists: readonly number[]): NewOptOuts {
      const isInLists = isInOneOf(lists);
      const people = entries.filter((entry) => {
        const person = ledger.find(index.hashPrefixOf(entry));
        return person !== undefined && isInLists(person);
      }).length;
      return { people, subscribed: people === 0 ? 0 : ledger.subscribedCount(lists) - optedOutBefore };
    },
  };
}
