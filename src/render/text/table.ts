import { sumOf } from '../../base/lib/rows.ts';
import { csvCell } from '../../base/lib/text.ts';
import { applyTone, type Cell, type Column, rawText, type ShownCell, shownCell } from './cell.ts';
import type { Style } from './style.ts';
import { displayWidth, padEnd, shorten, shortenMiddle } from './width.ts';
import { wrapText } from './wrap.ts';

const COLUMN_GAP = '  ';

/**
 * The rows as text. On a terminal it is a table, or cards if no table fits. Without a terminal, tabs separate the
 * values, and there is no header. With `style.csv` it is CSV. Control characters in cells are escaped. Without rows the
 * text is empty, except for the header of CSV.
 */
export function renderTable(columns: readonly Column[], rows: readonly (readonly Cell[])[], style: Style): string {
  if (style.csv) {
    return csvTable(columns, rows, style.csv.header);
  }
  if (rows.length === 0) {
    return '';
  }
  if (style.columns === undefined) {
    return rows.map((row) => `${row.map(rawText).join('\t')}\n`).join('');
  }
  const shown = rows.map((row) => columns.map((_, index) => shownCell(row[index])));
  return fitTable({ columns, rows: shown }, style) ?? cardBlocks(columns, shown, style);
}

/** A column, and the function that makes the cell of an item for it. */
export interface ItemColumn<T> extends Column {
  readonly cell: (item: T) => Cell;
}

/**
 * A table with a row for each item. On a terminal, `screen` has the titles of the columns to show, in their order.
 * Scripts get all columns.
 */
export function itemTable<T>(
  columns: readonly ItemColumn<T>[],
  items: readonly T[],
  style: Style,
  screen?: readonly string[],
): string {
  const shown =
    screen === undefined || style.columns === undefined
      ? columns
      : screen.flatMap((title) => columns.filter((column) => column.title === title));
  const rows = items.map((item) => shown.map(({ cell }) => cell(item)));
  return renderTable(shown, rows, style);
}

function csvTable(columns: readonly Column[], rows: readonly (readonly Cell[])[], withHeader: boolean): string {
  const header = columns.map(({ title, field = title.replaceAll(' ', '_') }) => field);
  const lines = [...(withHeader ? [header] : []), ...rows.map((row) => row.map(rawText))];
  return lines.map((cells) => `${cells.map((cell) => csvCell(cell, ',')).join(',')}\n`).join('');
}

interface ShownTable {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly ShownCell[])[];
}

/** The table with as many columns as fit. Undefined if not even the required columns fit. */
function fitTable({ columns, rows }: ShownTable, style: Style): string | undefined {
  const room = (style.columns ?? 80) - COLUMN_GAP.length * (columns.length - 1);
  const widths = fitWidths(columns, rows, room);
  if (widths) {
    return gridTable(columns, rows, { widths, style });
  }
  const dropped = firstToDrop(columns);
  const withoutDropped = <T>(cells: readonly T[]) => cells.filter((_, index) => index !== dropped);
  return dropped === -1
    ? undefined
    : fitTable({ columns: withoutDropped(columns), rows: rows.map(withoutDropped) }, style);
}

function firstToDrop(columns: readonly Column[]): number {
  const orders = columns.map(({ dropOrder }) => dropOrder ?? Number.POSITIVE_INFINITY);
  const lowest = orders.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY);
  return lowest === Number.POSITIVE_INFINITY ? -1 : orders.indexOf(lowest);
}

interface Layout {
  readonly widths: readonly number[];
  readonly style: Style;
}

function gridTable(columns: readonly Column[], rows: readonly (readonly ShownCell[])[], layout: Layout): string {
  const header = columns.map((column): ShownCell => ({ text: column.title.toUpperCase(), tone: 'dim' }));
  const lineOf = (row: readonly ShownCell[]) =>
    row
      .map((cell, index) => alignCell(cell, layout.widths[index] ?? 0, { style: layout.style, column: columns[index] }))
      .join(COLUMN_GAP);
  return [header, ...rows].map((row) => `${lineOf(row).trimEnd()}\n`).join('');
}

function alignCell(cell: ShownCell, width: number, layout: { style: Style; column: Column | undefined }): string {
  const cut = cell.cutMiddle ? shortenMiddle : shorten;
  const text = displayWidth(cell.text) <= width ? cell.text : cut(cell.short ?? cell.text, width);
  const blanks = ' '.repeat(width - displayWidth(text));
  const colored = applyTone(text, cell.tone, layout.style);
  return layout.column?.align === 'right' ? blanks + colored : colored + blanks;
}

/** The rows as cards for a narrow terminal: blocks of `title  value` lines. Long texts take several lines. */
function cardBlocks(columns: readonly Column[], rows: readonly (readonly ShownCell[])[], style: Style): string {
  const width = columns.reduce((max, column) => Math.max(max, displayWidth(column.title)), 0);
  const lineOf = (column: Column, cell: ShownCell = { text: '' }) => {
    const margin = ' '.repeat(width + COLUMN_GAP.length);
    const lines = wrapText(cell.text, (style.columns ?? 80) - margin.length).map((text) =>
      applyTone(text, cell.tone, style),
    );
    return `${style.dim(padEnd(column.title, width))}${COLUMN_GAP}${lines.join(`\n${margin}`)}\n`;
  };
  return rows.map((row) => columns.map((column, index) => lineOf(column, row[index])).join('')).join('\n');
}

const MIN_WIDTH = 8;
// svc adds this to the width of a `cutFirst` column, so that the column counts as the widest and shrinks first.
const FIRST_TO_YIELD = 1e9;

/**
 * The widths of the columns, at most `room` together. The widest column shrinks first. Undefined if even the smallest
 * widths do not fit.
 */
function fitWidths(
  columns: readonly Column[],
  rows: readonly (readonly ShownCell[])[],
  room: number,
): number[] | undefined {
  const widths = columns.map((column, index) =>
    rows.reduce((max, row) => Math.max(max, displayWidth(row[index]?.text ?? '')), displayWidth(column.title)),
  );
  const minimums = columns.map((column, index) => minWidth(column, widths[index] ?? 0));
  if (sumOf(minimums) > room) {
    return undefined;
  }
  for (let excess = sumOf(widths) - room; excess > 0; excess -= 1) {
    const index = columnToShrink(widths, minimums, columns);
    widths[index] = (widths[index] ?? 0) - 1;
  }
  return widths;
}

function minWidth(column: Column, natural: number): number {
  return column.neverCut || column.align === 'right'
    ? natural
    : Math.min(natural, Math.max(displayWidth(column.title), column.minWidth ?? MIN_WIDTH));
}

function columnToShrink(widths: readonly number[], minimums: readonly number[], columns: readonly Column[]): number {
  const weights = widths.map((width, index) =>
    width > (minimums[index] ?? 0) ? width + (columns[index]?.cutFirst ? FIRST_TO_YIELD : 0) : 0,
  );
  return weights.reduce((widest, weight, index) => (weight > (weights[widest] ?? 0) ? index : widest), 0);
}
