import { listContacts } from '../../api/resources/contacts.ts';
import { plural } from '../../base/lib/text.ts';
import { contactBody } from '../../import/batch/cut-batches.ts';
import { looseKey } from '../../import/record/address.ts';
import type { ContactItem, ListBatch } from '../../import/types.ts';
import { refusedRows, rowKey } from '../verify/contacts.ts';
import type { Work } from '../work.ts';
import { type SendBatch, wasSent } from '../write/send-batch.ts';
import { NOTHING_SENT, refuseUnsent, type SendResult } from '../write/send-recorded.ts';
import { chooseProbes, isOptedOut, type OptedOut, type Probe } from './choose.ts';
import { countOptOuts, keepCountsBefore, missingOptOuts } from './opt-out-count.ts';
import { readBack } from './read-back.ts';
import { type AloneBatch, type CanaryRecord, keepRecord, NOTHING_SHOWN, readRecord, type Shown } from './record.ts';
import { optOutAgain, stopSignedUp } from './roll-back.ts';

/** Where contacts go, and what has to be shown before they go a few batches at a time. */
export interface CanaryPlace {
  readonly audienceId: string;
  /** People who opted out of the audience, as far as svc read it. */
  readonly optedOut: OptedOut;
  /** True where people opted out who stand beyond the pages that svc read. */
  readonly othersOptedOut: boolean;
  /** False where each row of the list says that the person opted out. */
  readonly joins: boolean;
}

const NAME = 'canary';

/**
 * Chooses the canary: at most four people who show what the service makes of a contact. After a kill the choice stands once
 * it was sent, because only the journal knows what the audience held before. Undefined for an empty list.
 */
export async function prepareCanary(
  work: Work,
  { audienceId, optedOut, othersOptedOut }: CanaryPlace,
  chunks: AsyncIterable<ListBatch>,
): Promise<CanaryRecord | undefined> {
  const record = readRecord(work.journal);
  if (record?.signedUp) {
    announce(work, record.probes.length);
    await stopSignedUp(work, record, record.signedUp);
  }
  if (record && wasSent(work, NAME)) {
    return record;
  }
  if (othersOptedOut) {
    await keepCountsBefore(work, audienceId);
  }
  const probes = await chooseProbes(work, { audienceId, chunks, optedOut });
  if (probes.length === 0) {
    return undefined;
  }
  const chosen = { audienceId, probes, shown: NOTHING_SHOWN };
  keepRecord(work.journal, chosen);
  return chosen;
}

/**
 * Sends the canary and reads it back, unless that is done. The service drops unknown fields in silence, and its document
 * does not say what an omitted status becomes (C1, F5). A difference stops the run here, after four people at most.
 */
export async function runCanary(work: Work, send: SendBatch): Promise<void> {
  const record = readRecord(work.journal);
  if (!record || record.batchesRead !== undefined) {
    return;
  }
  const { probes, audienceId } = record;
  announce(work, probes.length);
  const items = probes.map(({ source, line, contact }) => ({ source, line, contact }));
  const sent = await send(work, audienceId, { name: NAME, op: 'canary', rows: items, items, body: contactBody(items) });
  refuseUnsent(work, sent.unsent);
  const optedOut = probes.filter(({ before }) => before === 'opted out');
  const rollBack = optedOut.map((probe) => optOutAgain(probe, probe.optedOutAt));
  const what = `the canary of ${plural(probes.length, 'test contact')}`;
  const shown = await readBack(work, record, { what, probes, rollBack, missing: 0, sent });
  keepRecord(work.journal, { ...record, shown, batchesRead: 0 });
}

/** The name of the phase is older than the canary; scripts read it. */
function announce({ emit }: Work, total: number): void {
  emit({ type: 'phase', phase: 'first_batch', total, unit: 'rows' });
}

/** True once batches may go a few at a time. A canary that was refused or replayed leaves something open. */
export function isShown({ journal }: Pick<Work, 'journal'>, place: CanaryPlace): boolean {
  const { shown, probes, batchesRead = 0 } = readRecord(journal)!;
  const open = probes.some(({ before }) => before === 'opted out') || (place.othersOptedOut && batchesRead === 0);
  return shown.fields && (shown.joins || !place.joins) && (shown.stays || !open);
}

/**
 * Sends regular batches. The outcome of a probe contact is that of the canary, so its row does not count again, and a batch
 * of probe contacts alone is not sent again.
 */
