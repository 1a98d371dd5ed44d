import { rowKey } from '../../base/lib/rows.ts';
import type { ContactItem, ListBatch } from '../../import/batch/cut-batches.ts';
import type { WriteContext } from '../../run-lifecycle/data/run-context.ts';
import type { SendResult } from '../../sending/record-and-send.ts';
import { countOptOuts, missingOptOutsMessage } from '../compare/opt-out-count.ts';
import {
  type CanaryRecord,
  createCountedTest,
  type KnownAudience,
  optOutAgain,
  type Proofs,
  reportPhase,
  type SeparateBatch,
  storeBeforeAttempt,
  storeCanaryRecord,
} from '../opt-outs/canary-record.ts';
import { mustCountOptOuts } from '../opt-outs/known-audience.ts';
import { createWrittenTest } from '../opt-outs/may-be-written.ts';
import { createOptedOutTest, hiddenStatuses, holdsPersonAtRisk, withProofs } from '../opt-outs/proofs.ts';
import { withOtherBatches } from '../opt-outs/roll-back.ts';
import { refuseUnsent } from '../write/send-and-bisect.ts';
import type { SendListBatch } from './canary.ts';
import { type BatchSentAlone, chooseProbesOfBatch } from './choose-probes.ts';
import { readBack } from './read-back.ts';

/**
 * True if svc must send this batch alone and read it back, because a proof is still missing. For example, a batch with
 * an opted-out person goes alone until svc knows that such people stay opted out (C1). A batch that an earlier process
 * began to send alone goes alone again. Any other batch that has a response never goes alone.
 */
export function mustSendAlone(
  record: CanaryRecord,
  audience: KnownAudience,
  batch: ListBatch,
  { hasResponse, mustProveMore }: { readonly hasResponse: boolean; readonly mustProveMore: boolean },
): boolean {
  if (openBatch(record, batch.index)) {
    return true;
  }
  if (hasResponse) {
    return false;
  }
  if (mustProveMore || !record.fieldsProven || (audience.subscribesPeople && !record.signUpProven)) {
    return true;
  }
  return mustCountOptOuts(record, audience) || holdsPersonAtRisk(record, audience.optedOut, batch);
}

/**
 * Sends one batch while no other is in flight, then reads some of its people back for the missing proofs. If the
 * journal already has the response, svc sends nothing. It then reads the people back only if no earlier process did.
 */
export async function sendAlone(
  context: WriteContext,
  record: CanaryRecord,
  audience: KnownAudience,
  { listBatch, send }: { readonly listBatch: ListBatch; readonly send: SendListBatch },
): Promise<{ readonly record: CanaryRecord; readonly sent: SendResult }> {
  const { journal } = context;
  const { index } = listBatch;
  const recorded = openBatch(record, index);
  const earlier = recorded && withWrittenPeople(journal, record, { listBatch, batch: recorded });
  const before = await readBeforeBatch(context, record, audience, { listBatch, earlier });
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
    const result = await send(context, audience.audienceId, listBatch, beforeAttempt);
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
  const proofs = await readBatchBack(context, opened, audience, {
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
 * Keeps in `rollBack` only the people whom this process or an earlier one tried to send. Only a request can sign a
 * person up. If a person who was not sent is subscribed later, this person came back on their own.
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
 * Keeps in `rollBack` only the people whom a request may have written. If another person of the batch is subscribed
 * now, this person came back on their own.
 */
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
 * Finds out, before a batch is sent, which of its people are opted out. If an earlier process sent the batch and got no
 * response, the result also has the people who had opted out before that first attempt.
 */
async function readBeforeBatch(
  context: WriteContext,
  record: CanaryRecord,
  audience: KnownAudience,
  { listBatch, earlier }: { readonly listBatch: ListBatch; readonly earlier: SeparateBatch | undefined },
): Promise<SeparateBatch> {
  const { optedOut } = audience;
  const { index, items } = listBatch;
  const { mayHaveEffect, hasResponse } = context.journal.requests.stateOf(String(index));
  const sent = mayHaveEffect ? earlier : undefined;
  if (sent && hasResponse) {
    return sent;
  }
  const known = new Set(sent?.rollBack.map(rowKey));
  const since = items.filter((item) => createOptedOutTest(optedOut)(item) && !known.has(rowKey(item)));
  const othersOptedOut = hiddenStatuses(record, audience).includes('unsubscribed');
  const counted = { ...audience, othersOptedOut };
  const now = mustCountOptOuts(record, audience) ? await countOptOuts(context, counted) : undefined;
  return {
    index,
    rollBack: [
      ...(sent?.rollBack ?? []),
      ...since.map((item) => optOutAgain(item, optedOut.get(item.contact.email) ?? {})),
    ],
    // If the number of opt-outs grew in a pause, people opted out, so the new number counts. If it fell, an earlier
    // attempt may have signed people up, so the recorded number stays.
    count: now && now.before > (sent?.count?.before ?? -1) ? now : sent?.count,
  };
}

async function readBatchBack(
  context: WriteContext,
  record: CanaryRecord,
  audience: KnownAudience,
  batch: BatchSentAlone,
): Promise<Proofs> {
  const { listBatch, alone, sent, wasSentBefore } = batch;
  // A batch that updated no contact can't have signed a person up again. If fewer people are opted out now, some came
  // back on their own. So svc does not compare the numbers of opt-outs.
  const count = sent.updated > 0 || sent.replayed ? alone.count : undefined;
  return readBack(context, record, {
    what: `people of batch ${listBatch.index + 1}`,
    probes: await chooseProbesOfBatch(context, record, audience, batch),
    rollBack: withOtherBatches(context.journal, alone.rollBack, record.alone),
    missing: count && (await missingOptOutsMessage(context, audience, { count, sent })),
    sent,
    wasSentBefore,
  });
}
