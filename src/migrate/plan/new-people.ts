import type { ContactItem } from '../../import/batch/cut-batches.ts';
import type { Survey } from '../../import/survey/survey-types.ts';
import { personKey } from '../../wire/person-key.ts';
import type { AccountSnapshot } from '../prepare/account-snapshot.ts';

/**
 * Counts people of the list who are not in the target yet. The count is exact if the snapshot holds the target's
 * people. Otherwise undefined, and every person of the list counts as new.
 */
export async function countNewPeople(
  snapshot: AccountSnapshot | undefined,
  survey: Survey,
  contacts: () => AsyncIterable<ContactItem>,
): Promise<number | undefined> {
  if (!snapshot?.present) {
    return undefined;
  }
  let known = 0;
  for await (const item of contacts()) {
    known += snapshot.present.has(personKey(item.contact.email)) ? 1 : 0;
  }
  return survey.contacts - known;
}
