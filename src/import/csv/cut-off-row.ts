import { type AnyRow, isByteRow, type RawRow } from './row-types.ts';

/** The reason why svc rejects the last row if the file ends inside this row. */
export const CUT_OFF_ROW = 'cut_off_row';

/** Finds out whether a file ends inside its last row. */
export interface CutOffFinder {
  /** Counts a row. Call it for each row of data, and for the last one too. */
  count(row: AnyRow): void;
  /**
   * Checks the last rows of a file that ends without a line ending, and returns them. If only the last row has fewer
   * cells than the header, it gets a problem: the missing cell may say that the person left (C9).
   */
  lastRows(rows: readonly RawRow[]): readonly RawRow[];
}

/** Makes a finder for a table with this header. */
export function createCutOffFinder(header: readonly string[]): CutOffFinder {
  let shortRows = 0;
  return {
    count(row) {
      const cells = isByteRow(row) ? row.count : row.cells.length;
      shortRows += cells < header.length ? 1 : 0;
    },
    lastRows(rows) {
      const last = rows.at(-1);
      const isCutOff = last !== undefined && shortRows === 1 && last.cells.length < header.length;
      return isCutOff ? [...rows.slice(0, -1), { ...last, problem: last.problem ?? problemOf(last, header) }] : rows;
    },
  };
}

function problemOf({ cells }: RawRow, header: readonly string[]) {
  return {
    reason: CUT_OFF_ROW,
    column: header[cells.length - 1] ?? '',
    detail: `the file ends in this row, after ${cells.length} of ${header.length} cells and without a line break`,
  };
}
