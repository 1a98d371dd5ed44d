import { listContacts } from '../../api/resources/contacts.ts';
import { mapConcurrently } from '../../base/lib/concurrency.ts';
import { evenlySpread, rowKey } from '../../base/lib/rows.ts';
import type { ContactItem, ListBatch } from '../../import/batch/cut-batches.ts';
import type { WriteContext } from '../../run-lifecycle/data/run-context.ts';
import { CANARY_NAME } from '../../runs/find/run-status.ts';
import type { SendResult } from '../../sending/record-and-send.ts';
import { looseKey } from '../../wire/person-key.ts';
import { refusedRows, refusedRowsOf } from '../compare/look-up.ts';
import {
  CANARY_SIZE,
  type CanaryRecord,
  type KnownAudience,
  type OptedOut,
  type OptOutItem,
  type ProbeContact,
  type SeparateBatch,
} from '../opt-outs/canary-record.ts';
import { byUnprovenStatus, createOptedOutTest } from '../opt-outs/proofs.ts';
import { createProbeReader, findPersonToReadBack, type ProbeReader } from './probe-states.ts';

// The maximum number of look-ups in search of a person of the list who is not in the audience yet. The first batch with
// people to look up gets four look-ups, and each later batch one.
const MAX_LOOK_UPS = 10;

/**
 * Chooses the canary: the first four of the following people, each once. Reads only as many batches as needed.
 * - a person who is not in the audience and has no status in the list
 * - a person who opted out of the audience, if possible one who is unsubscribed
 * - a person of the first batch whose row is an opt-out, if possible with a date
 * - one opted-out person of each further status, a pending one first: a service may treat them differently
 * - the person of the first batch with the most custom fields
 * - other people without a status: they still show what the service does if a chosen person opts out meanwhile
 * The people keep the order of the list, so that a second run sends the same bytes.
 */
export async function chooseProbes(
  context: WriteContext,
  { audienceId, optedOut }: KnownAudience,
  batches: AsyncIterable<ListBatch>,
): Promise<ProbeContact[]> {
  const chosen: ProbeCandidates = { plain: [], optedOut: new Map() };
  const statuses = new Set([...optedOut.values()].map(({ status }) => status));
  const probeOf = createProbeReader(context, audienceId);
  let lookUpsLeft = MAX_LOOK_UPS;
  for await (const { index, items } of batches) {
    const maxPeople = chosen.created ? 0 : Math.min(lookUpsLeft, lookUpsLeft === MAX_LOOK_UPS ? CANARY_SIZE : 1);
    const candidates = probeCandidates(items, optedOut, maxPeople);
    lookUpsLeft -= candidates.length;
    chosen.plain = chosen.plain.length > 0 ? chosen.plain : candidates;
    chosen.created ??= await firstNewPerson(candidates, probeOf);
    addOptedOut(chosen.optedOut, items, optedOut);
    if (index === 0) {
      chosen.optsOut = optOutRowOf(items);
      chosen.mostFields = items.reduce((best, item) => (countFields(item) > countFields(best) ? item : best));
    }
    if ((chosen.created || lookUpsLeft === 0) && chosen.optedOut.size === statuses.size) {
      break;
    }
  }
  return mapConcurrently(peopleOf(chosen), context.options.concurrency, probeOf);
}

/** The candidates so far, one field for each kind of person. People in `plain` take the places that stay free. */
interface ProbeCandidates {
  created?: ContactItem | undefined;
  /** The first person of each status. */
  readonly optedOut: Map<string | undefined, ContactItem>;
  optsOut?: ContactItem | undefined;
  mostFields?: ContactItem | undefined;
  plain: readonly ContactItem[];
}

/** At most `maxPeople` people of a batch, evenly spread, without a status in the list or an opt-out in the audience. */
function probeCandidates(items: readonly ContactItem[], optedOut: OptedOut, maxPeople: number): ContactItem[] {
  const plain = items.filter(({ contact }) => contact.status === undefined && !optedOut.has(contact.email));
  return evenlySpread(plain, maxPeople);
}

/** Adds the people of a batch who opted out of the audience, one of each status. */
function addOptedOut(found: ProbeCandidates['optedOut'], items: readonly ContactItem[], optedOut: OptedOut): void {
  for (const item of items.filter(createOptedOutTest(optedOut))) {
    const status = optedOut.get(item.contact.email)?.status;
    found.set(status, found.get(status) ?? item);
  }
}

/** Opted-out people with different statuses, an unsubscribed one first, if possible. */
function optedOutProbes(found: ProbeCandidates['optedOut']): (ContactItem | undefined)[] {
  const pending = found.get('pending');
  const first = found.get('unsubscribed') ?? [...found.values()].find((item) => item !== pending) ?? pending;
  const others = [pending, ...found.values()].filter((item) => item !== undefined && item !== first);
  return [first, ...new Set(others)];
}

