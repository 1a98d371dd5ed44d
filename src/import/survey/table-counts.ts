import { reasonOf, type StatusReading } from '../../platforms/lib/states.ts';
import type { KeyedColumn } from '../mapping/table.ts';
import { effectiveReading, type ParsedRecord } from '../record/parse-record.ts';

/**
 * The counts of one table's single rows. Rows that suppress or were merged are not included: they count by the outcome
 * of their person.
 */
export interface TableCounts {
  /** The number of rows without an address, by kind, on a platform where these are usual. */
  readonly withoutAddress: Map<string, number>;
  readonly rejected: Map<string, number>;
  readonly statusReadings: Map<StatusReading, number>;
  /** The readings beyond `MAX_DISTINCT_READINGS` count rows here, without their words. `withoutWord` makes the keys. */
  readonly wordless: Map<string, StatusReading>;
  /** For each attribute column, in order: the number of contacts with a value. */
  readonly used: number[];
}

/** The number of readings that are counted one by one, so that memory is bounded. Equal ones may be many objects. */
const MAX_DISTINCT_READINGS = 2_000;

export function createTableCounts(): TableCounts {
  return { withoutAddress: new Map(), rejected: new Map(), statusReadings: new Map(), wordless: new Map(), used: [] };
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

// The reading with `other words` instead of its unknown word; a blank stays. Equal readings become one object.
function withoutWord({ wordless }: TableCounts, { state, why, unknown }: StatusReading): StatusReading {
  const word = unknown === undefined || unknown === '' ? unknown : 'other words';
  const key = JSON.stringify([state, why, word]);
  const reading = wordless.get(key) ?? { state, why, unknown: word };
  wordless.set(key, reading);
  return reading;
}

/** Adds `amount` to the count of `key`. A missing count is 0. */
export function addToCount<K>(counts: Map<K, number>, key: K, amount: number): void {
  counts.set(key, (counts.get(key) ?? 0) + amount);
}

function countUsed(tableCounts: TableCounts, { table, cells, statusReading }: ParsedRecord, amount: number): void {
  const { state } = effectiveReading(table, statusReading);
  if (state === 'pending' || state === 'skip') {
    return;
  }
  const { attributes } = table;
  for (let attributeIndex = 0; attributeIndex < attributes.length; attributeIndex++) {
    const cell = cells[(attributes[attributeIndex] as KeyedColumn).index];
    tableCounts.used[attributeIndex] =
      (tableCounts.used[attributeIndex] ?? 0) + (cell === undefined || cell === '' ? 0 : amount);
  }
}
