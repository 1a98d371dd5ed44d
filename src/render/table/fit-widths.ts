import { sumOf } from '../../base/lib/rows.ts';
import { displayWidth } from '../text/width.ts';
import type { Column, ShownCell } from './cell.ts';

const MIN_WIDTH = 8;
// Larger than the width of any cell.
const FIRST_TO_YIELD = 1e9;

/**
 * Returns widths of at most `room` columns together. If the natural widths do not fit, the widest columns shrink first.
 * Undefined if the minimum widths do not fit.
 */
export function fitWidths(
  columns: readonly Column[],
  rows: readonly (readonly ShownCell[])[],
  room: number,
): number[] | undefined {
  const widths = columns.map((column, index) =>
    rows.reduce((most, row) => Math.max(most, displayWidth(row[index]?.text ?? '')), displayWidth(column.title)),
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
