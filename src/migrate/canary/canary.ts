import type { RowPosition } from '../../base/lib/rows.ts';
import { contactBody, type ListBatch } from '../../import/batch/cut-batches.ts';
import { NOTHING_SENT, type SendResult } from '../../sending/record-and-send.ts';
import type { WriteContext } from '../run-context.ts';
import { storeCountsBefore } from '../verify/opt-out-count.ts';
import { hasBatchResponse, refuseUnsent } from '../write/send-and-bisect.ts';
import { type SendBatch, wasBatchSent } from '../write/send-batch.ts';
import {
  CANARY_NAME,
  type CanaryRecord,
  type CanaryTarget,
  optOutsOfProbes,
  readCanaryRecord,
  reportPhase,
  reportSent,
  storeCanaryRecord,
  withProofs,
} from './canary-state.ts';
import { chooseProbes } from './choose-probes.ts';
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