// A person of the batch whose row is an opt-out, with a date if possible.
function optOutRowOf(items: readonly ContactItem[]): ContactItem | undefined {
  const optOuts = items.filter(({ contact }) => contact.status !== undefined);
  return optOuts.find(({ contact }) => contact.unsubscribed_at !== undefined) ?? optOuts[0];
}

async function firstNewPerson(items: readonly ContactItem[], probeOf: ProbeReader): Promise<ContactItem | undefined> {
  for (const item of items) {
    if ((await probeOf(item)).before === 'new') {
      return item;
    }
  }
  return undefined;
}

/** The first four candidates, each person once. Spellings that may be one address count as one person (F8). */
function peopleOf({ created, optedOut, optsOut, mostFields, plain }: ProbeCandidates): ContactItem[] {
  const people = new Map<string, ContactItem>();
  const [optedOutPerson, ...withOtherStatuses] = optedOutProbes(optedOut);
  for (const item of [created, optedOutPerson, optsOut, ...withOtherStatuses, mostFields, ...plain]) {
    const key = item && looseKey(item.contact.email);
    if (key !== undefined && !people.has(key) && people.size < CANARY_SIZE) {
      people.set(key, item as ContactItem);
    }
  }
  return [...people.values()].sort((a, b) => a.source - b.source || a.line - b.line);
}

function countFields({ contact }: ContactItem): number {
  return Object.keys(contact.attributes ?? {}).length;
}

/** A batch that was sent alone, and its result. `wasSentBefore` is true if an earlier process sent the batch too. */
export interface BatchSentAlone {
  readonly listBatch: ListBatch;
  readonly alone: SeparateBatch;
  readonly sent: SendResult;
  /** The row keys of the people whom this process sent, without those in parts or halves that it did not send (C1). */
  readonly attempted: ReadonlySet<string>;
  readonly wasSentBefore: boolean;
}

/**
 * Chooses people to read back: a new person, an opted-out person of each status and any other person, each only if its
 * proof is missing. Adds opted-out people whose rows the service refused in the canary, because this batch may have
 * written them.
 */
export async function chooseProbesOfBatch(
  context: WriteContext,
  record: CanaryRecord,
  { subscribesPeople }: KnownAudience,
  batch: BatchSentAlone,
): Promise<ProbeContact[]> {
  const refused = refusedRows(context.journal);
  const isWritten = (item: ContactItem) => !refused.has(rowKey(item));
  const created =
    record.signUpProven || !subscribesPeople ? undefined : await findCreated(context, record.audienceId, batch);
  const { rollBack } = batch.alone;
  const isAttempted = (item: ContactItem) => batch.attempted.has(rowKey(item));
  const find = (people: readonly OptOutItem[]) =>
    batch.wasSentBefore ? findPersonToReadBack(context, record.audienceId, people) : people[0];
  const optedOut: (OptOutItem | undefined)[] = [];
  for (const people of byUnprovenStatus(record, rollBack.filter(isWritten))) {
    optedOut.push(await find(people.filter(isAttempted)));
    // An earlier process may have signed up people whom this process did not send, so one of them is read back too.
    optedOut.push(batch.wasSentBefore ? await find(people.filter((item) => !isAttempted(item))) : undefined);
  }
  const refusedBefore = refusedRowsOf(context.journal, CANARY_NAME);
  const again = rollBack.filter((item) => refusedBefore.has(rowKey(item)));
  const other = record.fieldsProven ? undefined : batch.listBatch.items.find(isWritten);
  // The read-back compares the sent fields too, because a row that the service ignored must not prove anything.
  const probeAsSent = (optOut: OptOutItem): ProbeContact => {
    const sent = batch.listBatch.items.find((item) => rowKey(item) === rowKey(optOut));
    return { ...optOut, ...sent, before: 'opted out' };
  };
  const probes: readonly (ProbeContact | undefined)[] = [
    created && { ...created, before: 'new' },
    ...optedOut.flatMap((item) => (item ? [probeAsSent(item)] : [])),
    ...again.map(probeAsSent),
    other && { ...other, before: 'there' },
  ];
  return probes.filter((probe) => probe !== undefined);
}

/**
 * Finds a person whom this batch created, and to whom the list gives no status. The response says only how many
 * contacts it created, for example three. The service lists the newest first, so the first three people of the batch on
 * page 1 are new. Undefined for a replay, and if that page shows no such person.
 */
async function findCreated(
  context: WriteContext,
  audienceId: string,
  { listBatch, sent }: BatchSentAlone,
): Promise<ContactItem | undefined> {
  if (sent.replayed || sent.created === 0) {
    return undefined;
  }
  const byAddress = new Map(listBatch.items.map((item) => [looseKey(item.contact.email), item]));
  for await (const page of listContacts(context.client, audienceId, context)) {
    const created = page.flatMap(({ email }) => byAddress.get(looseKey(email)) ?? []).slice(0, sent.created);
    return created.find(({ contact }) => contact.status === undefined);
  }
  return undefined;
}
