import type { ContactItem } from '../../import/batch/cut-batches.ts';
import type { Contact } from '../../wire/shapes.ts';
import type { WriteContext } from '../run-context.ts';
import { lookUpContact } from '../verify/look-up.ts';
import { CANARY_NAME, type CanaryRecord, type ProbeContact } from './canary-state.ts';

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

/**
 * The people of a canary that is sent again after a pause. If no request of it had an effect, their states are those of
 * now. Otherwise a person who is opted out only now left in the pause, and could be signed up by the request. A new
 * person may also be opted out because the service does not subscribe new people. So a new person counts only if
 * another one is subscribed.
 */
export async function findWhoLeft(
  context: WriteContext,
  { audienceId, probes }: CanaryRecord,
): Promise<readonly ProbeContact[]> {
  const people = await Array.fromAsync(probes, async ({ source, line, contact, ...before }) => {
    const item = { source, line, contact };
    return { item, before, now: stateBefore(item, await lookUpContact(context, audienceId, contact)) };
  });
  const mayHaveEffect = context.journal.requests.mayHaveEffect(CANARY_NAME);
  const subscribesNew = people.some(
    ({ item, before, now }) => before.before === 'new' && item.contact.status === undefined && now.before === 'there',
  );
  return people.map(({ item, before, now }) => {
    const mayHaveLeft = before.before === 'there' || (before.before === 'new' && subscribesNew);
    return { ...item, ...(!mayHaveEffect || (mayHaveLeft && now.before === 'opted out') ? now : before) };
  });
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
