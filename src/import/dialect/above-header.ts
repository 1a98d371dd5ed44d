import type { RawRow } from '../csv/byte-row.ts';
import { isAddress, namesAddresses } from './header-or-data.ts';

/** A short line of text above the header, such as `Unsubscribed contacts`. `line` counts from 1. */
export interface Title {
  readonly line: number;
  readonly text: string;
}

const LONGEST_TITLE = 120;
const LABEL = /^[^:=\d]+:?$/;

/** The short lines of text above the header. */
export function titlesAbove(rows: readonly RawRow[], header: RawRow): readonly Title[] {
  const above = rows.filter(({ line }) => line < header.line);
  const titles = above.flatMap(({ line, cells }) => titleIn(cells, header.cells).map((text) => ({ line, text })));
  return titles.filter(({ text }) => text.length <= LONGEST_TITLE);
}

// The title in a row: a lone cell, or a cell after a label (`Filter` beside `Email opt out = true`). A lone cell to the
// right of the addresses is the heading of a group of columns, so it is no title.
function titleIn(cells: readonly string[], header: readonly string[]): readonly string[] {
  const [first = -1, second, ...others] = cells.flatMap((cell, at) => (cell === '' ? [] : [at]));
  const [label = '', title] = [cells[first], cells[second ?? -1]];
  if (title === undefined) {
    return first < 0 || header.slice(0, first).some(namesAddresses) ? [] : [label];
  }
  return others.length === 0 && second === 1 && LABEL.test(label) ? [`${label} ${title}`] : [];
}

/** The cells of the row directly above the header, if it has several and no address. */
export function rowAbove(rows: readonly RawRow[], headerLine: number): { readonly above?: readonly string[] } {
  const cells = rows.findLast(({ line }) => line < headerLine)?.cells ?? [];
  return cells.length > 1 && !cells.some(isAddress) ? { above: cells } : {};
}
