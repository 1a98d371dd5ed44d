import { canonicalEmail, hasKnownStatus } from '../../api/resources/contacts.ts';
import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { rowKey } from '../../base/lib/rows.ts';
import type { ContactItem, ListBatch } from '../../import/batch/cut-batches.ts';
import type { Contact } from '../../wire/shapes.ts';
import type { WriteContext } from '../run-context.ts';
import { compareOptOutDate } from '../verify/compare-contact.ts';
import { lookUpContact } from '../verify/look-up.ts';
import { MAX_PROOF_CANDIDATES, testWrite, UPDATED_WORD } from '../write/prove-upsert-false.ts';
import { sendRecorded } from '../write/send-and-bisect.ts';
import {
  type CanaryRecord,
  type CanaryTarget,
  createOptedOutTest,
  optOutAgain,
  reportPhase,
  storeBeforeAttempt,
  storeCanaryRecord,
} from './canary-state.ts';
import { type ListToWrite, mustTestOptOuts, readTarget } from './read-target.ts';
import { addressesOf, noteLostOptOutDates, optOutTestedPerson, runThatSignsUp, signedUpHint } from './roll-back.ts';

// The maximum number of opt-outs of the list to look up, until one is found who is unsubscribed in the audience.
const MAX_LOOK_UPS = 10;

const READING_ALL = 'Reading the whole audience to find who opted out: the service may sign these people up again.';
const ALL_PAGES = { maxAgeMs: 0, maxPages: Number.POSITIVE_INFINITY };

interface KnownOptOuts {
  readonly record: CanaryRecord;
  readonly target: CanaryTarget;
}

/**
 * Prepares the batches of a list with opt-outs: proves that opted-out people stay opted out. Without the proof, reads
 * all pages of the audience to find who opted out. Also for a list without opt-outs, if an earlier run to this audience
 * showed that the service signs opted-out people up again.
 */
export async function findHiddenOptOuts(
  context: WriteContext,
  toWrite: ListToWrite,
  known: KnownOptOuts,
): Promise<KnownOptOuts> {
  if (known.record.optOutProven || !known.target.subscribesPeople) {
    return known;
  }
  const earlier = runThatSignsUp(context, known.target.audienceId);
  if (!earlier && !mustTestOptOuts(known.record, known.target)) {
    return known;
  }
  const record = earlier ? known.record : await proveOptOuts(context, known, toWrite.batches.preview());
  if (record.optOutProven) {
    return { ...known, record };
  }
  context.emit({ type: 'note', message: READING_ALL });
  const { target } = await readTarget(context, toWrite, ALL_PAGES);
  const signsUpShownBy = record.signsUpOptedOut ? context.journal.header.run : earlier;
  return { record, target: { ...target, signsUpShownBy } };
}

/**
 * Finds out whether opted-out people stay opted out. Only done if the canary did not show it, and the audience has
 * opted-out people whom svc did not read. Counts can't show it: each opt-out of the list would hide the sign-up of
 * another person. So svc takes a person whom the list opts out and who is unsubscribed in the audience, sends them once
 * without a status, and reads them back. If the service signed them up, svc opts them out again. Returns the record
 * with the proof, or without it.
 */
async function proveOptOuts(
  context: WriteContext,
  { record: canary }: KnownOptOuts,
  batches: AsyncIterable<ListBatch>,
): Promise<CanaryRecord> {
  let record = canary;
  let tries = 0;
  for await (const person of unsubscribedPeople(context, record, batches)) {
    record = await testPerson(context, record, person);
    tries += 1;
    if (record.optOutProven || record.signsUpOptedOut || tries === MAX_PROOF_CANDIDATES) {
      break;
    }
  }
  return record;
}

interface TestPerson {
  readonly item: ContactItem;
  readonly known: Contact;
}

