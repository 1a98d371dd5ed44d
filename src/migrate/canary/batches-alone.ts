import { rowKey } from '../../base/lib/rows.ts';
import type { ContactItem, ListBatch } from '../../import/batch/cut-batches.ts';
import type { SendResult } from '../../sending/record-and-send.ts';
import type { WriteContext } from '../run-context.ts';
import { countOptOuts, missingOptOutsMessage } from '../verify/opt-out-count.ts';
import { refuseUnsent } from '../write/send-and-bisect.ts';
import { createCountedTest, type SendListBatch } from './canary.ts';
import {
  type CanaryRecord,
  type CanaryTarget,
  createOptedOutTest,
  optOutAgain,
  type Proofs,
  reportPhase,
  type SeparateBatch,
  storeBeforeAttempt,
  storeCanaryRecord,
  withProofs,
} from './canary-state.ts';
import { type BatchSentAlone, chooseProbesOfBatch } from './choose-probes.ts';
import { createWrittenTest } from './may-be-written.ts';
import { readBack } from './read-back.ts';
import { mustCountOptOuts } from './read-target.ts';
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
  const recorded = openBatch(record, index);
  const earlier = recorded && withWrittenPeople(journal, record, { listBatch, batch: recorded });
  const before = await readBeforeBatch(context, record, target, { listBatch, earlier });
  const others = (record.alone ?? []).filter((one) => one.index !== index);
  const attempted = new Set<string>();
  let alone = earlier;
  const withAlone = (batch: SeparateBatch) => ({ ...record, alone: [...others, batch] });
  const beforeAttempt = async (people: readonly ContactItem[]) => {
    people.forEach((item) => attempted.add(rowKey(item)));
    alone = withPeopleAtRisk(before, earlier, attempted);
    storeBeforeAttempt(journal, withAlone(alone));
  };
  const wasSentBefore = journal.requests.stateOf(String(index)).mayHaveEffect;
  const sendWhole = async () => {
    const result = await send(context, target.audienceId, listBatch, beforeAttempt);
    refuseUnsent(context, result.unsent);
    return result;
  };
  const sent = await sendWhole().catch((error: unknown) => {
    if (alone) {
      storeCanaryRecord(journal, withAlone(withWrittenPeople(journal, record, { listBatch, batch: alone })));
    }
    throw error;
  });
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

/** The batch without the people whom certainly no request wrote. They may come back. */
function withWrittenPeople(
  journal: WriteContext['journal'],
  record: CanaryRecord,
  { listBatch, batch }: { readonly listBatch: ListBatch; readonly batch: SeparateBatch },
): SeparateBatch {
  const { index, items } = listBatch;
  const sent = { name: String(index), items, isCounted: createCountedTest(record) };
  return { ...batch, rollBack: batch.rollBack.filter(createWrittenTest(journal, sent)) };
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
  { listBatch, earlier }: { readonly listBatch: ListBatch; readonly earlier: SeparateBatch | undefined },
): Promise<SeparateBatch> {
  const { optedOut } = target;
  const { index, items } = listBatch;
  const { mayHaveEffect, isAnswered } = context.journal.requests.stateOf(String(index));
  const sent = mayHaveEffect ? earlier : undefined;
  if (sent && isAnswered) {
    return sent;
  }
  const known = new Set(sent?.rollBack.map(rowKey));
  const since = items.filter((item) => createOptedOutTest(optedOut)(item) && !known.has(rowKey(item)));
  const now = mustCountOptOuts(record, target) ? await countOptOuts(context, target) : undefined;
  return {
    index,
    rollBack: [
      ...(sent?.rollBack ?? []),
      ...since.map((item) => optOutAgain(item, optedOut.get(item.contact.email) ?? {})),
    ],
    // A higher number replaces the recorded one, because people may have opted out in a pause. A lower one does not,
    // because an earlier attempt may have signed people up.
    count: now && now.before > (sent?.count?.before ?? -1) ? now : sent?.count,
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
