import { getAudience } from '../../api/resources/audiences.ts';
import type { RowPosition } from '../../base/lib/run.ts';
import type { ContactItem, ListBatch } from '../../import/types.ts';
import type { ContactCounts } from '../../wire/shapes.ts';
import { lookUp, refusedRows, rowKey } from '../verify/contacts.ts';
import type { WriteContext } from '../write-context.ts';

/** The opt-outs of an audience before a batch, and the rows of the batch that must add to them. */
export interface OptOutCount {
  readonly before: number;
  readonly adding: readonly RowPosition[];
}

/** The note in the journal with the counts. */
const COUNTS_BEFORE = 'counts_before';

// Each row costs a look-up. Beyond this limit the count misses as many people as the batch opts out.
const LOOK_UPS = 50;

/** The counts of the audience, and how many people this run had created and updated at that time. */
interface CountsBefore extends ContactCounts {
  readonly freshCreated: number;
  readonly freshUpdated: number;
}

/** Records the counts, once for each run: before its first contact, or when a resume first needs them. */
export async function keepCountsBefore(work: WriteContext, audienceId: string): Promise<void> {
  if (work.journal.read(COUNTS_BEFORE) === undefined) {
    const { freshCreated, freshUpdated } = work.journal.counts();
    work.journal.note(COUNTS_BEFORE, { ...(await countsOf(work, audienceId)), freshCreated, freshUpdated });
  }
}

/** The recorded counts. Undefined if they were not needed. */
export function countsBefore({ journal }: Pick<WriteContext, 'journal'>): CountsBefore | undefined {
  return journal.read(COUNTS_BEFORE) as CountsBefore | undefined;
}

/**
 * Counts opt-outs before a batch. More people may have opted out than the pages that svc reads show. A service that
 * signs them up again shows it in this number alone.
 */
export async function countOptOuts(work: WriteContext, audienceId: string, { items }: ListBatch): Promise<OptOutCount> {
  const { unsubscribed } = await countsOf(work, audienceId);
  const optsOut = items.filter(({ contact }) => contact.status === 'unsubscribed');
  const adding: ContactItem[] = [];
  for (const item of optsOut.length > LOOK_UPS ? [] : optsOut) {
    const found = await lookUp(work, audienceId, item.contact);
    if (found === undefined || found.status === 'subscribed') {
      adding.push(item);
    }
  }
  return { before: unsubscribed, adding: adding.map(({ source, line }) => ({ source, line })) };
}

/** How many opt-outs are missing after the batch. 0 if all are accounted for. */
export async function missingOptOuts(work: WriteContext, audienceId: string, count: OptOutCount): Promise<number> {
  const refused = refusedRows(work.journal);
  const added = count.adding.filter((row) => !refused.has(rowKey(row))).length;
  const { unsubscribed } = await countsOf(work, audienceId);
  return Math.max(0, count.before + added - unsubscribed);
}

async function countsOf(work: WriteContext, audienceId: string): Promise<ContactCounts> {
  return (await getAudience(work.client, audienceId, work)).contact_counts;
}
