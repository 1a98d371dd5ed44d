import { rowKey } from '../../base/lib/rows.ts';
import type { ContactItem, ListBatch } from '../../import/batch/cut-batches.ts';
import type { SendResult } from '../../sending/record-and-send.ts';
import type { WriteContext } from '../run-context.ts';
import { countOptOuts, missingOptOutsMessage } from '../verify/opt-out-count.ts';
import { refuseUnsent } from '../write/send-and-bisect.ts';
import type { SendListBatch } from './canary.ts';
import {
  type CanaryRecord,
  type CanaryTarget,
  createOptedOutTest,
  mustCountOptOuts,
  optOutAgain,
  type Proofs,
  reportPhase,
  type SeparateBatch,
  storeCanaryRecord,
  withProofs,
} from './canary-state.ts';
import { type BatchSentAlone, chooseProbesOfBatch } from './choose-probes.ts';
import { readBack } from './read-back.ts';
import { withOtherBatches } from './roll-back.ts';

/**
 * True if a batch must be sent alone and read back, because a proof is still missing. If an earlier process began to
 * send the batch alone, it goes alone again. Otherwise the result is false for a batch that has its last response. A
 * batch with an opted-out person goes alone until svc has the proof that such people stay opted out (C1).
 */
export function mustSendAlone(
  record: CanaryRecord,
  target: CanaryTarget,
  batch: ListBatch,
  { isAnswered, mustProveMore }: { readonly isAnswered: boolean; readonly mustProveMore: boolean },
): boolean {
  if (openBatch(record, batch.index)) {
    return true;
  }
  if (isAnswered) {
    return false;
  }
  if (mustProveMore || !record.fieldsProven || (target.subscribesPeople && !record.signUpProven)) {
    return true;
  }
  const { optedOut } = target;
  const holdsOptedOut = () => optedOut.size > 0 && batch.items.some(createOptedOutTest(optedOut));
  return mustCountOptOuts(record, target) || (!record.optOutProven && holdsOptedOut());
}

/**
 * Sends one batch while no other is in flight. Then reads some of its people back for the proofs that are still
 * missing. If the journal had all responses, reads the people back only if an earlier process did not.
 */
export async function sendAlone(
  context: WriteContext,
  record: CanaryRecord,
  target: CanaryTarget,
  { listBatch, send }: { readonly listBatch: ListBatch; readonly send: SendListBatch },
): Promise<{ readonly record: CanaryRecord; readonly sent: SendResult }> {
  const { journal } = context;
  const { index } = listBatch;
  const earlier = openBatch(record, index);
  const before = await readBeforeBatch(context, record, target, listBatch);
  const others = (record.alone ?? []).filter((one) => one.index !== index);
  const attempted = new Set<string>();
  const beforeAttempt = async (people: readonly ContactItem[]) => {
    people.forEach((item) => attempted.add(rowKey(item)));
    storeCanaryRecord(journal, { ...record, alone: [...others, withPeopleAtRisk(before, earlier, attempted)] });
  };
  const wasSentBefore = journal.requests.stateOf(String(index)).mayHaveEffect;
  const sent = await send(context, target.audienceId, listBatch, beforeAttempt);
  refuseUnsent(context, sent.unsent);
  const alone = attempted.size > 0 ? withPeopleAtRisk(before, earlier, attempted) : earlier;
  if (!alone) {
    return { record, sent };
  }
  const opened = { ...record, alone: [...others, alone] };
  const proofs = await readBatchBack(context, opened, target, {
    listBatch,
    alone,
    sent,
    attempted,
    wasSentBefore,
  }).catch((error: unknown) => {
    reportPhase(context, listBatch.rows.length, listBatch.rows.length);
    throw error;
  });
  const read = { ...withProofs(opened, proofs), batchesRead: index + 1, alone: others };
  return { record: storeCanaryRecord(journal, read), sent };
}

/**
 * The batch with the people whom this process or an earlier one tried to send. Only a request can sign people up, so
 * the others are not recorded. They may come back.
 */
function withPeopleAtRisk(
  batch: SeparateBatch,
  earlier: SeparateBatch | undefined,
  attempted: ReadonlySet<string>,
): SeparateBatch {
  const known = new Set(earlier?.rollBack.map(rowKey));
  const isAtRisk = (item: ContactItem) => known.has(rowKey(item)) || attempted.has(rowKey(item));
  return { ...batch, rollBack: batch.rollBack.filter(isAtRisk) };
}

function openBatch({ alone }: CanaryRecord, index: number): SeparateBatch | undefined {
  return alone?.find((one) => one.index === index);
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
  const { mayHaveEffect, isAnswered } = context.journal.requests.stateOf(String(index));
  const earlier = mayHaveEffect ? openBatch(record, index) : undefined;
  if (earlier && isAnswered) {
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
    rollBack: withOtherBatches(context.journal, alone.rollBack, record.alone),
    missing: count && (await missingOptOutsMessage(context, target, { count, sent })),
    sent,
    wasSentBefore,
  });
}
