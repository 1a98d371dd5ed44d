import { isDate } from '../consent-columns/read-cell.ts';
import type { Table } from '../mapping/table.ts';

/** What a column holds in the rows that say nothing of a state. */
export interface CandidateValues {
  /** Rows by value, as in the first row that holds it. */
  readonly values: Map<string, number>;
  blanks: number;
}

/** Columns that may say who is subscribed although nothing tells svc so, by position (rule C11). */
export type Candidates = Map<number, CandidateValues>;

/** Columns with more values than this hold data of people, not a state. */
const MOST_VALUES = 20;
const LONGEST = 200;
/** What every date counts as, because each is another. */
export const A_DATE = '(a date)';

/** No value yet. Empty where nobody will be asked, because the command line answers for rows without a state. */
export function createCandidates({ candidates }: Pick<Table, 'candidates'>): Candidates {
  return new Map(candidates.map((at) => [at, { values: new Map(), blanks: 0 }]));
}

/** Counts the cells of a row without a state; a column with too many values is dropped, and costs nothing from then on. */
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