/** People whom the list opts out and who are unsubscribed in the audience: first those of the canary. */
async function* unsubscribedPeople(
  context: WriteContext,
  { audienceId, probes }: CanaryRecord,
  batches: AsyncIterable<ListBatch>,
): AsyncGenerator<TestPerson> {
  const lookedUp = new Set<string>();
  for await (const items of withFirst(probes, batches)) {
    const optOuts = items.filter((item) => item.contact.status === 'unsubscribed' && !lookedUp.has(rowKey(item)));
    for (const item of optOuts) {
      if (lookedUp.size === MAX_LOOK_UPS) {
        return;
      }
      lookedUp.add(rowKey(item));
      const known = await lookUpContact(context, audienceId, item.contact);
      // A contact with another spelling shows nothing: this address would become a second contact (F8).
      if (known?.status === 'unsubscribed' && canonicalEmail(known) === item.contact.email) {
        yield { item, known };
      }
    }
  }
}

async function* withFirst(
  first: readonly ContactItem[],
  batches: AsyncIterable<ListBatch>,
): AsyncGenerator<readonly ContactItem[]> {
  yield first;
  for await (const { items } of batches) {
    yield items;
  }
}

/**
 * Throws if the batch has people without a status who are not subscribed, and a test showed that the service signs such
 * people up.
 */
export function refuseKnownSignUps(
  context: WriteContext,
  { optedOut, signsUpShownBy }: CanaryTarget,
  { items }: ListBatch,
): void {
  const people = signsUpShownBy ? items.filter(createOptedOutTest(optedOut)) : [];
  if (people.length > 0) {
    const message = `people of the list are not subscribed, and ${signsUpShownBy} showed that the service signs such people up again: ${addressesOf(people)}`;
    reportPhase(context, items.length);
    throw new SvcError(EXIT.unverified, 'first_batch', message, { hint: signedUpHint(context, signsUpShownBy) });
  }
}

/** Sends one opted-out person without a status, and reads them back. */
async function testPerson(
  context: WriteContext,
  canary: CanaryRecord,
  { item, known }: TestPerson,
): Promise<CanaryRecord> {
  const { journal } = context;
  // A random part makes each test a new request, because a replay of another run would write nothing (I7).
  const keySuffix = context.randomHex(8);
  const name = `opt_out_test.${keySuffix}`;
  const contact = { ...item.contact, status: undefined, unsubscribed_at: undefined };
  const body = Buffer.from(JSON.stringify({ upsert: true, contacts: [contact] }));
  const request = { audienceId: canary.audienceId, body, keySuffix, op: 'upsert' } as const;
  let isUpdated = false;
  const write = testWrite(context, { name, item, request }, (word, replayed) => {
    isUpdated = word === UPDATED_WORD && !replayed;
  });
  const guard = context.newAutomationGuard;
  const beforeAttempt = async () => void (await guard?.refuseNew());
  // Before the request, so that a resume or another run opts the person out again if this process is killed.
  const record = storeBeforeAttempt(journal, { ...canary, optOutTest: { name, optOut: optOutAgain(item, known) } });
  await sendRecorded(context, { ...write, beforeAttempt, isStale: guard?.isStale });
  return endTest(context, record, isUpdated);
}

/**
 * Ends a test: reads its person back, and opts them out again if they are subscribed. A resume does this first. The
 * test proves something if `isUpdated` is true: this process updated the person.
 */
export async function endTest(
  context: WriteContext,
  { optOutTest, ...record }: CanaryRecord,
  isUpdated = false,
): Promise<CanaryRecord> {
  if (!optOutTest) {
    return record;
  }
  const { name, optOut } = optOutTest;
  if (!context.journal.requests.stateOf(name).mayHaveEffect) {
    return storeCanaryRecord(context.journal, record);
  }
  const after = await lookUpContact(context, record.audienceId, optOut.contact);
  if (after?.status === 'subscribed') {
    const shown = { ...record, signsUpOptedOut: true };
    storeCanaryRecord(context.journal, { ...shown, optOutTest });
    await optOutTestedPerson(context, record.audienceId, optOut);
    return storeCanaryRecord(context.journal, shown);
  }
  noteLostOptOutDates(context, [{ item: optOut, after }]);
  // A newer date shows that the person opted out anew. Before that, the service may have signed them up.
  const isSame = after !== undefined && hasKnownStatus(after) && compareOptOutDate(optOut.contact, after).length === 0;
  return storeCanaryRecord(context.journal, { ...record, optOutProven: record.optOutProven || (isUpdated && isSame) });
}
