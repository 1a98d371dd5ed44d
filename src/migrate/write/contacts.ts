import { concurrently } from '../../base/lib/concurrency.ts';
import type { Batches } from '../../import/batch/batches.ts';
import type { Survey } from '../../import/survey/survey-types.ts';
import type { ListBatch, OpenBatches } from '../../import/types.ts';
import { confirmOptOuts, prepareCanary, runCanary, sendAlone, withoutProbes, withProbes } from '../canary/canary.ts';
import { type CanaryRecord, type CanaryTarget, mustGoAlone } from '../canary/canary-state.ts';
import { createFlowGuard } from '../checks/automations.ts';
import { refuseTooManyFailures } from '../checks/failures.ts';
import type { AccountSnapshot } from '../prepare/account-snapshot.ts';
import { faults } from '../report/outcomes.ts';
import type { Sampler } from '../verify/sample.ts';
import type { WriteContext } from '../write-context.ts';
import { readAudience, withExplicitStatus } from './explicit-status.ts';
import { withKnownSpelling } from './known-spelling.ts';
import { type SendBatch, sendBatch } from './send-batch.ts';
import { isAnswered, refuseUnsent } from './send-recorded.ts';
import type { SendResult } from './send-result.ts';

interface ContactRun {
  readonly audienceId: string;
  readonly batches: Batches;
  readonly snapshot: AccountSnapshot;
  readonly survey: Survey;
  readonly sampler: Sampler;
}

/** Writes the contacts: the canary first, then several batches at once. Skips batches with a recorded response. */
export async function applyContacts(context: WriteContext, run: ContactRun): Promise<void> {
  const batches = run.batches.open();
  try {
    await sendAll(context, run, batches);
  } finally {
    await batches.close();
  }
}

async function sendAll(context: WriteContext, run: ContactRun, batches: OpenBatches): Promise<void> {
  const { audienceId, snapshot, survey } = run;
  const target = {
    audienceId,
    optedOut: snapshot.optedOut,
    othersOptedOut: snapshot.moreOptedOut,
    signsUp: survey.contacts > survey.unsubscribed,
  };
  const chosen = await prepareCanary(context, target, run.batches.preview());
  if (!chosen) {
    return;
  }
  const guard = createFlowGuard(context, audienceId, snapshot.sinceAsked);
  await guard();
  const send = withKnownSpelling(
    await chooseSending(context, audienceId),
    snapshot.audience?.contact_counts?.total ?? 0,
  );
  const record = await runCanary(context, chosen, send);
  const known = await withProbes(context, record, target);
  await sendRest(context, run, { batches, record, target: known, send: withoutProbes(send, record), guard });
  await confirmOptOuts(context, record, known, run.batches.preview());
}

async function chooseSending(context: WriteContext, audienceId: string): Promise<SendBatch> {
  if (!context.options.explicitStatus) {
    return sendBatch;
  }
  return withExplicitStatus(await readAudience(context, audienceId));
}

interface SendSetup {
  readonly batches: OpenBatches;
  /** The state of the canary before the regular batches. */
  readonly record: CanaryRecord;
  readonly target: CanaryTarget;
  readonly send: ReturnType<typeof withoutProbes>;
  readonly guard: () => Promise<void>;
}

/** Sends the regular batches: several at once, but each batch alone that may show what the canary did not. */
async function sendRest(context: WriteContext, run: ContactRun, sending: SendSetup): Promise<void> {
  const { target, send } = sending;
  let { record } = sending;
  const stopper = new AbortController();
  const rest = guarded(sending, run.sampler, AbortSignal.any([context.signal, stopper.signal]));
  const count = createCount(context, run.survey);
  const sendOne = createSendOne(context, sending, count, stopper);
  context.emit({ type: 'phase', phase: 'contacts', total: run.survey.contacts, unit: 'rows' });
  try {
    let next = await rest.next();
    const goesAlone = (listBatch: ListBatch) =>
      mustGoAlone(record, target, listBatch, isAnswered(context.journal, String(listBatch.index)));
    const together = async function* () {
      for (; !next.done && !goesAlone(next.value); next = await rest.next()) {
        yield next.value;
      }
    };
    while (!next.done) {
      let unsent = 0;
      for await (const sent of concurrently(together(), context.options.concurrency, sendOne)) {
        unsent += sent.unsent;
      }
      refuseUnsent(context, unsent);
      if (!next.done) {
        const alone = await sendAlone(context, record, target, { listBatch: next.value, send });
        record = alone.record;
        count(next.value, alone.sent);
        next = await rest.next();
      }
    }
  } finally {
    await rest.return(undefined);
  }
}

/** Sends one of several batches. If it stops the run, the others stop after their requests in flight got a response. */
function createSendOne(
  context: WriteContext,
  sending: SendSetup,
  count: ReturnType<typeof createCount>,
  stopper: AbortController,
) {
  const inner: WriteContext = { ...context, signal: AbortSignal.any([context.signal, stopper.signal]) };
  return async (listBatch: ListBatch): Promise<SendResult> => {
    try {
      const sent = await sending.send(inner, sending.target.audienceId, listBatch);
      count(listBatch, sent);
      return sent;
    } catch (error) {
      stopper.abort(error);
      throw error;
    }
  };
}

/** Reports progress, and stops the run if too many rows failed. */
function createCount(context: WriteContext, survey: Survey) {
  let done = 0;
  let failed = faults(context.journal.counts());
  return (listBatch: ListBatch, sent: SendResult) => {
    failed += sent.failed;
    refuseTooManyFailures(context.options.maxFailures, survey.rows.rejected + failed, survey.rows.read);
    done += listBatch.rows.length;
    context.emit({ type: 'progress', phase: 'contacts', done });
  };
}

async function* guarded(
  { batches, guard }: SendSetup,
  sampler: Sampler,
  signal: AbortSignal,
): AsyncGenerator<ListBatch> {
  for await (const listBatch of batches.inOrder) {
    signal.throwIfAborted();
    await guard();
    sampler.collect(listBatch);
    yield listBatch;
  }
}
