import { sizeOfAudience } from '../api/resources/audiences.ts';
import { runConcurrently, splitAtLoneItems } from '../base/lib/concurrency.ts';
import { SvcError } from '../base/lib/errors.ts';
import type { OpenBatches } from '../import/batch/batch-thread.ts';
import type { Batches } from '../import/batch/batches.ts';
import type { ListBatch } from '../import/batch/cut-batches.ts';
import type { Survey } from '../import/survey/survey-types.ts';
import { countFailedRows, countRowsWithOutcome } from '../lifecycle/data/row-counts.ts';
import type { WriteContext } from '../lifecycle/data/run-context.ts';
import { CANARY_NAME } from '../runs/find/run-status.ts';
import type { SendResult } from '../sending/record-and-send.ts';
import type { AccountSnapshot } from './account/account-snapshot.ts';
import { mustSendAlone, sendAlone } from './canary/batches-alone.ts';
import { prepareCanary, refuseKnownSignUps, runCanary, type SendListBatch, withoutProbeRows } from './canary/canary.ts';
import { createNewAutomationGuard } from './checks/automations.ts';
import { refuseTooManyFailures } from './checks/failures.ts';
import { recordAudienceMembers } from './opt-outs/audience-members.ts';
import { type CanaryRecord, type CanaryTarget, readCanaryRecord } from './opt-outs/canary-record.ts';
import { findHiddenOptOuts, lookUpBatch } from './opt-outs/hidden-opt-outs.ts';
import { confirmOptOuts, optOutPeopleSignedUpLate, withOptOutsOfCanary } from './opt-outs/known-opt-outs.ts';
import { readTarget } from './opt-outs/read-target.ts';
import type { Sampler } from './verify/sampler.ts';
import { withExplicitStatus } from './write/explicit-status.ts';
import { withKnownSpelling } from './write/known-spelling.ts';
import { noteUnseenReplays, withoutOutdatedReplays } from './write/outdated-replay.ts';
import { mustProveUpsertFalse } from './write/prove-upsert-false.ts';
import { refuseUnsent } from './write/send-and-bisect.ts';
import { sendBatch } from './write/send-batch.ts';

/** The contacts to write, and what svc knows about their audience. */
interface ContactsToWrite {
  readonly audienceId: string;
  readonly batches: Pick<Batches, 'open' | 'preview'>;
  readonly snapshot: AccountSnapshot;
  readonly survey: Survey;
  readonly sampler: Sampler;
}

/**
 * Writes the contacts: the canary first, then the batches, several at once. Skips batches whose response is in the
 * journal.
 */
export function applyContacts(context: WriteContext, toWrite: ContactsToWrite): Promise<void> {
  return withBatches(toWrite, (batches) => sendAll(context, toWrite, batches));
}

/** Reads the batches while `work` sends them. */
async function withBatches(toWrite: ContactsToWrite, work: (batches: OpenBatches) => Promise<void>): Promise<void> {
  const batches = toWrite.batches.open();
  try {
    await work(batches);
  } finally {
    await batches.close();
  }
}

async function sendAll(before: WriteContext, toWrite: ContactsToWrite, batches: OpenBatches): Promise<void> {
  const { audienceId } = toWrite;
  await refuseKnownSignUps(before);
  const { snapshot, target: firstPages } = await readTarget(before, toWrite);
  const target = await findHiddenOptOuts(before, toWrite, firstPages);
  const chosen = await prepareCanary(before, target, toWrite.batches.preview());
  if (!chosen) {
    return;
  }
  const wasThere = before.options.explicitStatus ? await recordAudienceMembers(before, target) : undefined;
  const newAutomationGuard = createNewAutomationGuard(before, audienceId, snapshot.ageMs);
  const context = { ...before, newAutomationGuard };
  const counts = snapshot.audience?.contact_counts;
  const total = counts ? sizeOfAudience(counts) : 0;
  // A resume must send the same bytes again. It therefore never treats the audience as empty, even if all contacts left
  // it. The counts may leave pending and bounced people out.
  const isNeverEmpty = before.journal.requests.stateOf(CANARY_NAME).isRecorded || target.optedOut.size > 0;
  const contactsBefore = isNeverEmpty ? Math.max(1, total) : total;
  // The order of these wrappers matters: `withKnownSpelling` must run first, because the spelling decides whether
  // `withExplicitStatus` finds the person in the audience.
  const send = withoutOutdatedReplays(
    withKnownSpelling(wasThere ? withExplicitStatus(wasThere) : sendBatch, contactsBefore),
  );
  const sendBatches = async (
    record: CanaryRecord,
    now: CanaryTarget,
    open: Pick<ContactSendingState, 'batches' | 'sampler'>,
  ): Promise<CanaryTarget> => {
    const known = await withOptOutsOfCanary(context, record, await findHiddenOptOuts(context, toWrite, now));
    return sendRemainingBatches(context, toWrite, {
      ...open,
      record,
      target: known,
      send: withoutProbeRows(send, record),
    });
  };
  let record = await runCanary(context, chosen, send);
  const confirmAtDifference = async (error: unknown): Promise<never> => {
    const now = readCanaryRecord(context.journal) ?? record;
    if (isDifference(error)) {
      // Nothing more will be sent, so people who had opted out are read once more now.
      const confirm = now.signedUp ? optOutPeopleSignedUpLate : confirmOptOuts;
      await confirm(context, now, target, toWrite.batches.preview());
    }
    throw error;
  };
  // The people who had opted out before the first batch. The service may have signed up some of them since.
  const known = await sendBatches(record, target, { batches, sampler: toWrite.sampler }).catch(confirmAtDifference);
  if (context.journal.requests.hasOpenRequests()) {
    // A later batch showed that earlier replays were outdated (I7), so everything is sent again. First reads again who
    // opted out, because people may have opted out since the first round.
    record = { ...(await runCanary(context, readCanaryRecord(context.journal) ?? record, send)), batchesRead: 0 };
    const { target: now } = await readTarget(before, toWrite, { maxAgeMs: 0 });
    await withBatches(toWrite, async (reopened) => {
      await sendBatches(record, now, { batches: reopened, sampler: NO_SAMPLER });
    }).catch(confirmAtDifference);
  }
  noteUnseenReplays(context);
  await newAutomationGuard.noteNew();
  await confirmOptOuts(context, record, known, toWrite.batches.preview());
}

