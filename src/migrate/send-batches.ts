import { runConcurrently, splitAtLoneItems } from '../base/lib/concurrency.ts';
import type { OpenBatches } from '../import/batch/batch-thread.ts';
import type { ListBatch } from '../import/batch/cut-batches.ts';
import type { Survey } from '../import/survey/survey-types.ts';
import { countFailedRows, countRowsWithOutcome } from '../run-lifecycle/data/row-counts.ts';
import type { WriteContext } from '../run-lifecycle/data/run-context.ts';
import type { SendResult } from '../sending/record-and-send.ts';
import { mustSendAlone, sendAlone } from './canary/batches-alone.ts';
import type { SendListBatch } from './canary/canary.ts';
import { refuseFailedRows, refuseTooManyFailures } from './checks/failures.ts';
import type { CanaryRecord, KnownAudience } from './opt-outs/canary-record.ts';
import { lookUpBatch } from './opt-outs/hidden-opt-outs.ts';
import type { Sampler } from './verify/sampler.ts';
import { mustProveUpsertFalse } from './write/prove-upsert-false.ts';
import { refuseUnsent } from './write/send-and-bisect.ts';

/** The batches of a list, and how to send them. */
export interface BatchesToSend {
  readonly batches: OpenBatches;
  readonly sampler: Sampler;
  readonly survey: Pick<Survey, 'contacts' | 'rows'>;
  /** The record of the canary, after it was sent and read back. */
  readonly record: CanaryRecord;
  readonly audience: KnownAudience;
  readonly send: SendListBatch;
}

/**
 * Sends the batches of the list, several at once. Some batches are sent alone, for proofs that the canary could not
 * give. Returns the audience with the opted-out people whom svc found meanwhile.
 */
export async function sendBatches(context: WriteContext, toSend: BatchesToSend): Promise<KnownAudience> {
  const { send, survey } = toSend;
  let { record, audience } = toSend;
  const hasResponse = ({ index }: ListBatch) => context.journal.requests.stateOf(String(index)).hasResponse;
  const goesAlone = (listBatch: ListBatch) =>
    mustSendAlone(record, audience, listBatch, {
      hasResponse: hasResponse(listBatch),
      mustProveMore: mustProveUpsertFalse(context),
    });
  const stopper = new AbortController();
  const signal = AbortSignal.any([context.signal, stopper.signal]);
  const done = countRowsWithOutcome(context.journal.counts('contacts'));
  const countBatch = createBatchCounter(context, survey, done);
  const sendOne = async (listBatch: ListBatch): Promise<SendResult> => {
    try {
      const sent = await send({ ...context, signal }, audience.audienceId, listBatch);
      countBatch(listBatch, sent);
      if (sent.unsent === 0) {
        toSend.batches.reuse(listBatch);
      }
      return sent;
    } catch (error) {
      // The other batches stop too, after their requests in flight have ended.
      stopper.abort(error);
      throw error;
    }
  };
  // The canary, or an earlier process of the run, may have had too many failures.
  refuseFailedRows(context, survey.rows);
  context.emit({ type: 'phase', phase: 'contacts', total: survey.contacts, done, unit: 'rows' });
  const knownBatches = async function* () {
    for await (const listBatch of sampledBatches(toSend, signal)) {
      if (!hasResponse(listBatch)) {
        audience = await lookUpBatch({ ...context, signal }, record, audience, listBatch);
      }
      yield listBatch;
    }
  };
  for await (const part of splitAtLoneItems(knownBatches(), goesAlone)) {
    if (part.kind === 'together') {
      let unsent = 0;
      for await (const sent of runConcurrently(part.items, context.options.concurrency, sendOne)) {
        unsent += sent.unsent;
      }
      refuseUnsent(context, unsent);
    } else {
      const sentAlone = await sendAlone(context, record, audience, { listBatch: part.item, send });
      record = sentAlone.record;
      countBatch(part.item, sentAlone.sent);
    }
  }
  return audience;
}

/** Yields the batches of the list, and lets the sampler choose people of each for the verification. */
async function* sampledBatches({ batches, sampler }: BatchesToSend, signal: AbortSignal): AsyncGenerator<ListBatch> {
  for await (const listBatch of batches.inOrder) {
    signal.throwIfAborted();
    sampler.collect(listBatch);
    yield listBatch;
  }
}

/** Returns a function that reports progress after a batch, and throws if too many rows failed. */
function createBatchCounter(context: WriteContext, survey: BatchesToSend['survey'], doneBefore: number) {
  let doneRows = 0;
  let failed = countFailedRows(context.journal.counts());
  return (listBatch: ListBatch, sent: SendResult) => {
    failed += sent.failed;
    refuseTooManyFailures(context.options.maxFailures, survey.rows.rejected + failed, survey.rows.read);
    doneRows += listBatch.rows.length;
    context.emit({ type: 'progress', phase: 'contacts', done: Math.max(doneBefore, doneRows) });
  };
}
