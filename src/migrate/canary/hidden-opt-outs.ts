import { hasKnownStatus } from '../../api/resources/contacts.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { WriteContext } from '../run-context.ts';
import { lookUpContact } from '../verify/look-up.ts';
import { type CanaryTarget, createOptedOutTest, type OptedOut, readCanaryRecord } from './canary-state.ts';
import { hasHiddenOptOuts, type ListToWrite, readTarget } from './read-target.ts';

const ALL_PAGES = { maxAgeMs: 0, maxPages: Number.POSITIVE_INFINITY };

/**
 * Finds the opted-out people of the list whom svc did not read yet. Skips this if the canary can show what happens to
 * opted-out people. The counts of the audience do not show whether the service signed a person up: in the counts, each
 * opt-out of the list makes up for one such person. svc reads all pages of the audience or looks up each person of the
 * list, whichever takes fewer requests.
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
  return { ...(await readTarget(context, toWrite, ALL_PAGES)).target, isReadInFull: true };
}

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

async function lookUpEachPerson(
  context: WriteContext,
  { audienceId, batches }: ListToWrite,
  target: CanaryTarget,
): Promise<CanaryTarget> {
  const optedOut = new Map(target.optedOut);
  let isEachShown = true;
  for await (const { items } of batches.preview()) {
    for (const { contact } of items.filter((item) => item.contact.status === undefined)) {
      const known = await lookUpContact(context, audienceId, contact);
      const isShown = known !== undefined && hasKnownStatus(known);
      if (isShown && known.status !== 'subscribed') {
        optedOut.set(contact.email, known);
      }
      isEachShown &&= isShown || known === undefined;
    }
  }
  const others = isEachShown ? { othersOptedOut: false, othersUnconfirmed: false } : {};
  return { ...target, optedOut, ...others, isReadInFull: true };
}
