import { addToCount } from '../../base/lib/rows.ts';
import { reasonOf, type StatusReading } from '../../platforms/lib/states.ts';
import type { KeyedColumn } from '../mapping/table.ts';
import { effectiveReading, type ParsedRecord } from '../record/parse-record.ts';

/**
 * The counts of one table's rows. Rows that suppress or were merged are not included, because they are counted with
 * their person.
 */
export interface TableCounts {
  /** The number of rows that are about no single person, by their kind, such as `no_address`. */
  readonly withoutAddress: Map<string, number>;
  readonly rejected: Map<string, number>;
  readonly statusReadings: Map<StatusReading, number>;
  /** Further readings, without their unknown words, so that many rows share one. `withoutWord` makes the keys. */
  readonly wordless: Map<string, StatusReading>;
  /** For each attribute column, in order: the number of contacts with a value. */
  readonly used: number[];
}

/**
 * How many readings are counted one by one. Without a limit they could fill the memory, because each unknown word makes
 * a reading of its own.
 */
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

// The reading with `other words` in place of its unknown word; a blank stays blank. Equal readings become the same
// object, because objects are the keys of the counts.
function withoutWord({ wordless }: TableCounts, { state, why, unknown }: StatusReading): StatusReading {
  const word = unknown === undefined || unknown === '' ? unknown : 'other words';
  const key = JSON.stringify([state, why, word]);
  const reading = wordless.get(key) ?? { state, why, unknown: word };
  wordless.set(key, reading);
  return reading;
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
