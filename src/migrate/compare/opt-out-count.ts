import { countUnconfirmed, getAudience } from '../../api/resources/audiences.ts';
import { plural } from '../../base/lib/text.ts';
import type { WriteContext } from '../../run-lifecycle/data/run-context.ts';
import type { VerificationCheck } from '../../run-lifecycle/data/run-report.ts';
import type { SendResult } from '../../sending/record-and-send.ts';
import type { ContactCounts } from '../../wire/shapes.ts';
import { noteSubscribedSince } from './subscribed-since.ts';

/** The number of opt-outs in an audience before a batch. */
export interface OptOutCount {
  readonly before: number;
  /** All counts of the audience before the batch. */
  readonly counts: ContactCounts;
  readonly at: number;
  /**
   * True if the audience then had opted-out people whom svc did not read. Recorded, because a resume can't see it any
   * more if the batch signed up all of them. Earlier versions of svc did not record it.
   */
  readonly othersOptedOut?: boolean;
}

const COUNTS_BEFORE_NOTE = 'counts_before';

/**
 * The counts of the audience, and how many people this run had created and updated when the counts were read. Replays
 * do not count.
 */
interface CountsBefore extends ContactCounts {
  readonly freshCreated: number;
  readonly freshUpdated: number;
  /** How many more people were opted out at the beginning of a resume than before the run. */
  readonly left?: number;
}

/**
 * Records the counts of the audience before the first contact of a run, or when a resume first needs them. A resume
 * also records how many more people are opted out by then. Otherwise people who opted out in the pause would hide later
 * sign-ups, because both change the number of opt-outs.
 */
export async function storeCountsBefore(
  context: WriteContext,
  { audienceId, optOutRows }: { readonly audienceId: string; readonly optOutRows: number },
): Promise<void> {
  const { journal } = context;
  const counts = await countsOf(context, audienceId);
  const known = journal.readNote(COUNTS_BEFORE_NOTE) as CountsBefore | undefined;
  const { freshCreated, freshUpdated } = journal.counts();
  if (!known) {
    journal.writeNote(COUNTS_BEFORE_NOTE, { ...counts, freshCreated, freshUpdated });
    return;
  }
  // If the list has opt-outs, they raise the number too. Then svc can't tell how many people opted out in the pause.
  const left = optOutRows > 0 ? 0 : counts.unsubscribed - known.unsubscribed;
  if (left > (known.left ?? 0)) {
    journal.writeNote(COUNTS_BEFORE_NOTE, { ...known, left });
  }
}

/**
 * Counts the opt-outs of the audience before a batch. If the service signs up an opted-out person whom svc does not
 * know, only this number shows it.
 */
export async function countOptOuts(
  context: WriteContext,
  { audienceId, othersOptedOut }: CountedAudience,
): Promise<OptOutCount> {
  const counts = await countsOf(context, audienceId);
  return { before: counts.unsubscribed, counts, at: context.clock.now(), othersOptedOut };
}

interface CountedAudience {
  readonly audienceId: string;
  readonly othersOptedOut: boolean;
}

interface CountedBatch {
  readonly count: OptOutCount;
  readonly sent: Pick<SendResult, 'created' | 'updated' | 'replayed'>;
}

/**
 * Counts again after the batch. Returns a message if fewer people are opted out, pending or bounced than expected,
 * otherwise undefined. One person who is no longer pending or bounced may have confirmed, so svc only notes that.
 */
export async function missingOptOutsMessage(
  context: WriteContext,
  { audienceId, othersOptedOut: othersNow }: CountedAudience,
  { count, sent }: CountedBatch,
): Promise<string | undefined> {
  const after = await countsOf(context, audienceId);
  const { othersOptedOut = othersNow } = count;
  const optOuts = othersOptedOut ? Math.max(0, count.before - after.unsubscribed) : 0;
  if (optOuts > 0) {
    // The canary may have signed people up before `count` was read. So the message gives the larger loss: since
    // `count`, or since the run began.
    const start = context.journal.readNote(COUNTS_BEFORE_NOTE) as CountsBefore | undefined;
    const maxOptOuts = Math.max(optOuts, (start?.unsubscribed ?? 0) - after.unsubscribed);
    return `the audience has at least ${plural(maxOptOuts, 'unsubscribed person', 'unsubscribed people')} fewer than before`;
  }
  const isQuick = !sent.replayed && Math.abs(context.clock.now() - count.at) <= QUICK_MS;
  const joined = after.subscribed - count.counts.subscribed - sent.created;
  const confirmed = Math.min(countUnconfirmed(count.counts) - countUnconfirmed(after), joined, sent.updated);
  if (isQuick && confirmed === MAX_CONFIRMED) {
    const message =
      'One person of the audience was pending or bounced before the batch, and is subscribed after it: on their own, or because the service signed them up. svc cannot tell who it is.';
    noteSubscribedSince(context, message);
  }
  return isQuick && confirmed > MAX_CONFIRMED
    ? `${plural(confirmed, 'person', 'people')} of the audience were pending or bounced before the batch, and are subscribed after it`
    : undefined;
}

// One pending person may confirm on their own within a minute, but hardly two. So one confirmed person does not prove
// that the service signed people up. After more than a minute the counts prove nothing about pending people.
const MAX_CONFIRMED = 1;
const QUICK_MS = 60_000;

/**
 * Compares the number of opted-out people before and after the run. If it fell, the service may have signed people up
 * again: at most as many as it updated, and at most as many as became subscribed without being created. If it fell by
 * more, the other people were deleted or bounced.
 *
 * If the list has opt-outs, a result without a difference proves nothing, because each opt-out can hide a sign-up.
 * Undefined if svc recorded no counts before the run.
 */
export function compareOptOuts(
  { journal }: Pick<WriteContext, 'journal'>,
  after: ContactCounts,
): VerificationCheck | undefined {
  const before = journal.readNote(COUNTS_BEFORE_NOTE) as CountsBefore | undefined;
  if (!before) {
    return undefined;
  }
  const counts = journal.counts();
  const check = 'opt_outs';
  const newlySubscribed = Math.max(0, counts.freshCreated - before.freshCreated);
  const { left = 0 } = before;
  const back = Math.min(
    before.unsubscribed + left - after.unsubscribed,
    after.subscribed - (before.subscribed - left) - newlySubscribed,
    counts.freshUpdated - before.freshUpdated,
  );
  return back <= 0
    ? {
        check,
        status: 'passed',
        message: 'the counts of the audience show that no opted-out person was signed up again',
      }
    : {
        check,
        status: 'failed',
        message: `${plural(back, 'person', 'people')} who had opted out ${back === 1 ? 'is' : 'are'} subscribed again: by this import, or on their own meanwhile`,
      };
}

async function countsOf(context: WriteContext, audienceId: string): Promise<ContactCounts> {
  return (await getAudience(context.client, audienceId, context)).contact_counts;
}
