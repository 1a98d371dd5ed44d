import type { Style } from '../text/style.ts';
import { displayWidth, padEnd, shorten } from '../text/width.ts';
import { type Cell, type Column, dress, rawText, type ShownCell, shownCell } from './cell.ts';
import { fitWidths } from './fit-widths.ts';

const GAP = '  ';

/**
 * A table that fits the terminal's width, or cards where it can't; tab-separated without a header where there is no
 * terminal. Cells may come from anywhere: control characters are shown as escapes. No rows: no text.
 */
export function table(columns: readonly Column[], rows: readonly (readonly Cell[])[], style: Style): string {
  if (rows.length === 0) {
    return '';
  }
  if (style.columns === undefined) {
    return rows.map((row) => `${row.map(rawText).join('\t')}\n`).join('');
  }
  const shown = rows.map((row) => columns.map((_, at) => shownCell(row[at])));
  return narrowed({ columns, rows: shown }, style) ?? cards(columns, shown, style);
}

interface Shown {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly ShownCell[])[];
}

/** The table with as many columns as the terminal is wide enough for; undefined where not even those fit that must be there. */
function narrowed({ columns, rows }: Shown, style: Style): string | undefined {
  const room = (style.columns ?? 80) - GAP.length * (columns.length - 1);
  const widths = fitWidths(columns, rows, room);
  if (widths) {
    return grid(columns, rows, { widths, style });
  }
  const dropped = firstToDrop(columns);
  const others = <T>(cells: readonly T[]) => cells.filter((_, at) => at !== dropped);
  return dropped === -1 ? undefined : narrowed({ columns: others(columns), rows: rows.map(others) }, style);
}

function firstToDrop(columns: readonly Column[]): number {
  const orders = columns.map(({ drops }) => drops ?? Number.POSITIVE_INFINITY);
  const least = orders.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY);
  return least === Number.POSITIVE_INFINITY ? -1 : orders.indexOf(least);
}

interface Look {
  readonly widths: readonly number[];
  readonly style: Style;
}

function grid(columns: readonly Column[], rows: readonly (readonly ShownCell[])[], look: Look): string {
  const header = columns.map((column): ShownCell => ({ text: column.title.toUpperCase(), tone: 'dim' }));
  const line = (row: readonly ShownCell[]) =>
    row.map((cell, at) => place(cell, look.widths[at] ?? 0, { style: look.style, column: columns[at] })).join(GAP);
  return [header, ...rows].map((row) => `${line(row).trimEnd()}\n`).join('');
}

function place(cell: ShownCell, width: number, look: { style: Style; column: Column | undefined }): string {
  const text = displayWidth(cell.text) <= width ? cell.text : shorten(cell.short ?? cell.text, width);
  const blanks = ' '.repeat(width - displayWidth(text));
  const dressed = dress(text, cell.tone, look.style);
  return look.column?.align === 'right' ? blanks + dressed : dressed + blanks;
}

/** Rows as blocks of `title  value` lines, for terminals too narrow for a table. Nothing is cut. Cells are safe already. */
function cards(columns: readonly Column[], rows: readonly (readonly ShownCell[])[], style: Style): string {
  const width = columns.reduce((most, column) => Math.max(most, displayWidth(column.title)), 0);
  const line = (column: Column, cell: ShownCell = { text: '' }) =>
    `${style.dim(padEnd(column.title, width))}  ${dress(cell.text, cell.tone, style)}\n`;
  return rows.map((row) => columns.map((column, at) => line(column, row[at])).join('')).join('\n');
}
