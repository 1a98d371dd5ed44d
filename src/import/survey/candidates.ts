import { isDate } from '../consent-columns/cells/days.ts';
import type { Table } from '../mapping/table.ts';

interface CandidateValues {
  /** Number of rows by value, each value as written in its first row. */
  readonly values: Map<string, number>;
  blanks: number;
}

/**
 * By index, columns that may say who is subscribed although svc doesn't recognize them (rule C11: show them before
 * `subscribed` is offered).
 */
export type Candidates = Map<number, CandidateValues>;

/** A column with more values holds data of people, not a state. */
const MOST_VALUES = 20;
const LONGEST = 200;
/** All dates count as this one value, because each date is different. */
export const A_DATE = '(a date)';

/** Empty counts. No column is counted if the command line answers for rows without a state. */
export function createCandidates({ candidates }: Pick<Table, 'candidates'>): Candidates {
  return new Map(candidates.map((at) => [at, { values: new Map(), blanks: 0 }]));
}

/** Counts the cells of a row without a state. A column with too many values is dropped to save time. */
export function countCandidates(candidates: Candidates, cells: readonly string[]): void {
  for (const [at, column] of candidates) {
    const cell = (cells[at] ?? '').trim();
    const value = isDate(cell) ? A_DATE : cell.slice(0, LONGEST);
    if (value === '') {
      column.blanks++;
      continue;
    }
    column.values.set(value, (column.values.get(value) ?? 0) + 1);
    if (column.values.size > MOST_VALUES) {
      candidates.delete(at);
    }
  }
}
