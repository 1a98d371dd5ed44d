/** The position of a row: `source` is the index of its input in the list, from 0, and `line` its line there. */
export interface RowPosition {
  readonly source: number;
  readonly line: number;
}

/** The positions of rows. An array of positions is also a RowList. `createRowList` makes one that takes less memory. */
export interface RowList extends Iterable<RowPosition> {
  readonly length: number;
  at(index: number): RowPosition | undefined;
  some(test: (row: RowPosition) => boolean): boolean;
}

/**
 * Makes a list from two numbers for each row: its source, then its line. Long lists are kept in this form, because the
 * garbage collector would copy a million objects several times.
 */
export function createRowList(numbers: Int32Array): RowList {
  const length = numbers.length / 2;
  const rowAt = (index: number): RowPosition => ({
    source: numbers[2 * index] as number,
    line: numbers[2 * index + 1] as number,
  });
  return {
    length,
    at: (index) => (index < length ? rowAt(index) : undefined),
    some(test) {
      for (let index = 0; index < length; index++) {
        if (test(rowAt(index))) {
          return true;
        }
      }
      return false;
    },
    *[Symbol.iterator]() {
      for (let index = 0; index < length; index++) {
        yield rowAt(index);
      }
    },
  };
}

/** A row as the key of a map: `0:17` for line 17 of the first input. */
export function rowKey(row: RowPosition): string {
  return `${row.source}:${row.line}`;
}

/** At most `maxItems` of the items, evenly spread over all of them. */
export function evenlySpread<T>(items: readonly T[], maxItems: number): T[] {
  const count = Math.min(maxItems, items.length);
  return Array.from({ length: count }, (_, index) => items[Math.floor((index * items.length) / count)] as T);
}

/** The counts of a run: how many rows were read, and how many of them have each outcome. */
export type CountedRows = { readonly read: number };

/** Adds `amount` to the count of `key`. A missing count is 0. */
export function addToCount<K>(counts: Map<K, number>, key: K, amount: number): void {
  counts.set(key, (counts.get(key) ?? 0) + amount);
}

/** The sum of some counts. */
export function sumOf(numbers: Iterable<number>): number {
  return Iterator.from(numbers).reduce((sum, number) => sum + number, 0);
}

/** The sum of the counts of all outcomes. NaN if a count is no number. */
export function sumOfOutcomes({ read: _, ...outcomes }: CountedRows): number {
  return sumOf(Object.values(outcomes as Readonly<Record<string, number>>));
}

/**
 * True if every row has exactly one outcome (L5): each count is a whole number of at least 0, and the counts of
 * outcomes sum to `read`.
 */
export function rowsAddUp(rows: CountedRows): boolean {
  const isCount = (count: number) => Number.isSafeInteger(count) && count >= 0;
  return Object.values(rows).every(isCount) && sumOfOutcomes(rows) === rows.read;
}

/** The number of rows that should have been sent and were not. 0 if the report does not have this count. */
export function countUnsentRows(rows: CountedRows): number {
  const { unsent = 0 }: CountedRows & { readonly unsent?: number } = rows;
  return unsent;
}
