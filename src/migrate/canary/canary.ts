import { type RowPosition, rowKey } from '../../base/lib/rows.ts';
import { contactBody, type ListBatch } from '../../import/batch/cut-batches.ts';
import { NOTHING_SENT, type SendResult } from '../../sending/record-and-send.ts';
import type { WriteContext } from '../run-context.ts';
import { countOptOuts, missingOptOutsMessage, storeCountsBefore } from '../verify/opt-out-count.ts';
import { hasBatchResponse, refuseUnsent } from '../write/send-and-bisect.ts';
import { type SendBatch, wasBatchSent } from '../write/send-batch.ts';
import {
  CANARY_NAME,
  type CanaryRecord,
  type CanaryTarget,
  createOptedOutTest,
  mustCountOptOuts,
  optOutAgain,
  optOutsOfProbes,
  type Proofs,
  readCanaryRecord,
  reportPhase,
  reportSent,
  type SeparateBatch,
  storeCanaryRecord,
  withProofs,
} from './canary-state.ts';
import { type BatchSentAlone, chooseProbes, chooseProbesOfBatch } from './choose-probes.ts';
import { findWhoLeft } from './probe-states.ts';
import { readBack } from './read-back.ts';
import { rollBackAndStop } from './roll-back.ts';

/**
 * Chooses the canary: at most four people of the list, who are sent first to see what the service does with them. A
 * resume keeps a canary that was sent, because only its record shows these people as they were before. It also finds
 * out who of them opted out since. Undefined for an empty list. If an earlier process found unwanted sign-ups, rolls
 * them back and throws.
 */
export async function prepareCanary(
  context: WriteContext,
  target: CanaryTarget,
  batches: AsyncIterable<ListBatch>,
): Promise<CanaryRecord | undefined> {
  const record = readCanaryRecord(context.journal);
  if (record?.signedUp) {
    reportPhase(context, record.probes.length, record.probes.length);
    await rollBackAndStop(context, record, record.signedUp);
  }
  if (target.othersOptedOut) {
    await storeCountsBefore(context, target);
  }
  if (record && wasBatchSent(context, CANARY_NAME)) {
    return isToSend(context, record) ? { ...record, probes: await findWhoLeft(context, record) } : record;
  }
  const probes = await chooseProbes(context, target, batches);
  return probes.length === 0
    ? undefined
    : storeCanaryRecord(context.journal, { audienceId: target.audienceId, probes });
}

/**
 * Sends the canary, reads its people back and compares them, unless an earlier process did so. This shows whether the
 * service ignores fields without an error (F5). It also shows which status the service gives to a contact without one
 * (C1). Throws at a difference, before any other person is sent. If the response turned out to be an outdated replay,
 * sends the canary again (I7).
 */
export async function runCanary(context: WriteContext, record: CanaryRecord, send: SendBatch): Promise<CanaryRecord> {
  const isOpen = isToSend(context, record);
  if (record.batchesRead !== undefined && !isOpen) {
    return record;
  }
  const { probes, audienceId } = record;
  reportPhase(context, probes.length);
  const people = { rows: probes, items: probes, body: contactBody(probes), bodyOf: undefined };
  const hooks = { isCounted: undefined, onSuppressed: undefined, beforeAttempt: undefined };
  const batch = { name: CANARY_NAME, op: 'canary', ...people, ...hooks } as const;
  const wasSentBefore = context.journal.requests.mayHaveEffect(CANARY_NAME);
  if (isOpen) {
    // Stores only now who left in the pause, because a person may come back until the canary is sent again.
    storeCanaryRecord(context.journal, record);
  }
  const sent = await send(context, audienceId, batch);
  refuseUnsent(context, sent.unsent);
  const opened = storeCanaryRecord(context.journal, { ...record, isSent: true });
  reportSent(context, probes.length);
  const what = probes.length === 1 ? 'the first person' : `the first ${probes.length} people`;
  const rollBack = optOutsOfProbes(probes);
  const proofs = await readBack(context, opened, { what, probes, rollBack, missing: undefined, sent, wasSentBefore });
  // A batch that an earlier process sent alone keeps its record, because it must still be read back.
  const batchesRead = (record.alone && record.batchesRead) ?? 0;
  return storeCanaryRecord(context.journal, { ...withProofs(record, proofs), batchesRead });
}

/** True if a request of the canary must still be sent, or sent again. */
function isToSend({ journal }: WriteContext, { batchesRead, isSent }: CanaryRecord): boolean {
  const isIncomplete = batchesRead === undefined && !isSent && !hasBatchResponse(journal, CANARY_NAME);
  return isIncomplete || journal.requests.hasOpenRequests(CANARY_NAME);
}

