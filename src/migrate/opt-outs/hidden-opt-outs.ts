import { formatDuration } from '../../base/lib/duration.ts';
import { plural } from '../../base/lib/text.ts';
import type { ListBatch } from '../../import/batch/cut-batches.ts';
import { createAddressHashSet } from '../../import/dedupe/address-hash-set.ts';
import type { WriteContext } from '../../run-lifecycle/data/run-context.ts';
import { LIMITS } from '../../wire/limits.ts';
import { recordOptedOutOfBatch } from './audience-members.ts';
import {
  type CanaryRecord,
  createCountedTest,
  type KnownAudience,
  type OptedOut,
  readCanaryRecord,
} from './canary-record.ts';
import { hasHiddenOptOuts, type ListToWrite, readKnownAudience } from './known-audience.ts';
import { lookUpAll, lookUpSome, peopleToLookUp } from './look-up-people.ts';
import { createOptedOutTest, hiddenStatuses } from './proofs.ts';
import { HIDES_PEOPLE_NOTE } from './read-back-hint.ts';

/**
 * Finds the opted-out people of the list whom svc did not read yet. Skips this if the canary can show what happens to
 * opted-out people. svc does not rely on the counts of the audience, because two changes can cancel out. Each sign-up
 * by the service lowers the number of opt-outs by one, and each opt-out of the list raises it by one. svc reads all
 * pages of the audience, or looks up each person of the list, whichever takes fewer requests. If the pages show fewer
 * opted-out people than the counts, svc also looks people up whom no page shows. A service may leave opted-out people
 * out of its lists.
 */
export async function findHiddenOptOuts(
  context: WriteContext,
  toWrite: ListToWrite,
  audience: KnownAudience,
): Promise<KnownAudience> {
  const record = readCanaryRecord(context.journal);
  const isReadBack = record?.batchesRead !== undefined;
  const isDone = async (now: KnownAudience) =>
    !hasHiddenOptOuts(record, now) ||
    (!isReadBack && (await holdsEachStatus(hiddenStatuses(record, now), now.optedOut, toWrite)));
  if (audience.mustLookUp || (await isDone(audience))) {
    return audience;
  }
  const { contacts, unsubscribed } = toWrite.survey;
  const total = toWrite.snapshot.audience?.contact_counts?.total ?? 0;
  const unread = 'The newest contacts of the audience do not show whether people who opted out stay opted out.';
  if (contacts - unsubscribed <= total / LIMITS.pageSizeMax) {
    context.emit({ type: 'note', message: `${unread} Looking up each person of the list.` });
    context.emit({ type: 'doing', what: LOOKING_UP });
    return lookUpAll(context, toWrite, { ...audience, mustLookUp: () => true });
  }
  context.emit({ type: 'note', message: `${unread} Reading all contacts of the audience.` });
  const listed = createAddressHashSet(context.randomHex(16));
  const pages = { maxAgeMs: 0, maxPages: Number.POSITIVE_INFINITY, listed };
  const { audience: shown } = await readKnownAudience(context, toWrite, pages);
  const read = { ...shown, mustLookUp: (email: string) => !listed.has(email) };
  return (await isDone(read)) ? read : lookUpUnlisted(context, toWrite, read, { isReadBack });
}

/** What the progress shows while svc looks people up. The next phase replaces it. */
const LOOKING_UP = 'looking people up';

/** The maximum number of look-ups. They take five minutes at the rate limit. */
const MAX_LOOK_UPS = 3_000;

/**
 * Looks up the people of the list whom no page shows. Of more than 3,000 such people, looks up only some, for the
 * choice of the canary. `lookUpBatch` looks up the others later, if the canary proves nothing.
 */
async function lookUpUnlisted(
  context: WriteContext,
  toWrite: ListToWrite,
  audience: KnownAudience,
  { isReadBack }: { readonly isReadBack: boolean },
): Promise<KnownAudience> {
  let people = 0;
  for await (const batch of toWrite.batches.preview()) {
    people += peopleToLookUp(batch, audience).length;
  }
  const distance = Math.max(1, Math.ceil(people / MAX_LOOK_UPS));
  const time = formatDuration(Math.ceil(people / LIMITS.requestsPerMinute) * 60_000);
  const when = `, each before svc sends the person, unless the first people show enough. All of them take ${time} or more`;
  const work = `Looking up ${plural(people, 'person', 'people')} of the list whom they do not show${distance === 1 ? '' : when}.`;
  context.journal.writeNote(HIDES_PEOPLE_NOTE, true);
  context.emit({ type: 'note', message: `The contacts of the audience do not show all people who opted out. ${work}` });
  if (distance > 1 && isReadBack) {
    return audience;
  }
  context.emit({ type: 'doing', what: LOOKING_UP });
  return distance === 1 ? lookUpAll(context, toWrite, audience) : lookUpSome(context, toWrite, audience, distance);
}

/**
 * True if the list has, for each of these statuses, a person who can be in the canary and has that status in the
 * audience. A person of one status proves nothing about people of another.
 */
async function holdsEachStatus(
  statuses: readonly string[],
  optedOut: OptedOut,
  { batches }: ListToWrite,
): Promise<boolean> {
  const missing = new Set<string | undefined>(statuses);
  if (statuses.every((status) => [...optedOut.values()].some((known) => known.status === status))) {
    for await (const { items } of batches.preview()) {
      const inBatch = items.filter(createOptedOutTest(optedOut));
      inBatch.forEach(({ contact }) => missing.delete(optedOut.get(contact.email)?.status));
      if (missing.size === 0) {
        return true;
      }
    }
  }
  return false;
}

/**
 * Finds the opted-out people of a batch right before it is sent. Does so only if no page of the audience shows them,
 * and if no proof shows that they stay opted out. Returns the audience with these people.
 */
export async function lookUpBatch(
  context: WriteContext,
  record: CanaryRecord,
  audience: KnownAudience,
  batch: ListBatch,
): Promise<KnownAudience> {
  if (!hasHiddenOptOuts(record, audience)) {
    return audience;
  }
  const batches = { preview: () => onlyBatch(batch) };
  const { optedOut } = await lookUpAll(context, { ...audience, batches }, audience);
  const known = { ...audience, optedOut };
  recordOptedOutOfBatch(context, known, batch, createCountedTest(record));
  return known;
}

async function* onlyBatch(batch: ListBatch): AsyncGenerator<ListBatch> {
  yield batch;
}