/** True for the error that people of a request are not as they were sent. */
function isDifference(error: unknown): boolean {
  return error instanceof SvcError && error.code === 'first_batch';
}

const NO_SAMPLER: Sampler = { collect: () => undefined, items: [] };

interface ContactSendingState {
  readonly batches: OpenBatches;
  readonly sampler: Sampler;
  /** The record of the canary, after it was sent and read back. */
  readonly record: CanaryRecord;
  readonly target: CanaryTarget;
  readonly send: SendListBatch;
}

/**
 * Sends the batches of the list, several at once. Some batches are sent alone, for proofs that the canary could not
 * give. Returns the target with the opted-out people whom svc found meanwhile.
 */
async function sendRemainingBatches(
  context: WriteContext,
  toWrite: ContactsToWrite,
  sendState: ContactSendingState,
): Promise<CanaryTarget> {
  const { send } = sendState;
  let { record, target } = sendState;
  const hasResponse = ({ index }: ListBatch) => context.journal.requests.stateOf(String(index)).hasResponse;
  const goesAlone = (listBatch: ListBatch) =>
    mustSendAlone(record, target, listBatch, {
      hasResponse: hasResponse(listBatch),
      mustProveMore: mustProveUpsertFalse(context),
    });
  const stopper = new AbortController();
  const signal = AbortSignal.any([context.signal, stopper.signal]);
  const done = countRowsWithOutcome(context.journal.counts('contacts'));
  const countBatch = createBatchCounter(context, toWrite.survey, done);
  const sendOne = async (listBatch: ListBatch): Promise<SendResult> => {
    try {
      const sent = await send({ ...context, signal }, target.audienceId, listBatch);
      countBatch(listBatch, sent);
      if (sent.unsent === 0) {
        sendState.batches.reuse(listBatch);
      }
      return sent;
    } catch (error) {
      // The other batches stop too, after their requests in flight have ended.
      stopper.abort(error);
      throw error;
    }
  };
  context.emit({ type: 'phase', phase: 'contacts', total: toWrite.survey.contacts, done, unit: 'rows' });
  const knownBatches = async function* () {
    for await (const listBatch of sampledBatches(sendState, signal)) {
      target = hasResponse(listBatch) ? target : await lookUpBatch({ ...context, signal }, record, target, listBatch);
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
      const sentAlone = await sendAlone(context, record, target, { listBatch: part.item, send });
      record = sentAlone.record;
      countBatch(part.item, sentAlone.sent);
    }
  }
  return target;
}

/** Yields the batches of the list, and lets the sampler choose people of each for the verification. */
async function* sampledBatches(
  { batches, sampler }: ContactSendingState,
  signal: AbortSignal,
): AsyncGenerator<ListBatch> {
  for await (const listBatch of batches.inOrder) {
    signal.throwIfAborted();
    sampler.collect(listBatch);
    yield listBatch;
  }
}

/** Returns a function that reports progress after a batch, and throws if too many rows failed. */
function createBatchCounter(context: WriteContext, survey: Survey, doneBefore: number) {
  let doneRows = 0;
  let failed = countFailedRows(context.journal.counts());
  return (listBatch: ListBatch, sent: SendResult) => {
    failed += sent.failed;
    refuseTooManyFailures(context.options.maxFailures, survey.rows.rejected + failed, survey.rows.read);
    doneRows += listBatch.rows.length;
    context.emit({ type: 'progress', phase: 'contacts', done: Math.max(doneBefore, doneRows) });
  };
}
