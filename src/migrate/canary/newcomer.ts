import { listContacts } from '../../api/resources/contacts.ts';
import { looseKey } from '../../import/record/address.ts';
import type { ContactItem } from '../../import/types.ts';
import type { Contact } from '../../wire/shapes.ts';
import type { Work } from '../work.ts';
import type { Delivered } from '../write/deliver.ts';

/**
 * A person of a batch who is new and was sent without a status; undefined where the first page shows none. An answer says
 * only how many were created, but lists are newest first: so many of the batch, from the top, are the new ones.
 */
export async function findNewcomer(
  work: Work,
  audienceId: string,
  { items, sent }: { readonly items: readonly ContactItem[]; readonly sent: Delivered },
): Promise<ContactItem | undefined> {
  if (sent.replayed || sent.created === 0 || items.every(({ contact }) => contact.status !== undefined)) {
    return undefined;
  }
  const byAddress = new Map(items.map((item) => [looseKey(item.contact.email), item]));
  const newest = await newestOf(work, audienceId);
  return newest
    .flatMap(({ email }) => byAddress.get(looseKey(email)) ?? [])
    .slice(0, sent.created)
    .find(({ contact }) => contact.status === undefined);
}

async function newestOf(work: Work, audienceId: string): Promise<readonly Contact[]> {
  for await (const page of listContacts(work.client, audienceId, work)) {
    return page;
  }
  return [];
}
