import type { RawRow } from '../csv/raw-rows.ts';
import { wholeDomain } from '../record/domains.ts';
import { usualCellCount } from './delimiter.ts';
import { isAddressCell, namesAddresses } from './header-or-data.ts';

/** Finds the header among the first rows. Undefined if the table begins with data. */
export function findHeaderRow(rows: readonly RawRow[]): RawRow | undefined {
  // The first row of a rejects file is always its header, because svc wrote it.
  if (rows[0]?.cells[0] === 'svc_file') {
    return rows[0];
  }
  const clearHeader = rows.findIndex((row, index) => isClearHeader(row, rows, index));
  if (clearHeader > 0) {
    return rows[clearHeader];
  }
  const width = usualCellCount(rows);
  if (width === 1 && isListOfDomains(rows)) {
    return undefined;
  }
  const firstData = rows.findIndex(({ cells }) => cells.some(isAddressCell));
  const before = rows.slice(0, firstData === -1 ? undefined : firstData).filter((row) => !isComment(row, width));
  const wide = before.filter(({ cells }) => cells.length > 1);
  const candidates = width > 1 && wide.length > 0 ? wide : before;
  return (
    candidates.find(({ cells }) => cells.some(namesAddresses)) ??
    candidates.find(({ cells }) => cells.length === width) ??
    candidates[0]
  );
}

// True if the first two rows are domains: a list of blocked domains often has no header. A header such as
// `contact.email` looks like a domain too, but the row below it has an address and no domain.
function isListOfDomains(rows: readonly RawRow[]): boolean {
  return rows.slice(0, 2).every(({ cells }) => wholeDomain(cells[0] ?? '') !== undefined);
}

// True for a row with a cell that names an address column, if one of the next three rows has an address in this column
// and no row above has one. A text above the header can contain an address in another column.
function isClearHeader({ cells }: RawRow, rows: readonly RawRow[], index: number): boolean {
  return cells.some(
    (cell, column) =>
      namesAddresses(cell) &&
      !isAddressCell(cell) &&
      cells.length > 1 &&
      rows.slice(index + 1, index + 4).some((row) => isAddressCell(row.cells[column] ?? '')) &&
      !rows.slice(0, index).some((row) => isAddressCell(row.cells[column] ?? '') || row.cells.length > cells.length),
  );
}

function isComment({ cells }: RawRow, width: number): boolean {
  return (cells[0] ?? '').startsWith('#') && (cells.length < width || width === 1);
}

/** A short line of text above the header, such as `Unsubscribed contacts`. `line` is its line in the file, from 1. */
export interface TitleLine {
  readonly line: number;
  readonly text: string;
}

const LONGEST_TITLE = 120;
const LABEL = /^[^:=\d]+:?$/;

/** The short lines of text above the header, such as `Unsubscribed contacts`. */
export function titlesAboveHeader(rows: readonly RawRow[], header: RawRow): readonly TitleLine[] {
  const above = rows.filter(({ line }) => line < header.line);
  const titles = above.flatMap(({ line, cells }) => titleIn(cells, header.cells).map((text) => ({ line, text })));
  return titles.filter(({ text }) => text.length <= LONGEST_TITLE);
}

// The title in a row above the header: a lone cell, or a cell after a label (`Filter` beside `Email opt out = true`). A
// lone cell to the right of the address column is not a title: it is the heading of a group of columns.
function titleIn(cells: readonly string[], header: readonly string[]): readonly string[] {
  const [first = -1, second, ...others] = cells.flatMap((cell, index) => (cell === '' ? [] : [index]));
  const [label = '', title] = [cells[first], cells[second ?? -1]];
  if (title === undefined) {
    return first < 0 || header.slice(0, first).some(namesAddresses) ? [] : [label];
  }
  return others.length === 0 && second === 1 && LABEL.test(label) ? [`${label} ${title}`] : [];
}

/** The cells of the row directly above the header, if it has several and no address. */
export function rowAboveHeader(rows: readonly RawRow[], headerLine: number): { readonly above?: readonly string[] } {
  const cells = rows.findLast(({ line }) => line < headerLine)?.cells ?? [];
  return cells.length > 1 && !cells.some(isAddressCell) ? { above: cells } : {};
}
