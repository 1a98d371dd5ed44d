import { addToCount } from '../../base/lib/rows.ts';
import { LIMITS } from '../../wire/limits.ts';
import { contactTexts } from '../batch/contact-text.ts';
import { cutTextBatches } from '../batch/cut-batches.ts';
import { rereadEnrollees } from '../batch/reread-list.ts';
import type { SurveyedList } from '../batch/row-decision.ts';
import { skipReason } from '../dedupe/merge-duplicates.ts';
import { isOptOutList } from '../mapping/state/default-status.ts';
import { effectiveReading } from '../record/parse-record.ts';
import type { MergedList } from './read-and-merge.ts';

/** The numbers of people by what becomes of them, and the numbers of rejected and skipped rows by reason. */
export interface PeopleCounts {
  readonly subscribed: number;
  readonly unsubscribed: number;
  readonly skipped: ReadonlyMap<string, number>;
  readonly rejected: ReadonlyMap<string, number>;
  /** By attribute key: the number of contacts with a value. */
  readonly used: ReadonlyMap<string, number>;
}

/** Counts the single rows and the merged people together. */
export function countPeople({ tables, mergeCounts }: Pick<MergedList, 'tables' | 'mergeCounts'>): PeopleCounts {
  const states = new Map(mergeCounts.states);
  const skipped = new Map(mergeCounts.skipped);
  const rejected = new Map(mergeCounts.rejected);
  const used = new Map(mergeCounts.used);
  for (const { table, tableCounts } of tables) {
    addAll(skipped, tableCounts.withoutAddress);
    addAll(rejected, tableCounts.rejected);
    table.attributes.forEach(({ key }, attributeIndex) => {
      addToCount(used, key, tableCounts.used[attributeIndex] ?? 0);
    });
    for (const [statusReading, count] of tableCounts.statusReadings) {
      const { state, why, unknown } = effectiveReading(table, statusReading);
      const reason = skipReason(state, unknown === undefined ? why : 'unknown_status');
      addToCount(states, state, count);
      if (reason !== undefined) {
        addToCount(skipped, reason, count);
      }
    }
  }
  const [subscribed = 0, unsubscribed = 0] = [states.get('subscribed'), states.get('unsubscribed')];
  return { subscribed, unsubscribed, skipped, rejected, used };
}

function addAll<K>(into: Map<K, number>, from: ReadonlyMap<K, number>): void {
  for (const [key, count] of from) {
    addToCount(into, key, count);
  }
}

/**
 * The number of batches. Two addresses that the service may take for one must not share a batch, which can make one
 * more batch necessary. If there may be such addresses, svc reads the list once more, and cuts and counts the batches.
 */
export async function countBatches(
  { reading, people }: SurveyedList,
  { contacts, ambiguous }: { readonly contacts: number; readonly ambiguous: number },
  signal: AbortSignal,
): Promise<number> {
  return ambiguous > 0
    ? countItems(cutTextBatches(contactTexts(reading, people, { signal })))
    : Math.ceil(contacts / LIMITS.batchItems);
}

/**
 * The number of people who may be enrolled: those who are subscribed, or have no state in a list without states. If an
 * input is an opt-out list, svc reads the list once more to leave out its people without a state.
 */
export async function countEnrollable(
  { reading, people }: SurveyedList,
  { subscribed, skipped }: PeopleCounts,
  signal: AbortSignal,
): Promise<number> {
  if (reading.tables.some((table) => table.reading.stateSource !== undefined)) {
    return subscribed;
  }
  return reading.tables.some(isOptOutList)
    ? countItems(rereadEnrollees(reading, people, { signal }))
    : subscribed + Math.max(0, skipped.get('no_status') ?? 0);
}

async function countItems(items: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _ of items) {
    count++;
  }
  return count;
}
