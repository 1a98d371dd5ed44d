import { displayWidth } from '../text/width.ts';
import type { Column, ShownCell } from './cell.ts';

const NARROWEST = 8;
// More than any cell is wide.
const YIELDS_FIRST = 1e9;

/**
 * Widths that together take at most `room` columns: natural ones where they fit, else the widest give way first.
 * Undefined when what must stay whole doesn't fit.
 */
export function fitWidths(
  columns: readonly Column[],
  rows: readonly (readonly ShownCell[])[],
  room: number,
): number[] | undefined {
  const widths = columns.map((column, at) =>
    rows.reduce((most, row) => Math.max(most, displayWidth(row[at]?.text ?? '')), displayWidth(column.title)),
  );
  const least = columns.map((column, at) => leastWidth(column, widths[at] ?? 0));
  if (sum(least) > room) {
    return undefined;
  }
  for (let excess = sum(widths) - room; excess > 0; excess -= 1) {
    const at = widestToGive(widths, least, columns);
    widths[at] = (widths[at] ?? 0) - 1;
  }
  return widths;
}

function leastWidth(column: Column, natural: number): number {
  return column.whole || column.align === 'right'
    ? natural
    : Math.min(natural, Math.max(displayWidth(column.title), column.least ?? NARROWEST));
}

function widestToGive(widths: readonly number[], least: readonly number[], columns: readonly Column[]): number {
  const weights = widths.map((width, at) =>
    width > (least[at] ?? 0) ? width + (columns[at]?.yields ? YIELDS_FIRST : 0) : 0,
  );
  return weights.reduce((widest, weight, at) => (weight > (weights[widest] ?? 0) ? at : widest), 0);
}

function sum(widths: readonly number[]): number {
  return widths.reduce((total, width) => total + width, 0);
}
