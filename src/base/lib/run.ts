/** Where a row stands: the index of its input in the list, from 0, and its line there. */
export interface RowPosition {
  readonly source: number;
  readonly line: number;
}

/** The rows of a run: the number read, and one count for each outcome. */
export type CountedRows = { readonly read: number };

/** The sum of all outcomes. NaN if a count is not a number. */
export function sumOfOutcomes({ read: _, ...outcomes }: CountedRows): number {
  return Object.values(outcomes as Readonly<Record<string, number>>).reduce((sum, count) => sum + count, 0);
}

/**
 * True if every row has exactly one outcome (L5): each count is a whole number of at least 0, and the outcomes sum to
 * `read`.
 */
export function addsUp(rows: CountedRows): boolean {
  const isCount = (count: number) => Number.isSafeInteger(count) && count >= 0;
  return Object.values(rows).every(isCount) && sumOfOutcomes(rows) === rows.read;
}

/** Rows that should have been sent and were not. 0 if the report has no such count. */
export function unsentRows(rows: CountedRows): number {
  const { unsent = 0 }: CountedRows & { readonly unsent?: number } = rows;
  return unsent;
}

const RANDOM_LENGTH = 6;

/**
 * Creates an id such as `run_20260101T093000123_4f1c0a`. Ids sort by start time in UTC, and are safe in a shell and in
 * a path.
 */
export function newRunId(now: number, randomHex: (length: number) => string): string {
  const time = new Date(now).toISOString().replace(/[-:.Z]/g, '');
  return `run_${time}_${randomHex(RANDOM_LENGTH)}`;
}

/** True if the text may name the folder of a run. `..` and separators never pass. */
export function isRunId(text: string): boolean {
  return /^run_[A-Za-z0-9_]{1,80}$/.test(text);
}
