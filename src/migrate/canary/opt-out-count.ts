import { getAudience } from '../../api/resources/audiences.ts';
import type { ContactItem, ListBatch } from '../../import/types.ts';
import type { ContactCounts } from '../../wire/shapes.ts';
import { lookUp, refusedRows, rowKey } from '../verify/contacts.ts';
import type { Work } from '../work.ts';

/** The opt-outs of an audience before a batch, and the rows of the batch that must add to them. */
export interface OptOutCount {
  readonly before: number;
  readonly adding: readonly { readonly source: number; readonly line: number }[];
}

/** The note in the journal with the counts before the first contact of a run. */
const COUNTS_BEFORE = 'counts_before';

// Each row costs a look-up. Beyond this limit the count misses as many people as the batch opts out.
const LOOK_UPS = 50;

/** Records the counts as they are before the first contact of a run. */
export async function keepCountsBefore(work: Work, audienceId: string): Promise<void> {
  if (work.journal.read(COUNTS_BEFORE) === undefined) {
    work.journal.note(COUNTS_BEFORE, await countsOf(work, audienceId));
  }
}

/** The counts before the first contact of a run. Undefined if they were not needed. */
export function countsBefore({ journal }: Pick<Work, 'journal'>): ContactCounts | undefined {
  return journal.read(COUNTS_BEFORE) as ContactCounts | undefined;
}

/**
 * Counts opt-outs before a batch. More people may have opted out than the pages that svc reads show. A service that
 * signs them up again shows it in this number alone.
 */
export async function countOptOuts(work: Work, audienceId: string, { items }: ListBatch): Promise<OptOutCount> {
  const { unsubscribed } = await countsOf(work, audienceId);
  const optsOut = items.filter(({ contact }) => contact.status === 'unsubscribed');
  const adding: ContactItem[] = [];
  for (const item of optsOut.length > LOOK_UPS ? [] : optsOut) {
    const found = await lookUp(work, audienceId, item.contact.email);
    if (found === undefined || found.status === 'subscribed') {
      adding.push(item);
    }
  }
  return { before: unsubscribed, adding: adding.map(({ source, line }) => ({ source, line })) };
}

/** How many opt-outs are missing after the batch. 0 if all are accounted for. */
export async function missingOptOuts(work: Work, audienceId: string, count: OptOutCount): Promise<number> {
  const refused = refusedRows(work.journal);
  const added = count.adding.filter((row) => !refused.has(rowKey(row))).length;
  const { unsubscribed } = await countsOf(work, audienceId);
  return Math.max(0, count.before + added - unsubscribed);
}

async function countsOf(work: Work, audienceId: string): Promise<ContactCounts> {
  return (await getAudience(work.client, audienceId, work)).contact_counts;
}
