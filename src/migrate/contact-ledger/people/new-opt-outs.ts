import type { ContactLedger } from '../../../ledgers/contact-ledger.ts';
import type { LedgerIndex } from '../../../ledgers/ledger-index.ts';
import { isInOneOf } from '../list-shape.ts';

/** People whom the ledger holds as subscribed, and how many of them this list opts out. */
export interface NewOptOuts {
  readonly people: number;
  /**
   * The number of people whom the ledger holds as subscribed, and who were in an earlier version of this list. 0 if
   * `people` is 0.
   */
  readonly subscribed: number;
}

/** Collects newly opted-out people while a list is read. */
export function collectNewOptOuts(index: LedgerIndex) {
  const entries: number[] = [];
  let optedOutBefore = 0;
  return {
    /** Adds a person of the ledger whom the list opts out. `isUnchanged`: the audience accepted this opt-out before. */
    add(entry: number, isUnchanged: boolean): void {
      if (isUnchanged) {
        // A person whose opt-out is unchanged counts as subscribed only in the ledger of an older svc.
        optedOutBefore += index.isSubscribed(entry) ? 1 : 0;
      } else if (index.isSubscribed(entry)) {
        entries.push(entry);
      }
    },
    /**
     * Counts only people of these lists. The first version of a list may opt out people of other lists. That is no
     * change, because this list has no earlier version.
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
