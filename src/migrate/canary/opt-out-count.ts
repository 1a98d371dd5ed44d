import { getAudience } from '../../api/resources/audiences.ts';
import type { Chunk, ContactItem } from '../../import/types.ts';
import type { ContactCounts } from '../../wire/shapes.ts';
import { lookUp } from '../verify/look-up.ts';
import { refusedRows, rowKey } from '../verify/refused-rows.ts';
import type { Work } from '../work.ts';

/** A row of the list. */
interface Place {
  readonly source: number;
  readonly line: number;
}

/** How many people are out of an audience before a batch, and rows of the batch that must add to them. */
export interface OptOutCount {
  readonly before: number;
  readonly joining: readonly Place[];
}

/** Where the counts of the audience are kept as they were before the first contact of a run. */
const COUNTS_BEFORE = 'counts_before';

// A look-up each. Left out, the count is still right, only blind to as many people as the batch opts out.
const LOOK_UPS = 50;

/**
 * Counts who is out before a batch, where somebody is: those who left may stand beyond the pages that were looked through,
 * and a service that signs them up again shows in this number alone. Undefined where there is nobody to lose.
 */
export async function countOptOuts(work: Work, audienceId: string, chunk: Chunk): Promise<OptOutCount | undefined> {
  const counts = (await getAudience(work.client, audienceId, work)).contact_counts;
  if (work.journal.read(COUNTS_BEFORE) === undefined) {
    work.journal.note(COUNTS_BEFORE, counts);
  }
  return counts.unsubscribed > 0
    ? { before: counts.unsubscribed, joining: await joiningOf(work, audienceId, chunk) }
    : undefined;
}

/** The counts before the first contact of the run; undefined where nobody was out. */
export function countsBefore({ journal }: Pick<Work, 'journal'>): ContactCounts | undefined {
  return journal.read(COUNTS_BEFORE) as ContactCounts | undefined;
}

/** How many people fewer are out than there were and than the batch adds; 0 where all are accounted for. */
export async function missingOptOuts(work: Work, audienceId: string, count: OptOutCount): Promise<number> {
  const refused = refusedRows(work.journal);
  const joined = count.joining.filter((row) => !refused.has(rowKey(row))).length;
  const { unsubscribed } = (await getAudience(work.client, audienceId, work)).contact_counts;
  return Math.max(0, count.before + joined - unsubscribed);
}

/** Rows that opt out somebody who is new or subscribed: each adds one to those who are out. */
async function joiningOf(work: Work, audienceId: string, { items }: Chunk): Promise<Place[]> {
  const out = items.filter(({ contact }) => contact.status === 'unsubscribed');
  const joining: ContactItem[] = [];
  for (const item of out.length > LOOK_UPS ? [] : out) {
    const found = await lookUp(work, audienceId, item.contact.email);
    if (found === undefined || found.status === 'subscribed') {
      joining.push(item);
    }
  }
  return joining.map(({ source, line }) => ({ source, line }));
}
