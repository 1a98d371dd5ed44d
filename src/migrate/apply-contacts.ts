import { sizeOfAudience } from '../api/resources/audiences.ts';
import { SvcError } from '../base/lib/errors.ts';
import type { OpenBatches } from '../import/batch/batch-thread.ts';
import type { Batches } from '../import/batch/batches.ts';
import type { Survey } from '../import/survey/survey-types.ts';
import type { WriteContext } from '../run-lifecycle/data/run-context.ts';
import { CANARY_NAME } from '../runs/find/run-status.ts';
import type { AccountSnapshot } from './account/account-snapshot.ts';
import { prepareCanary, refuseKnownSignUps, runCanary, withoutProbeRows } from './canary/canary.ts';
import { createNewAutomationGuard } from './checks/automations.ts';
import { recordAudienceMembers } from './opt-outs/audience-members.ts';
import { type KnownAudience, readCanaryRecord } from './opt-outs/canary-record.ts';
import { findHiddenOptOuts } from './opt-outs/hidden-opt-outs.ts';
import { readKnownAudience } from './opt-outs/known-audience.ts';
import { confirmOptOuts, optOutPeopleSignedUpLate, withOptOutsOfCanary } from './opt-outs/known-opt-outs.ts';
import { type BatchesToSend, sendBatches } from './send-batches.ts';
import type { Sampler } from './verify/sampler.ts';
import { withExplicitStatus } from './write/explicit-status.ts';
import { withKnownSpelling } from './write/known-spelling.ts';
import { noteUnseenReplays, withoutOutdatedReplays } from './write/outdated-replay.ts';
import { type SendBatch, sendBatch } from './write/send-batch.ts';

/** The contacts to write, and what svc knows about their audience. */
interface ContactsToWrite {
  readonly audienceId: string;
  readonly batches: Pick<Batches, 'open' | 'preview'>;
  readonly snapshot: AccountSnapshot;
  readonly survey: Survey;
  readonly sampler: Sampler;
}

/**
 * Writes the contacts:
 * 1. Finds out who opted out of the audience.
 * 2. Sends the canary, and reads its people back (C1).
 * 3. Sends the batches, several at once. Skips batches whose response is in the journal.
 * 4. Sends everything again, if a batch showed that earlier replays were outdated (I7).
 * 5. Reads the opted-out people of the canary once more (F5).
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
  const { snapshot, audience: firstPages } = await readKnownAudience(before, toWrite);
  const audience = await findHiddenOptOuts(before, toWrite, firstPages);
  const chosen = await prepareCanary(before, audience, toWrite.batches.preview());
  if (!chosen) {
    return;
  }
  const send = await chooseSend(before, audience, snapshot);
  const newAutomationGuard = createNewAutomationGuard(before, audienceId, snapshot.ageMs);
  const context = { ...before, newAutomationGuard };
  const rounds = { context, toWrite, send, audienceBefore: audience };
  let record = await runCanary(context, chosen, send);
  // Who had opted out before their batch was sent. The service may have signed up some of these people since.
  const known = await sendRound(rounds, { record, audience, batches, sampler: toWrite.sampler });
  if (context.journal.requests.hasOpenRequests()) {
    // A later batch showed that earlier replays were outdated (I7), so everything is sent again. Before the batches,
    // svc reads again who opted out, because people may have opted out since the first round.
    record = { ...(await runCanary(context, readCanaryRecord(context.journal) ?? record, send)), batchesRead: 0 };
    const { audience: now } = await readKnownAudience(before, toWrite, { maxAgeMs: 0 });
    await batches.close();
    await withBatches(toWrite, async (reopened) => {
      await sendRound(rounds, { record, audience: now, batches: reopened, sampler: NO_SAMPLER });
    });
  }
  noteUnseenReplays(context);
  await newAutomationGuard.noteNew();
  await confirmOptOuts(context, record, known, toWrite.batches.preview());
}

/** Chooses how a batch is sent. A resume chooses in the same way, because it must send the same bytes again. */
async function chooseSend(
  before: WriteContext,
  audience: KnownAudience,
  { audience: shown }: AccountSnapshot,
): Promise<SendBatch> {
  const wasThere = before.options.explicitStatus ? await recordAudienceMembers(before, audience) : undefined;
  const total = shown?.contact_counts ? sizeOfAudience(shown.contact_counts) : 0;
  // A resume never treats the audience as empty, even if all its contacts left meanwhile. An audience with opted-out
  // people is not empty either. Its counts may still be 0, because they may leave out pending and bounced people.
  const isNeverEmpty = before.journal.requests.stateOf(CANARY_NAME).isRecorded || audience.optedOut.size > 0;
  // The order of these wrappers matters: `withKnownSpelling` must run first, because the spelling decides whether
  // `withExplicitStatus` finds the person in the audience.
  return withoutOutdatedReplays(
    withKnownSpelling(wasThere ? withExplicitStatus(wasThere) : sendBatch, isNeverEmpty ? Math.max(1, total) : total),
  );
}

/** What the rounds of a run share. A second round sends everything again. */
interface Rounds {
  readonly context: WriteContext;
  readonly toWrite: ContactsToWrite;
  readonly send: SendBatch;
  /** Who had opted out of the audience before the first round. */
  readonly audienceBefore: KnownAudience;
}

/**
 * Sends all batches after the canary. Returns the audience with the opted-out people whom svc found meanwhile. If a
 * read-back finds a difference, the run stops. Before that, svc reads opted-out people back once more, because no later
 * step of the run does so.
 */
async function sendRound(
  { context, toWrite, send, audienceBefore }: Rounds,
  { record, audience, batches, sampler }: Omit<BatchesToSend, 'send' | 'survey'>,
): Promise<KnownAudience> {
  try {
    const known = await withOptOutsOfCanary(context, record, await findHiddenOptOuts(context, toWrite, audience));
    return await sendBatches(context, {
      batches,
      sampler,
      survey: toWrite.survey,
      record,
      audience: known,
      send: withoutProbeRows(send, record),
    });
  } catch (error) {
    const now = readCanaryRecord(context.journal) ?? record;
    if (isDifference(error)) {
      const confirm = now.signedUp ? optOutPeopleSignedUpLate : confirmOptOuts;
      await confirm(context, now, audienceBefore, toWrite.batches.preview());
    }
    throw error;
  }
}

/** True for the error of a read-back that found a difference from what was sent. */
function isDifference(error: unknown): boolean {
  return error instanceof SvcError && error.code === 'first_batch';
}

const NO_SAMPLER: Sampler = { collect: () => undefined, items: [] };
