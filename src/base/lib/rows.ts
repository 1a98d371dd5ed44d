/** The position of a row: the index of its input in the list, from 0, and its line there. */
export interface RowPosition {
  readonly source: number;
  readonly line: number;
}

/** A row as the key of a map: `0:17` is line 17 of the first input. */
export function rowKey(row: RowPosition): string {
  return `${row.source}:${row.line}`;
}

/** At most `maxItems` of the items, evenly spread over them. */
export function evenlySpread<T>(items: readonly T[], maxItems: number): T[] {
  const count = Math.min(maxItems, items.length);
  return Array.from({ length: count }, (_, index) => items[Math.floor((index * items.length) / count)] as T);
}

/** The rows of a run: how many were read, and how many have each outcome. */
export type CountedRows = { readonly read: number };

/** The sum of some counts. */
export function sumOf(numbers: Iterable<number>): number {
  return Iterator.from(numbers).reduce((sum, number) => sum + number, 0);
}

/** The sum of all outcomes. NaN if a count is not a number. */
export function sumOfOutcomes({ read: _, ...outcomes }: CountedRows): number {
  return sumOf(Object.values(outcomes as Readonly<Record<string, number>>));
}

/**
 * True if every row has exactly one outcome (L5). Then each count is a whole number of at least 0, and the outcomes sum
 * to `read`.
 */
export function rowsAddUp(rows: CountedRows): boolean {
  const isCount = (count: number) => Number.isSafeInteger(count) && count >= 0;
  return Object.values(rows).every(isCount) && sumOfOutcomes(rows) === rows.read;
}

/** Rows that should have been sent and were not. 0 if the report has no such count. */
export function countUnsentRows(rows: CountedRows): number {
  const { unsent = 0 }: CountedRows & { readonly unsent?: number } = rows;
  return unsent;
}
