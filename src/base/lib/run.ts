/** The rows of a run: how many were read, and one count per outcome. */
export type CountedRows = { readonly read: number };

/** The sum of all outcomes. NaN where a count is no number. */
export function sumOfOutcomes({ read: _, ...outcomes }: CountedRows): number {
  return Object.values(outcomes as Readonly<Record<string, number>>).reduce((sum, count) => sum + count, 0);
}

/**
 * True when every row has exactly one outcome (L5): each count is a whole number, none is negative, and the outcomes sum
 * to `read`.
 */
export function addsUp(rows: CountedRows): boolean {
  const isCount = (count: number) => Number.isSafeInteger(count) && count >= 0;
  return Object.values(rows).every(isCount) && sumOfOutcomes(rows) === rows.read;
}

/** Rows that were to be sent and were not. 0 where the report has no such count. */
export function unsentRows(rows: CountedRows): number {
  const { unsent = 0 }: CountedRows & { readonly unsent?: number } = rows;
  return unsent;
}

const RANDOM_LENGTH = 6;

/**
 * An id for a run, `run_20260101T093000123_4f1c0a`: sorts by its start in UTC and holds nothing that a shell or a path
 * would read differently.
 */
export function newRunId(now: number, randomHex: (length: number) => string): string {
  const time = new Date(now).toISOString().replace(/[-:.Z]/g, '');
  return `run_${time}_${randomHex(RANDOM_LENGTH)}`;
}

/** True for text that may be used as the name of a run's folder; `..` and separators never pass. */
export function isRunId(text: string): boolean {
  return /^run_[A-Za-z0-9_]{1,80}$/.test(text);
}
