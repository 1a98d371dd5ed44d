import type { RawRow, RowProblem } from '../csv/raw-rows.ts';
import type { Table } from '../mapping/table.ts';
import { shortenForMessage } from './address.ts';

/** The reason for the rejection of a row below a second header that names other columns. */
export const BELOW_OTHER_HEADER = 'below_other_header';

/**
 * The problem of a row below a second header: its cells belong to the columns of that header. Undefined for other rows.
 */
export function otherHeaderProblem({ otherHeaderLine }: Table, { line }: Pick<RawRow, 'line'>): RowProblem | undefined {
  return otherHeaderLine !== undefined && line > otherHeaderLine
    ? { reason: BELOW_OTHER_HEADER, column: '', detail: `the header in line ${otherHeaderLine} names other columns` }
    : undefined;
}

/** The problem of a row with more filled cells than its header has columns. Undefined for other rows. */
export function tooManyFieldsProblem(table: Table, cells: readonly string[]): RowProblem | undefined {
  const extra = cells.slice(table.width).find((cell) => cell.trim() !== '');
  return extra === undefined
    ? undefined
    : {
        reason: 'too_many_fields',
        column: '',
        detail: `${cells.length} cells, but the header has ${table.width}; a cell without a header: ${shortenForMessage(extra)}`,
      };
}

/** The problem of a row with text that can't be sent as JSON: NUL or broken characters. Undefined for other rows. */
export function badTextProblem(table: Table, cells: readonly string[]): RowProblem | undefined {
  for (const index of table.sentColumns) {
    const cell = cells[index];
    if (cell !== undefined && cell !== '' && (cell.includes('\0') || !cell.isWellFormed())) {
      const reason = cell.includes('\0') ? 'nul_character' : 'broken_text';
      return { reason, column: table.header[index] ?? '', detail: shortenForMessage(cell) };
    }
  }
  return undefined;
}
