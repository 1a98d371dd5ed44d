import { getAudience } from '../../api/resources/audiences.ts';
import { hasKnownStatus } from '../../api/resources/contacts.ts';
import type { Batches } from '../../import/batch/batches.ts';
import type { Survey } from '../../import/survey/survey-types.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { AccountSnapshot } from '../prepare/account-snapshot.ts';
import { readShownContacts } from '../prepare/audience-contacts.ts';
import type { WriteContext } from '../run-context.ts';
import { lookUpContact } from '../verify/look-up.ts';
import {
  type CanaryRecord,
  type CanaryTarget,
  createOptedOutTest,
  type OptedOut,
  type Proofs,
  readCanaryRecord,
} from './canary-state.ts';
import { withOptedOutLookAlikes } from './known-opt-outs.ts';

/** The contacts of a list, and the snapshot of the account that the plan was made with. */
export interface ListToWrite {
  readonly audienceId: string;
  readonly batches: Pick<Batches, 'preview'>;
  readonly snapshot: AccountSnapshot;
  readonly survey: Survey;
}

// A person may opt out while svc waits for the user's answer or for the rate limit.
const FRESH_MS = 60_000;

/** How old the snapshot may be, and how many pages of the audience are read if it is older. */
interface ReadLimits {
  readonly maxAgeMs: number;
  readonly maxPages?: number;
}

const ALL_PAGES: ReadLimits = { maxAgeMs: 0, maxPages: Number.POSITIVE_INFINITY };

/**
 * What svc knows about the audience and the list before it sends contacts. Takes the snapshot of the plan, unless it is
 * too old: then reads again who opted out.
 */
export async function readTarget(
  context: WriteContext,
  toWrite: ListToWrite,
  limits: ReadLimits = { maxAgeMs: FRESH_MS },
): Promise<{ readonly snapshot: AccountSnapshot; readonly target: CanaryTarget }> {
  const { audienceId, survey } = toWrite;
  const snapshot = await freshSnapshot(context, toWrite, limits);
  const target = {
    audienceId,
    optedOut: await withOptedOutLookAlikes(context, { ...toWrite, ...snapshot }),
    othersOptedOut: snapshot.moreOptedOut,
    othersUnconfirmed: snapshot.moreUnconfirmed,
    subscribesPeople: survey.contacts > survey.unsubscribed,
    optOutRows: survey.unsubscribed,
    isReadInFull: false,
  };
  return { snapshot, target };
}

async function freshSnapshot(
  context: WriteContext,
  { audienceId, snapshot, survey }: ListToWrite,
  { maxAgeMs, maxPages }: ReadLimits,
): Promise<AccountSnapshot> {
  if (!snapshot.audience || snapshot.ageMs() < maxAgeMs) {
    return snapshot;
  }
  const audience = await getAudience(context.client, audienceId, context);
  return { ...snapshot, audience, ...(await readShownContacts(context, audience, survey, maxPages)) };
}

/**
 * Finds the opted-out people of the list whom svc did not read yet, unless the canary shows what happens to such
 * people. Counts can't show whom the service signs up, and each opt-out of the list would hide a sign-up. So svc reads
 * all pages of the audience, or looks up each person of the list, whichever takes fewer requests.
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

/** True if svc did not read all opted-out people of the audience, and nothing shows yet that they stay opted out. */
function hasHiddenOptOuts(
  { optOutProven }: Partial<Proofs> = {},
  { othersOptedOut, othersUnconfirmed, subscribesPeople }: CanaryTarget,
): boolean {
  return subscribesPeople && (othersOptedOut || othersUnconfirmed) && !optOutProven;
}

/** True if the canary of the list can have an unsubscribed person. Pending and bounced people prove too little. */
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

/** True if svc counts the opt-outs before and after the first batch, because it can't read who they are. */
export function mustCountOptOuts(record: CanaryRecord, target: CanaryTarget): boolean {
  return hasHiddenOptOuts(record, target) && record.batchesRead === 0;
}
