import { contactBody, type ListBatch } from '../../import/batch/cut-batches.ts';
import type { WriteContext } from '../../run-lifecycle/data/run-context.ts';
import { CANARY_NAME } from '../../runs/find/run-status.ts';
import { NOTHING_SENT, type SendResult } from '../../sending/record-and-send.ts';
import { storeCountsBefore } from '../compare/opt-out-count.ts';
import {
  type CanaryRecord,
  createCountedTest,
  type KnownAudience,
  optOutsOfProbes,
  readCanaryRecord,
  reportPhase,
  reportSent,
  storeBeforeAttempt,
  storeCanaryRecord,
} from '../opt-outs/canary-record.ts';
import { withProofs } from '../opt-outs/proofs.ts';
import { rollBackAndStop, withOtherBatches } from '../opt-outs/roll-back.ts';
import { refuseUnsent } from '../write/send-and-bisect.ts';
import type { OutgoingBatch, SendBatch } from '../write/send-batch.ts';
import { chooseProbes } from './choose-probes.ts';
import { findWhoLeft } from './probe-states.ts';
import { readBack } from './read-back.ts';

/** If an earlier process of this run found that the service signed people up again: opts them out, then throws. */
export async function refuseKnownSignUps(context: WriteContext): Promise<void> {
  const record = readCanaryRecord(context.journal);
  if (record?.signedUp) {
    reportPhase(context, record.probes.length, record.probes.length);
    await rollBackAndStop(context, record, record.signedUp);
  }
}

/**
 * Chooses the canary: at most four people of the list, who are sent first to see what the service does with them. A
 * resume keeps a canary that was sent, because only its record shows the state of these people before they were sent.
 * Undefined for an empty list.
 */
export async function prepareCanary(
  context: WriteContext,
  audience: KnownAudience,
  batches: AsyncIterable<ListBatch>,
): Promise<CanaryRecord | undefined> {
  const record = readCanaryRecord(context.journal);
  if (audience.othersOptedOut) {
    await storeCountsBefore(context, audience);
  }
  if (record && context.journal.requests.stateOf(CANARY_NAME).isRecorded) {
    return record;
  }
  const probes = await chooseProbes(context, audience, batches);
  return probes.length === 0
    ? undefined
    : storeCanaryRecord(context.journal, { audienceId: audience.audienceId, probes });
}

/**
 * Sends the canary, reads its people back and compares them with what was sent. Skips all this if an earlier process of
 * the run has finished it. The comparison shows whether the service ignores fields without an error (F5). It also shows
 * which status a contact gets if it is sent without one (C1).
 *
 * Throws at a difference, before any other person is sent. Sends the canary again if the response was an outdated
 * replay (I7). Before it does so, it finds out which people of the canary opted out since.
 */
export async function runCanary(context: WriteContext, chosen: CanaryRecord, send: SendBatch): Promise<CanaryRecord> {
  const { journal } = context;
  const before = journal.requests.stateOf(CANARY_NAME);
  if (chosen.batchesRead !== undefined && !before.isOpen) {
    return chosen;
  }
  const { audienceId } = chosen;
  const probes = before.isRecorded ? await findWhoLeft(context, chosen) : chosen.probes;
  const record: CanaryRecord = { ...chosen, probes, batchesRead: undefined };
  reportPhase(context, probes.length);
  const people = { rows: probes, items: probes, body: contactBody(probes), bodyOf: undefined };
  // The new states are recorded right before an attempt, and not earlier. Until then, an opted-out person may still
  // come back on their own.
  const beforeAttempt = async () => void storeBeforeAttempt(journal, record);
  const hooks = { isCounted: undefined, onResponse: undefined, beforeAttempt };
  const sent = await send(context, audienceId, { name: CANARY_NAME, op: 'canary', ...people, ...hooks });
  refuseUnsent(context, sent.unsent);
  reportSent(context, probes.length);
  const what = probes.length === 1 ? 'the first person' : `the first ${probes.length} people`;
  const rollBack = withOtherBatches(journal, optOutsOfProbes(probes), record.alone);
  const request = { what, probes, rollBack, missing: undefined, sent, wasSentBefore: before.mayHaveEffect };
  const proofs = await readBack(context, record, request);
  return storeCanaryRecord(journal, { ...withProofs(record, proofs), batchesRead: 0 });
}

/** Sends a batch of the list, unless the journal has its response. Calls `beforeAttempt` before each attempt. */
export type SendListBatch = (
  context: WriteContext,
  audienceId: string,
  listBatch: ListBatch,
  beforeAttempt?: OutgoingBatch['beforeAttempt'],
) => Promise<SendResult>;

/**
 * Returns a function that sends the batches of the list. A batch keeps the rows that were in the canary, because its
 * idempotency key depends on its bytes. These rows do not count again. A batch with only such rows is not sent.
 */
export function withoutProbeRows(send: SendBatch, record: CanaryRecord): SendListBatch {
  const isCounted = createCountedTest(record);
  return (context, audienceId, listBatch, beforeAttempt) => {
    const { index, rows, body } = listBatch;
    const batch = {
      ...{ name: String(index), rows, body, bodyOf: undefined, op: undefined },
      isCounted: rows.some((row) => !isCounted(row)) ? isCounted : undefined,
      ...{ onResponse: undefined, beforeAttempt },
      get items() {
        return listBatch.items;
      },
    };
    return rows.some(isCounted) ? send(context, audienceId, batch) : Promise.resolve(NOTHING_SENT);
  };
}
