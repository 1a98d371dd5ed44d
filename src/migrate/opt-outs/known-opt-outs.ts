import { rowKey, sumOf } from '../../base/lib/rows.ts';
import { plural } from '../../base/lib/text.ts';
import type { Batches } from '../../import/batch/batches.ts';
import type { ContactItem, ListBatch } from '../../import/batch/cut-batches.ts';
import type { WriteContext } from '../../run-lifecycle/data/run-context.ts';
import { looseKey } from '../../wire/person-key.ts';
import type { Contact } from '../../wire/shapes.ts';
import type { ShownContacts } from '../account/audience-contacts.ts';
import { lookUpContact, refusedRows } from '../compare/look-up.ts';
import { noteSubscribedSince } from '../compare/subscribed-since.ts';
import {
  type CanaryRecord,
  type KnownAudience,
  type OptedOut,
  type OptOutItem,
  optOutAgain,
  optOutsOfProbes,
  reportPhase,
  statusBefore,
  wasNotPending,
} from './canary-record.ts';
import { createOptedOutTest, isKept, isSignedUp } from './proofs.ts';
import {
  addressesOf,
  findSubscribed,
  nameConfirmed,
  readPeopleBack,
  rollBack,
  rollBackAndStop,
  subscribedIn,
} from './roll-back.ts';

interface LookAlikeSearch extends Pick<ShownContacts, 'optedOut' | 'lookAlikesOptedOut'> {
  readonly audienceId: string;
  readonly batches: Pick<Batches, 'preview'>;
}

/**
 * Returns the opted-out people, and adds people of the list whose address looks like that of an opted-out contact. The
 * service may take both addresses for one contact (F8). Without such a person in the canary, svc would not see that the
 * service signs that contact up (C1). Reads the list only if the list or the audience has such addresses.
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
 * Adds opted-out people of the canary if no page of the audience showed them. Looks each of them up again, and adds
 * those who are still opted out. Adds no person once it is proven that people of this status stay opted out.
 */
export async function withOptOutsOfCanary(
  context: WriteContext,
  record: CanaryRecord,
  audience: KnownAudience,
): Promise<KnownAudience> {
  const optedOut = new Map(audience.optedOut);
  const hidden = record.probes.filter(
    (probe) =>
      probe.before === 'opted out' && !optedOut.has(probe.contact.email) && !isKept(record, statusBefore(probe)),
  );
  for (const { contact } of hidden) {
    const now = await lookUpContact(context, audience.audienceId, contact);
    if (now && now.status !== 'subscribed') {
      optedOut.set(contact.email, now);
    }
  }
  return { ...audience, optedOut };
}

/**
 * Reads the opted-out people of the canary once more, after all batches, or when a difference stops the run. The
 * service may have ignored their rows in the canary, and written them with a later batch (F5). If some are subscribed
 * now, svc looks up all opted-out people of the batches that it sent. If all the subscribed ones were pending before,
 * it looks up only pending people.
 *
 * If at least half of the people with one status are still opted out, the subscribed ones came back on their own.
 * Otherwise the service signed them up, and svc opts them out again. Pending people, and people who are not in the
 * audience any more, do not count for this. svc only names pending people who are subscribed now. But if the service
 * signed other people up, it opts these pending people out too.
 */
export async function confirmOptOuts(
  context: WriteContext,
  record: CanaryRecord,
  audience: KnownAudience,
  batches: AsyncIterable<ListBatch>,
): Promise<void> {
  const { audienceId } = record;
  const probes = optOutsOfProbes(record.probes);
  const found = await findSubscribed(context, audienceId, probes);
  if (found.length === 0) {
    return;
  }
  const onlyPending = !found.some(wasNotPending);
  const written = await writtenOptedOut(context, probes, audience, batches);
  const isRead = (item: OptOutItem) => !(onlyPending && wasNotPending(item));
  const people = await readPeopleBack(context, audienceId, written.filter(isRead));
  const open = subscribedIn(people);
  const confirmed = open.filter((item) => !wasNotPending(item));
  // People of one status show nothing about those of another.
  const byStatus = Map.groupBy(
    people.filter(({ item }) => wasNotPending(item)),
    ({ item }) => statusBefore(item),
  );
  const groups = [...byStatus.values()].map((group) => ({
    back: subscribedIn(group),
    stayed: group.filter(({ item, after }) => after && !isSignedUp(item, after)).length,
  }));
  const ownWill = groups.filter(({ back, stayed }) => stayed >= back.length).flatMap(({ back }) => back);
  const signedUp = groups.filter(({ back, stayed }) => stayed < back.length).flatMap(({ back }) => back);
  if (ownWill.length > 0) {
    const stayed = sumOf(groups.map((group) => group.stayed));
    const message = `These people came back on their own: ${addressesOf(ownWill)}. ${plural(stayed, 'other person', 'other people')} who had opted out of the audience stayed opted out.`;
    noteSubscribedSince(context, message);
  }
  if (signedUp.length === 0) {
    nameConfirmed(context, confirmed);
    return;
  }
  const message = `after the last batch, people are subscribed who had opted out: ${addressesOf(signedUp)}`;
  reportPhase(context, probes.length, probes.length);
  const mark = context.randomHex(8);
  await rollBackAndStop(context, record, { message, byCount: false, mark, open: [...signedUp, ...confirmed] });
}

/**
 * Called after sign-ups stopped the run. Opts out all further people who had opted out, were sent, and are subscribed
 * now. The service may have shown its effect late, after svc had read that these people stay opted out (F5). Only names
 * pending people, because they may have confirmed.
 */
export async function optOutPeopleSignedUpLate(
  context: WriteContext,
  record: CanaryRecord,
  audience: KnownAudience,
  batches: AsyncIterable<ListBatch>,
): Promise<void> {
  const written = await writtenOptedOut(context, optOutsOfProbes(record.probes), audience, batches);
  // The progress shows this step, because there may be many of these people, and each takes one look-up.
  context.emit({ type: 'doing', what: 'reading back people who had opted out' });
  const subscribed = await findSubscribed(context, record.audienceId, written);
  nameConfirmed(
    context,
    subscribed.filter((item) => !wasNotPending(item)),
  );
  const open = subscribed.filter(wasNotPending);
  if (record.signedUp && open.length > 0) {
    noteSubscribedSince(
      context,
      `The service signed these people up too. svc opts them out again: ${addressesOf(open)}`,
    );
    await rollBack(context, context.journal, { ...record, signedUp: { ...record.signedUp, open } });
  }
}

/**
 * The people of the canary and of the sent batches who had opted out before. Leaves out rows that the service refused.
 */
async function writtenOptedOut(
  context: WriteContext,
  probes: readonly OptOutItem[],
  { optedOut }: KnownAudience,
  batches: AsyncIterable<ListBatch>,
): Promise<OptOutItem[]> {
  const people = new Map(probes.map((item) => [item.contact.email, item]));
  for await (const { index, items } of batches) {
    const wasSent = context.journal.requests.stateOf(String(index)).mayHaveEffect;
    for (const item of wasSent ? items.filter(createOptedOutTest(optedOut)) : []) {
      const { email } = item.contact;
      people.set(email, people.get(email) ?? optOutAgain(item, optedOut.get(email) ?? {}));
    }
  }
  const refused = refusedRows(context.journal);
  return [...people.values()].filter((item) => !refused.has(rowKey(item)));
}
