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
 * Reads the people of a canary again, which an earlier process sent. If its requests certainly had no effect, their
 * states are those of now. Otherwise a person who is opted out only now left since, and the same request, sent again,
 * could sign this person up.
 */
export async function readStatesAgain(
  context: WriteContext,
  { audienceId, probes }: CanaryRecord,
): Promise<ProbeContact[]> {
  const hadNoEffect = context.journal.requests.hadNoEffect(CANARY_NAME);
  return Array.fromAsync(probes, async (probe) => {
    const now = stateBefore(probe, await lookUpContact(context, audienceId, probe.contact));
    const { source, line, contact } = probe;
    const hasLeft = probe.before === 'there' && now.before === 'opted out';
    return hadNoEffect || hasLeft ? { source, line, contact, ...now } : probe;
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
