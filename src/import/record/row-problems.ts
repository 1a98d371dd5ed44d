import type { RowProblem } from '../csv/byte-row.ts';
import type { Table } from '../mapping/table.ts';
import { shortenForMessage } from './address.ts';

/** The problem of a row with more filled cells than its header has columns. Undefined for other rows. */
export function tooManyFieldsProblem(table: Table, cells: readonly string[]): RowProblem | undefined {
  if (cells.length <= table.width) {
    return undefined;
  }
  const extra = cells.slice(table.width).find((cell) => cell.trim() !== '');
  if (extra === undefined) {
    return undefined;
  }
  return {
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