/** Sends a batch of the list, unless the journal already has its response. */
export type SendListBatch = (context: WriteContext, audienceId: string, listBatch: ListBatch) => Promise<SendResult>;

/**
 * Returns a function that sends the batches of the list. A batch keeps the rows that were in the canary, because its
 * idempotency key depends on its bytes. But these rows do not count again. A batch with only such rows is not sent.
 */
export function withoutProbeRows(send: SendBatch, { probes }: CanaryRecord): SendListBatch {
  const isCounted = (row: RowPosition) =>
    !probes.some(({ source, line }) => source === row.source && line === row.line);
  return (context, audienceId, listBatch) => {
    const { index, rows, body } = listBatch;
    const batch = {
      ...{ name: String(index), rows, body, bodyOf: undefined, op: undefined },
      isCounted: rows.every(isCounted) ? undefined : isCounted,
      ...{ onSuppressed: undefined, beforeAttempt: undefined },
      get items() {
        return listBatch.items;
      },
    };
    return rows.some(isCounted) ? send(context, audienceId, batch) : Promise.resolve(NOTHING_SENT);
  };
}

/**
 * Sends one batch while no other is in flight. Then reads some of its people back for the proofs that are still
 * missing.
 */
export async function sendAlone(
  context: WriteContext,
  record: CanaryRecord,
  target: CanaryTarget,
  { listBatch, send }: { readonly listBatch: ListBatch; readonly send: SendListBatch },
): Promise<{ readonly record: CanaryRecord; readonly sent: SendResult }> {
  const alone = await readBeforeBatch(context, record, target, listBatch);
  const opened = storeCanaryRecord(context.journal, { ...record, alone });
  const wasSentBefore = context.journal.requests.mayHaveEffect(String(listBatch.index));
  const sent = await send(context, target.audienceId, listBatch);
  refuseUnsent(context, sent.unsent);
  const proofs = await readBatchBack(context, opened, target, { listBatch, alone, sent, wasSentBefore }).catch(
    (error: unknown) => {
      reportPhase(context, listBatch.rows.length, listBatch.rows.length);
      throw error;
    },
  );
  const read = { ...withProofs(opened, proofs), batchesRead: listBatch.index + 1, alone: undefined };
  return { record: storeCanaryRecord(context.journal, read), sent };
}

/**
 * Finds out, before a batch is sent, which of its people opted out. If an earlier process sent the batch and got no
 * response, the result has two groups: people who had opted out before the first attempt, and people who opted out
 * since.
 */
async function readBeforeBatch(
  context: WriteContext,
  record: CanaryRecord,
  target: CanaryTarget,
  listBatch: ListBatch,
): Promise<SeparateBatch> {
  const { optedOut, audienceId } = target;
  const { index, items } = listBatch;
  const mayHaveEffect = context.journal.requests.mayHaveEffect(String(index));
  const earlier = record.alone?.index === index && mayHaveEffect ? record.alone : undefined;
  if (earlier && hasBatchResponse(context.journal, String(index))) {
    return earlier;
  }
  const known = new Set(earlier?.rollBack.map(rowKey));
  const since = items.filter((item) => createOptedOutTest(optedOut)(item) && !known.has(rowKey(item)));
  const isCounted = !earlier && mustCountOptOuts(record, target);
  return {
    index,
    rollBack: [
      ...(earlier?.rollBack ?? []),
      ...since.map((item) => optOutAgain(item, optedOut.get(item.contact.email) ?? {})),
    ],
    count: isCounted ? await countOptOuts(context, audienceId, listBatch) : earlier?.count,
  };
}

async function readBatchBack(
  context: WriteContext,
  record: CanaryRecord,
  target: CanaryTarget,
  batch: BatchSentAlone,
): Promise<Proofs> {
  const { listBatch, alone, sent, wasSentBefore } = batch;
  // A batch that updated no contact signed no person up again. If fewer people are opted out now, they came back on
  // their own, so the numbers are not compared.
  const count = sent.updated > 0 || sent.replayed ? alone.count : undefined;
  return readBack(context, record, {
    what: `people of batch ${listBatch.index + 1}`,
    probes: await chooseProbesOfBatch(context, record, target, batch),
    rollBack: alone.rollBack,
    missing: count && (await missingOptOutsMessage(context, target, { count, sent })),
    sent,
    wasSentBefore,
  });
}
