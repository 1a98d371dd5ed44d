import type { Batches } from '../../import/batch/batches.ts';
import type { ContactItem } from '../../import/batch/cut-batches.ts';
import { looseKey } from '../../wire/person-key.ts';
import type { Contact } from '../../wire/shapes.ts';
import type { ShownContacts } from '../prepare/audience-contacts.ts';
import type { WriteContext } from '../run-context.ts';
import { lookUpContact } from '../verify/look-up.ts';
import type { CanaryRecord, CanaryTarget, OptedOut } from './canary-state.ts';

interface LookAlikeSearch extends Pick<ShownContacts, 'optedOut' | 'lookAlikesOptedOut'> {
  readonly audienceId: string;
  readonly batches: Pick<Batches, 'preview'>;
}

/**
 * Returns the opted-out people, and adds people of the list whose address looks like that of an opted-out contact. The
 * service may take both addresses for one contact (F8). If no probe had such a person, the canary would not show that
 * the service signs that contact up (C1). Reads the list only if the list or the audience has such addresses.
 */
export async function withOptedOutLookAlikes(
  context: Pick<WriteContext, 'client' | 'signal'>,
  { audienceId, batches, optedOut, lookAlikesOptedOut }: LookAlikeSearch,
): Promise<OptedOut> {
  if (lookAlikesOptedOut.size === 0) {
    return optedOut;
  }
  const found = new Map<string, Partial<Contact>>(optedOut);
  const looksOptedOut = ({ contact: { email, status } }: ContactItem) =>
    status === undefined && !found.has(email) && lookAlikesOptedOut.has(looseKey(email));
  for await (const { items } of batches.preview()) {
    for (const { contact } of items.filter(looksOptedOut)) {
      const known = await lookUpContact(context, audienceId, contact);
      if (known && known.status !== 'subscribed') {
        found.set(contact.email, known);
      }
    }
  }
  return found;
}

/**
 * Adds opted-out people of the canary to the target, if they were not on the pages of the audience that svc read. Looks
 * each of them up again, and adds those who are still opted out. Adds no person once it is proven that opted-out people
 * stay opted out.
 */
export async function withOptOutsOfCanary(
  context: WriteContext,
  { optOutProven, probes }: CanaryRecord,
  target: CanaryTarget,
): Promise<CanaryTarget> {
  const optedOut = new Map(target.optedOut);
  const hidden = probes.filter(({ before, contact }) => before === 'opted out' && !optedOut.has(contact.email));
  for (const { contact } of optOutProven ? [] : hidden) {
    const now = await lookUpContact(context, target.audienceId, contact);
    if (now && now.status !== 'subscribed') {
      optedOut.set(contact.email, now);
    }
  }
  return { ...target, optedOut };
}
