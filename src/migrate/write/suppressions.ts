import { postSuppressions, suppressionsKey } from '../../api/resources/suppressions.ts';
import { suppressionBatches, suppressionBody } from '../../import/batch/suppression-batches.ts';
import type { SuppressionItem } from '../../import/types.ts';
import type { Journal } from '../../runs/store/journal.ts';
import type { People } from '../../runs/store/people.ts';
import type { SuppressionResponse } from '../../wire/shapes.ts';
import { SUPPRESSION_REASONS, type SuppressionReason } from '../../wire/words.ts';
import type { WriteContext } from '../write-context.ts';
import { type RecordedWrite, refuseUnsent, sendRecorded } from './send-recorded.ts';

/**
 * Writes all suppressions before any contact (S1), one reason at a time, strongest first. The requests go one after the
 * other. Verification compares `total_suppressed_after` of the last fresh response with the number sent until then.
 */
export async function applySuppressions(context: WriteContext, people: People, total: number): Promise<void> {
  context.emit({ type: 'phase', phase: 'suppressions', total, unit: 'rows' });
  let done = 0;
  let unsent = 0;
  for (const reason of SUPPRESSION_REASONS) {
    for (const batch of suppressionBatches(people, reason, context.options.batchSize)) {
      const sent = await sendRecorded(
        context,
        suppressionWrite(context, reason, { name: `${reason}.${batch.index}`, ...batch }),
      );
      unsent += sent.unsent;
      done += batch.items.length;
      context.emit({ type: 'progress', phase: 'suppressions', done });
    }
  }
  refuseUnsent(context, unsent);
}

interface Part {
  readonly name: string;
  readonly items: readonly SuppressionItem[];
  readonly body: Buffer;
}

function suppressionWrite(
  context: WriteContext,
  reason: SuppressionReason,
  { name, items, body }: Part,
): RecordedWrite<SuppressionResponse> {
  const call = { body, again: context.again };
  return {
    kind: 'suppressions',
    name,
    rows: items,
    keyForVersion: suppressionsKey(context.client, call),
    post: (calling) => postSuppressions(context.client, call, calling),
    answer: async (value, replayed) => {
      if (!replayed) {
        const before = context.journal.counts('suppressions').suppressed;
        noteTotal(context.journal, { total: value.total_suppressed_after, sent: before + items.length });
      }
      return { status: 200, replayed, created: items.length, updated: 0, alreadySuppressed: 0, failures: [] };
    },
    part: (from, to, partName) => {
      const part = items.slice(from, to);
      return suppressionWrite(context, reason, { name: partName, items: part, body: suppressionBody(reason, part) });
    },
  };
}

/** What the last suppression response that was not a replay shows: the total after a number of addresses was sent. */
export interface SuppressedTotal {
  readonly total: number;
  /** Addresses of this run that were accepted until then. Later responses may all be replays, whose totals are old. */
  readonly sent: number;
}

const NOTE = 'suppressed_total';

/** Records the total of a fresh response for verification, also for that of a resume. */
function noteTotal(journal: Journal, seen: SuppressedTotal): void {
  journal.note(NOTE, seen);
}

/** The last fresh total. Undefined if every response so far was a replay. */
export function readTotal(journal: Journal): SuppressedTotal | undefined {
  return journal.read(NOTE) as SuppressedTotal | undefined;
}
