import { listContacts } from '../../api/resources/contacts.ts';
import { looseKey } from '../../import/record/address.ts';
import type { ContactItem, ListBatch } from '../../import/types.ts';
import { refusedRows, rowKey } from '../verify/contacts.ts';
import { wasSent } from '../write/send-batch.ts';
import { isAnswered, refuseUnsent, type SendResult } from '../write/send-recorded.ts';
import type { WriteContext } from '../write-context.ts';
import { type CanaryTarget, type createRegularSending, reportPhase } from './canary.ts';
import { isOptedOut, type Probe } from './choose.ts';
import { countOptOuts, missingOptOuts } from './opt-out-count.ts';
import { readBack } from './read-back.ts';
import { type AloneBatch, type CanaryRecord, keepRecord, readRecord, type Shown } from './record.ts';
import { optOutAgain } from './roll-back.ts';

/**
 * True if a batch must be sent alone, because it may show what the canary did not. Time may have passed since the
 * canary: if nothing proved yet that opt-outs stay, each batch with a person goes alone who opted out by now (C1).
 */
export function mustGoAlone(
  { journal }: Pick<WriteContext, 'journal'>,
  place: CanaryTarget,
  listBatch: ListBatch,
): boolean {
  const { shown, batchesRead = 0, alone } = readRecord(journal)!;
  if (alone?.index === listBatch.index) {
    return true;
  }
  if (listBatch.index < batchesRead || isAnswered(journal, String(listBatch.index))) {
    return false;
  }
  if (!(shown.fields && (shown.joins || !place.joins))) {
    return true;
  }
  const isCounted = place.othersOptedOut && batchesRead === 0;
  return !shown.stays && (isCounted || (place.optedOut.size > 0 && listBatch.items.some(isOptedOut(place.optedOut))));
}

/** Sends one batch alone. Then reads back the people of it who show what the canary could not. */
export async function sendAlone(
  work: WriteContext,
  place: CanaryTarget,
  { listBatch, send }: { readonly listBatch: ListBatch; readonly send: ReturnType<typeof createRegularSending> },
): Promise<SendResult> {
  const record = readRecord(work.journal)!;
  const { shown } = record;
  const alone = record.alone?.index === listBatch.index ? record.alone : await lookBefore(work, place, listBatch);
  const opened = { ...record, alone };
  keepRecord(work.journal, opened);
  const sent = await send(work, place.audienceId, listBatch);
  refuseUnsent(work, sent.unsent);
  const now = await readBatchBack(work, place, { listBatch, sent, record: opened, alone }).catch((error: unknown) => {
    reportPhase(work, listBatch.rows.length);
    throw error;
  });
  keepRecord(work.journal, { ...record, shown: join(shown, now), batchesRead: listBatch.index + 1, alone: undefined });
  return sent;
}

async function lookBefore(work: WriteContext, place: CanaryTarget, listBatch: ListBatch): Promise<AloneBatch> {
  const { optedOut, othersOptedOut, audienceId } = place;
  const { shown, batchesRead = 0 } = readRecord(work.journal)!;
  const counts = othersOptedOut && !shown.stays && batchesRead === 0;
  return {
    index: listBatch.index,
    sentBefore: wasSent(work, String(listBatch.index)),
    rollBack: listBatch.items
      .filter(isOptedOut(optedOut))
      .map((item) => optOutAgain(item, optedOut.get(item.contact.email)?.unsubscribed_at)),
    count: counts ? await countOptOuts(work, audienceId, listBatch) : undefined,
  };
}

interface Sent {
  readonly listBatch: ListBatch;
  readonly sent: SendResult;
  readonly record: CanaryRecord;
  readonly alone: AloneBatch;
}

async function readBatchBack(work: WriteContext, place: CanaryTarget, batch: Sent): Promise<Shown> {
  const { listBatch, sent, record, alone } = batch;
  // A batch that updated no contact signed no person up again: people came back on their own.
  const count = sent.updated > 0 || sent.replayed ? alone.count : undefined;
  const shown = await readBack(work, record, {
    what: `batch ${listBatch.index + 1}`,
    probes: await probesOf(work, place, batch),
    rollBack: alone.rollBack,
    missing: count ? await missingOptOuts(work, place.audienceId, count) : 0,
    sent,
  });
  return alone.sentBefore ? { ...shown, stays: false } : shown;
}

/**
 * Chooses probe contacts of a batch that was written. At most one each: a new person, the first who had opted out, any
 * other person. Each is chosen only if its proof is still missing.
 */
async function probesOf(work: WriteContext, place: CanaryTarget, batch: Sent): Promise<Probe[]> {
  const { listBatch, record, alone } = batch;
  const { shown } = record;
  const refused = refusedRows(work.journal);
  const isWritten = (item: ContactItem) => !refused.has(rowKey(item));
  const created = shown.joins || !place.joins ? undefined : await findCreated(work, place.audienceId, batch);
  const optedOut = shown.stays ? undefined : alone.rollBack.find(isWritten);
  const other = shown.fields ? undefined : listBatch.items.find(isWritten);
  const probes: readonly (Probe | undefined)[] = [
    created && { ...created, before: 'new' },
    optedOut && { ...optedOut, before: 'opted out' },
    other && { ...other, before: 'there' },
  ];
  return probes.filter((probe) => probe !== undefined);
}

/**
 * Finds a newly created contact of a batch that was sent without a status. Undefined if the newest page shows none. A
 * response says only how many contacts were created. Lists are newest first, so that many people of the batch, from the
 * top, are new.
 */
async function findCreated(
  work: WriteContext,
  audienceId: string,
  { listBatch, sent }: Pick<Sent, 'listBatch' | 'sent'>,
) {
  if (sent.replayed || sent.created === 0) {
    return undefined;
  }
  const byAddress = new Map(listBatch.items.map((item) => [looseKey(item.contact.email), item]));
  for await (const page of listContacts(work.client, audienceId, work)) {
    const created = page.flatMap(({ email }) => byAddress.get(looseKey(email)) ?? []).slice(0, sent.created);
    return created.find(({ contact }) => contact.status === undefined);
  }
  return undefined;
}

function join(a: Shown, b: Shown): Shown {
  return { fields: a.fields || b.fields, joins: a.joins || b.joins, stays: a.stays || b.stays };
}
