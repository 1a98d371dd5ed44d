import type { ContactItem } from '../../import/batch/cut-batches.ts';
import type { Contact } from '../../wire/shapes.ts';
import type { WriteContext } from '../run-context.ts';
import { lookUpContact } from '../verify/look-up.ts';
import type { ProbeContact } from './canary-state.ts';

export type ProbeReader = (item: ContactItem) => Promise<ProbeContact>;

/** Returns a function that looks a person up in the audience, and remembers the result. */
export function createProbeReader(context: WriteContext, audienceId: string): ProbeReader {
  const known = new Map<ContactItem, ProbeContact>();
  return async (item) => {
    const probe = known.get(item) ?? {
      ...item,
      ...stateBefore(item, await lookUpContact(context, audienceId, item.contact)),
    };
    known.set(item, probe);
    return probe;
  };
}

function stateBefore(
  { contact }: ContactItem,
  current: Contact | undefined,
): Pick<ProbeContact, 'before' | 'optedOutAt' | 'pending'> {
  if (current && contact.status === undefined && current.status !== undefined && current.status !== 'subscribed') {
    return { before: 'opted out', optedOutAt: current.unsubscribed_at, pending: current.status === 'pending' };
  }
  return { before: current ? 'there' : 'new' };
}
