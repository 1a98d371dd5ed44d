import type { Style } from '../text/style.ts';
import { displayWidth, padEnd } from '../text/width.ts';
import { type Column, dress, type ShownCell } from './cell.ts';

/** Rows as blocks of `title  value` lines, for terminals too narrow for a table. Nothing is cut. Cells are safe already. */
export function cards(columns: readonly Column[], rows: readonly (readonly ShownCell[])[], style: Style): string {
  const width = columns.reduce((most, column) => Math.max(most, displayWidth(column.title)), 0);
  const line = (column: Column, cell: ShownCell = { text: '' }) =>
    `${style.dim(padEnd(column.title, width))}  ${dress(cell.text, cell.tone, style)}\n`;
  return rows.map((row) => columns.map((column, at) => line(column, row[at])).join('')).join('\n');
}