export function createRegularSending(send: SendBatch, { journal }: Pick<Work, 'journal'>) {
  const probes = new Set(readRecord(journal)?.probes.map(rowKey));
  const counts = (row: Parameters<typeof rowKey>[0]) => !probes.has(rowKey(row));
  return (work: Work, audienceId: string, chunk: ListBatch): Promise<SendResult> => {
    const { index, rows, body } = chunk;
    const batch = {
      name: String(index),
      rows,
      body,
      counts,
      get items() {
        return chunk.items;
      },
    };
    return rows.some(counts) ? send(work, audienceId, batch) : Promise.resolve(NOTHING_SENT);
  };
}

/** Sends one batch alone and reads back the people of it who show what the canary could not. */
export async function sendAlone(
  work: Work,
  place: CanaryPlace,
  { chunk, send }: { readonly chunk: ListBatch; readonly send: ReturnType<typeof createRegularSending> },
): Promise<SendResult> {
  const record = readRecord(work.journal)!;
  const { batchesRead = 0, shown } = record;
  if (chunk.index < batchesRead) {
    return send(work, place.audienceId, chunk);
  }
  const alone = record.alone?.index === chunk.index ? record.alone : await lookBefore(work, place, chunk);
  const begun = { ...record, alone };
  keepRecord(work.journal, begun);
  const sent = await send(work, place.audienceId, chunk);
  refuseUnsent(work, sent.unsent);
  const now = await readBatchBack(work, place, { chunk, sent, record: begun, alone }).catch((error: unknown) => {
    announce(work, chunk.rows.length);
    throw error;
  });
  keepRecord(work.journal, { ...record, shown: join(shown, now), batchesRead: chunk.index + 1, alone: undefined });
  return sent;
}

async function lookBefore(work: Work, place: CanaryPlace, chunk: ListBatch): Promise<AloneBatch> {
  const { optedOut, othersOptedOut, audienceId } = place;
  const { shown, batchesRead = 0 } = readRecord(work.journal)!;
  const counts = othersOptedOut && !shown.stays && batchesRead === 0;
  return {
    index: chunk.index,
    rollBack: chunk.items
      .filter(isOptedOut(optedOut))
      .map((item) => optOutAgain(item, optedOut.get(item.contact.email)?.unsubscribed_at)),
    count: counts ? await countOptOuts(work, audienceId, chunk) : undefined,
  };
}

interface Sent {
  readonly chunk: ListBatch;
  readonly sent: SendResult;
  readonly record: CanaryRecord;
  readonly alone: AloneBatch;
}

async function readBatchBack(work: Work, place: CanaryPlace, batch: Sent): Promise<Shown> {
  const { chunk, sent, record, alone } = batch;
  // A batch that updated no contact signed no person up again: then they came back on their own.
  const count = sent.updated > 0 || sent.replayed ? alone.count : undefined;
  return readBack(work, record, {
    what: `batch ${chunk.index + 1}`,
    probes: await probesOf(work, place, batch),
    rollBack: alone.rollBack,
    missing: count ? await missingOptOuts(work, place.audienceId, count) : 0,
    sent,
  });
}

/** Of a batch that was written: a new person, the first who had opted out, and any other, each where still needed. */
async function probesOf(work: Work, place: CanaryPlace, batch: Sent): Promise<Probe[]> {
  const { chunk, record, alone } = batch;
  const { shown } = record;
  const refused = refusedRows(work.journal);
  const isWritten = (item: ContactItem) => !refused.has(rowKey(item));
  const created = shown.joins || !place.joins ? undefined : await findCreated(work, place.audienceId, batch);
  const optedOut = shown.stays ? undefined : alone.rollBack.find(isWritten);
  const other = shown.fields ? undefined : chunk.items.find(isWritten);
  const probes: readonly (Probe | undefined)[] = [
    created && { ...created, before: 'new' },
    optedOut && { ...optedOut, before: 'opted out' },
    other && { ...other, before: 'there' },
  ];
  return probes.filter((probe) => probe !== undefined);
}

/**
 * A newly created contact of a batch that was sent without a status; undefined where the newest page shows none. An answer
 * says only how many were created, but lists are newest first: so many of the batch, from the top, are the new ones.
 */
async function findCreated(work: Work, audienceId: string, { chunk, sent }: Pick<Sent, 'chunk' | 'sent'>) {
  if (sent.replayed || sent.created === 0) {
    return undefined;
  }
  const byAddress = new Map(chunk.items.map((item) => [looseKey(item.contact.email), item]));
  for await (const page of listContacts(work.client, audienceId, work)) {
    const created = page.flatMap(({ email }) => byAddress.get(looseKey(email)) ?? []).slice(0, sent.created);
    return created.find(({ contact }) => contact.status === undefined);
  }
  return undefined;
}

function join(a: Shown, b: Shown): Shown {
  return { fields: a.fields || b.fields, joins: a.joins || b.joins, stays: a.stays || b.stays };
}
