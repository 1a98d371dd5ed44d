import { getAudience } from '../../api/resources/audiences.ts';
import { type RowPosition, rowKey } from '../../base/lib/rows.ts';
import { plural } from '../../base/lib/text.ts';
import type { ContactItem, ListBatch } from '../../import/batch/cut-batches.ts';
import type { ContactCounts } from '../../wire/shapes.ts';
import type { VerificationCheck } from '../report/run-report.ts';
import type { WriteContext } from '../run-context.ts';
import { lookUp, refusedRows } from './look-up.ts';

/** The opt-outs of an audience before a batch, and the rows of the batch that must add to them. */
export interface OptOutCount {
  readonly before: number;
  readonly adding: readonly RowPosition[];
}

const COUNTS_BEFORE = 'counts_before';

// Each row that opts out costs a look-up. A batch with more such rows gets none, so the comparison may miss as many
// sign-ups as the batch has opt-outs.
const LOOK_UPS = 50;

/** The counts of the audience, and how many people this run had created and updated at that time. */
interface CountsBefore extends ContactCounts {
  readonly freshCreated: number;
  readonly freshUpdated: number;
}

/** Records the counts, once for each run: before its first contact, or when a resume first needs them. */
export async function keepCountsBefore(context: WriteContext, audienceId: string): Promise<void> {
  if (context.journal.read(COUNTS_BEFORE) === undefined) {
    const { freshCreated, freshUpdated } = context.journal.counts();
    context.journal.note(COUNTS_BEFORE, { ...(await countsOf(context, audienceId)), freshCreated, freshUpdated });
  }
}

/**
 * Counts the opt-outs of the audience before a batch. Some opted-out people are on no page that svc reads. If the
 * service signs them up again, only this number shows it.
 */
export async function countOptOuts(
  context: WriteContext,
  audienceId: string,
  { items }: ListBatch,
): Promise<OptOutCount> {
  const { unsubscribed } = await countsOf(context, audienceId);
  const optsOut = items.filter(({ contact }) => contact.status === 'unsubscribed');
  const adding: ContactItem[] = [];
  for (const item of optsOut.length > LOOK_UPS ? [] : optsOut) {
    const found = await lookUp(context, audienceId, item.contact);
    if (found === undefined || found.status === 'subscribed') {
      adding.push(item);
    }
  }
  return { before: unsubscribed, adding: adding.map(({ source, line }) => ({ source, line })) };
}

/** The number of opt-outs that are missing after the batch. */
export async function missingOptOuts(context: WriteContext, audienceId: string, count: OptOutCount): Promise<number> {
  const refused = refusedRows(context.journal);
  const added = count.adding.filter((row) => !refused.has(rowKey(row))).length;
  const { unsubscribed } = await countsOf(context, audienceId);
  return Math.max(0, count.before + added - unsubscribed);
}

/**
 * Compares the number of opted-out people before and after the run, if svc did not read all of them. If the number
 * fell, people may have been signed up again: at most as many as the run updated, and at most as many as became
 * subscribed without being created. The others were deleted or bounced since.
 */
export function compareOptOuts(
  { journal }: Pick<WriteContext, 'journal'>,
  { after, unsubscribed }: { readonly after: ContactCounts; readonly unsubscribed: number },
): VerificationCheck | undefined {
  const before = journal.read(COUNTS_BEFORE) as CountsBefore | undefined;
  if (!before) {
    return undefined;
  }
  const counts = journal.counts();
  const check = 'opt_outs';
  const newlySubscribed = Math.max(0, counts.freshCreated - before.freshCreated - unsubscribed);
  const back = Math.min(
    before.unsubscribed - after.unsubscribed,
    after.subscribed - before.subscribed - newlySubscribed,
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
