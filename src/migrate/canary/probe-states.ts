import { mapConcurrently } from '../../base/lib/concurrency.ts';
import type { ContactItem } from '../../import/batch/cut-batches.ts';
import type { WriteContext } from '../../run-lifecycle/data/run-context.ts';
import { CANARY_NAME } from '../../runs/find/run-status.ts';
import type { Contact } from '../../wire/shapes.ts';
import { compareOptOutDate } from '../compare/compare-contact.ts';
import { lookUpContact } from '../compare/look-up.ts';
import type { CanaryRecord, OptOutItem, ProbeContact } from '../opt-outs/canary-record.ts';
import { createWrittenTest } from '../opt-outs/may-be-written.ts';

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
 * The people of a canary that an earlier process sent, each with the recorded state before that canary. The current
 * state replaces the recorded one in two cases: no request with the person had an effect, or the person was not opted
 * out then and is now. In the second case the person opted out in the pause, and the next request could sign them up.
 * For a new person the second case counts only if another new person is subscribed. Otherwise the service may subscribe
 * no new people at all.
 */
export async function findWhoLeft(
  context: WriteContext,
  { audienceId, probes }: CanaryRecord,
): Promise<readonly ProbeContact[]> {
  const people = await mapConcurrently(
    probes,
    context.options.concurrency,
    async ({ source, line, contact, ...before }) => {
      const item = { source, line, contact };
      return { item, before, now: stateBefore(item, await lookUpContact(context, audienceId, contact)) };
    },
  );
  const subscribesNew = people.some(
    ({ item, before, now }) => before.before === 'new' && item.contact.status === undefined && now.before === 'there',
  );
  const mayBeWritten = createWrittenTest(context.journal, { name: CANARY_NAME, items: probes });
  return people.map(({ item, before, now }) => {
    const mayHaveLeft = before.before === 'there' || (before.before === 'new' && subscribesNew);
    const isOfNow = !mayBeWritten(item) || (mayHaveLeft && now.before === 'opted out');
    return { ...item, ...(isOfNow ? now : before) };
  });
}

// `findPersonToReadBack` looks up at most this many people.
const MAX_OPTED_OUT_ANEW = 10;

/**
 * Finds a person who can show whether requests of an earlier process signed opted-out people up. All `people` have the
 * same status. A person with a newer opt-out date shows nothing, because the service may have signed this person up
 * before the new opt-out. A deleted person shows nothing either. If no person shows anything, returns the first one.
 */
export async function findPersonToReadBack(
  context: WriteContext,
  audienceId: string,
  people: readonly OptOutItem[],
): Promise<OptOutItem | undefined> {
  for (const item of people.slice(0, MAX_OPTED_OUT_ANEW)) {
    const now = await lookUpContact(context, audienceId, item.contact);
    if (now && (now.status !== 'unsubscribed' || compareOptOutDate(item.contact, now).length === 0)) {
      return item;
    }
  }
  return people[0];
}

function stateBefore(
  { contact }: ContactItem,
  current: Contact | undefined,
): Pick<ProbeContact, 'before' | 'optedOutAt' | 'was'> {
  if (current && contact.status === undefined && current.status !== undefined && current.status !== 'subscribed') {
    return { before: 'opted out', optedOutAt: current.unsubscribed_at, was: current.status };
  }
  return { before: current ? 'there' : 'new' };
}
