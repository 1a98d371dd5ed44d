import { addToCount } from '../../base/lib/rows.ts';
import { reasonOf, type StatusReading } from '../../platforms/lib/states.ts';
import { LIMITS } from '../../wire/limits.ts';
import { contactTexts } from '../batch/contact-text.ts';
import { cutTextBatches } from '../batch/cut-batches.ts';
import { rereadEnrollees } from '../batch/reread-list.ts';
import type { SurveyedList } from '../batch/row-decision.ts';
import { type MergeCounts, skipReason } from '../dedupe/merge-duplicates.ts';
import { isOptOutList } from '../mapping/state/default-status.ts';
import type { Table } from '../mapping/table.ts';
import { effectiveReading, type ParsedRecord } from '../record/parse-record.ts';

/**
 * The counts of one table's rows. Rows that suppress a person, and merged rows, are not included, because they are
 * counted with their person.
 */
export interface TableCounts {
  /** The number of rows that are about no single person, by their kind, such as `no_address`. */
  readonly withoutAddress: Map<string, number>;
  readonly rejected: Map<string, number>;
  readonly statusReadings: Map<StatusReading, number>;
  /**
   * Readings beyond `MAX_DISTINCT_READINGS`, without their unknown words, so that many rows share one reading.
   * `withoutWord` makes the keys.
   */
  readonly wordless: Map<string, StatusReading>;
  /** For each attribute column, in order: the number of contacts with a value. */
  readonly used: Float64Array;
  /** For each attribute column, in order: its index. */
  readonly attributeIndexes: Int32Array;
}

/**
 * How many readings are counted one by one. Without a limit they could fill the memory, because each unknown word makes
 * a reading of its own.
 */
const MAX_DISTINCT_READINGS = 2_000;

export function createTableCounts({ attributes }: Pick<Table, 'attributes'>): TableCounts {
  return {
    withoutAddress: new Map(),
    rejected: new Map(),
    statusReadings: new Map(),
    wordless: new Map(),
    used: new Float64Array(attributes.length),
    attributeIndexes: Int32Array.from(attributes, ({ index }) => index),
  };
}

/** Adds a row to the counts, or subtracts it (`amount` is -1). */
export function countRow(tableCounts: TableCounts, record: ParsedRecord, amount: 1 | -1): void {
  const { kind, problem, statusReading } = record;
  if (kind !== 'person') {
    addToCount(tableCounts.withoutAddress, kind, amount);
  } else if (reasonOf(statusReading.state) !== undefined && record.email !== undefined) {
    return;
  } else if (problem) {
    addToCount(tableCounts.rejected, problem.reason, amount);
  } else {
    const counted =
      tableCounts.statusReadings.size < MAX_DISTINCT_READINGS || tableCounts.statusReadings.has(statusReading)
        ? statusReading
        : withoutWord(tableCounts, statusReading);
    addToCount(tableCounts.statusReadings, counted, amount);
    countUsed(tableCounts, record, amount);
  }
}

// The reading with `other words` in place of its unknown word; a blank stays blank. Equal readings become the same
// object, because the counts use these objects as keys.
function withoutWord({ wordless }: TableCounts, { state, why, unknown }: StatusReading): StatusReading {
  const word = unknown === undefined || unknown === '' ? unknown : 'other words';
  const key = JSON.stringify([state, why, word]);
  const reading = wordless.get(key) ?? { state, why, unknown: word };
  wordless.set(key, reading);
  return reading;
}

function countUsed(
  { used, attributeIndexes }: TableCounts,
  { table, cells, statusReading }: ParsedRecord,
  amount: number,
): void {
  const { state } = effectiveReading(table, statusReading);
  if (state === 'pending' || state === 'skip') {
    return;
  }
  for (let attributeIndex = 0; attributeIndex < used.length; attributeIndex++) {
    const cell = cells[attributeIndexes[attributeIndex] as number];
    if (cell !== undefined && cell !== '') {
      used[attributeIndex] = (used[attributeIndex] as number) + amount;
    }
  }
}

/** The numbers of people by what becomes of them, and the numbers of rejected and skipped rows by reason. */
export interface PeopleCounts {
  readonly subscribed: number;
  readonly unsubscribed: number;
  readonly skipped: ReadonlyMap<string, number>;
  readonly rejected: ReadonlyMap<string, number>;
  /** By attribute key: the number of contacts with a value. */
  readonly used: ReadonlyMap<string, number>;
}

/** The counts of the rows of each table, and of the people whose rows were merged. */
interface CountedList {
  readonly tables: readonly { readonly table: Table; readonly tableCounts: TableCounts }[];
  readonly mergeCounts: MergeCounts;
}

/** Counts the single rows and the merged people together. */
export function countPeople({ tables, mergeCounts }: CountedList): PeopleCounts {
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
  list: SurveyedList,
  { contacts, ambiguous }: { readonly contacts: number; readonly ambiguous: number },
  signal: AbortSignal,
): Promise<number> {
  return ambiguous > 0
    ? countItems(cutTextBatches(contactTexts(list, { signal })))
    : Math.ceil(contacts / LIMITS.batchItems);
}

/**
 * The number of people who may be enrolled: those who are subscribed, or have no state in a list without states. If an
 * input is an opt-out list, svc reads the list once more to leave out its people without a state.
 */
export async function countEnrollable(
  list: SurveyedList,
  { subscribed, skipped }: PeopleCounts,
  signal: AbortSignal,
): Promise<number> {
  const { tables } = list.survey;
  if (tables.some((table) => table.reading.stateSource !== undefined)) {
    return subscribed;
  }
  return tables.some(isOptOutList)
    ? countItems(rereadEnrollees(list, { signal }))
    : subscribed + Math.max(0, skipped.get('no_status') ?? 0);
}

async function countItems(items: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _ of items) {
    count++;
  }
  return count;
}
