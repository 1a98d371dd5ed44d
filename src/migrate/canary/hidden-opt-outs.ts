import { hasKnownStatus } from '../../api/resources/contacts.ts';
import type { ListBatch } from '../../import/batch/cut-batches.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { BatchContact } from '../../wire/shapes.ts';
import type { WriteContext } from '../run-context.ts';
import { lookUpContact } from '../verify/look-up.ts';
import { type CanaryTarget, createOptedOutTest, type OptedOut, readCanaryRecord } from './canary-state.ts';
import { hasHiddenOptOuts, type ListToWrite, readTarget } from './read-target.ts';

const ALL_PAGES = { maxAgeMs: 0, maxPages: Number.POSITIVE_INFINITY };

/**
 * Finds the opted-out people of the list whom svc did not read yet. Skips this if the canary can show what happens to
 * opted-out people. The counts of the audience do not show whether the service signed a person up: in the counts, each
 * opt-out of the list makes up for one such person. svc reads all pages of the audience or looks up each person of the
 * list, whichever takes fewer requests. If the pages show fewer opted-out people than the counts, svc also looks people
 * up: a service may leave opted-out people out of its lists.
 */
export async function findHiddenOptOuts(
  context: WriteContext,
  toWrite: ListToWrite,
  target: CanaryTarget,
): Promise<CanaryTarget> {
  const record = readCanaryRecord(context.journal);
  if (target.isReadInFull || !hasHiddenOptOuts(record, target)) {
    return target;
  }
  if (record?.batchesRead === undefined && (await holdsUnsubscribedPerson(target.optedOut, toWrite))) {
    return target;
  }
  const { contacts, unsubscribed } = toWrite.survey;
  const people = contacts - unsubscribed;
  const total = toWrite.snapshot.audience?.contact_counts?.total ?? 0;
  const unread = 'The newest contacts of the audience do not show whether people who opted out stay opted out.';
  if (people <= total / LIMITS.pageSizeMax) {
    context.emit({ type: 'note', message: `${unread} Looking up each person of the list.` });
    return lookUpEachPerson(context, toWrite, target);
  }
  context.emit({ type: 'note', message: `${unread} Reading all contacts of the audience.` });
  const read = { ...(await readTarget(context, toWrite, ALL_PAGES)).target, isReadInFull: true };
  if (
    !read.othersOptedOut ||
    record?.batchesRead !== undefined ||
    (await holdsUnsubscribedPerson(read.optedOut, toWrite))
  ) {
    return read;
  }
  const message = 'The contacts of the audience do not show all people who opted out. Looking up people of the list.';
  context.emit({ type: 'note', message });
  return lookUpEachPerson(context, toWrite, read, Math.ceil(people / MAX_LOOK_UPS));
}

/** So many look-ups take five minutes at the rate limit. Of a longer list, svc looks up people at equal distances. */
const MAX_LOOK_UPS = 3_000;

/**
 * True if the list has an unsubscribed person of the audience, who can be in the canary. Pending and bounced people
 * would prove too little.
 */
async function holdsUnsubscribedPerson(all: OptedOut, { batches }: ListToWrite): Promise<boolean> {
  const optedOut = new Map([...all].filter(([, { status }]) => status === 'unsubscribed'));
  if (optedOut.size > 0) {
    for await (const { items } of batches.preview()) {
      if (items.some(createOptedOutTest(optedOut))) {
        return true;
      }
    }
  }
  return false;
}

/**
 * Looks up each person of the list whom svc sends without a status, or only each one at `distance`. Then one
 * unsubscribed person is enough, because the canary shows what happens to all.
 */
async function lookUpEachPerson(
  context: WriteContext,
  { audienceId, batches }: ListToWrite,
  target: CanaryTarget,
  distance = 1,
): Promise<CanaryTarget> {
  const optedOut = new Map(target.optedOut);
  let isEachShown = distance === 1;
  for await (const contact of peopleAtDistance(batches.preview(), distance)) {
    const known = await lookUpContact(context, audienceId, contact);
    const isShown = known !== undefined && hasKnownStatus(known);
    // The service may hide a person who opted out: a missing contact proves nothing.
    isEachShown &&= isShown;
    if (isShown && known.status !== 'subscribed') {
      optedOut.set(contact.email, known);
    }
    if (distance > 1 && known?.status === 'unsubscribed') {
      break;
    }
  }
  const others = isEachShown ? { othersOptedOut: false, othersUnconfirmed: false } : {};
  return { ...target, optedOut, ...others, isReadInFull: true };
}

async function* peopleAtDistance(batches: AsyncIterable<ListBatch>, distance: number): AsyncGenerator<BatchContact> {
  let position = 0;
  for await (const { items } of batches) {
    for (const { contact } of items) {
      if (contact.status === undefined && position++ % distance === 0) {
        yield contact;
      }
    }
  }
}
