import type { RawRow } from '../csv/byte-row.ts';
import { wholeDomain } from '../record/domains.ts';
import { usualWidth } from './delimiter.ts';
import { isAddress, namesAddresses } from './header-or-data.ts';

/** Finds the header among the first rows. Undefined if the table begins with data. */
export function findHeaderRow(rows: readonly RawRow[]): RawRow | undefined {
  // The first row of a rejects file is always its header, because svc wrote it.
  if (rows[0]?.cells[0] === 'svc_file') {
    return rows[0];
  }
  const strong = rows.findIndex((row, at) => headsAddresses(row, rows, at));
  if (strong > 0) {
    return rows[strong];
  }
  const width = usualWidth(rows);
  if (width === 1 && isListOfDomains(rows)) {
    return undefined;
  }
  const firstData = rows.findIndex(({ cells }) => cells.some(isAddress));
  const before = rows.slice(0, firstData === -1 ? undefined : firstData).filter((row) => !isComment(row, width));
  const wide = before.filter(({ cells }) => cells.length > 1);
  const candidates = width > 1 && wide.length > 0 ? wide : before;
  return (
    candidates.find(({ cells }) => cells.some(namesAddresses)) ??
    candidates.find(({ cells }) => cells.length === width) ??
    candidates[0]
  );
}

// True if the first two rows are domains, because a list of blocked domains often has no header. A header such as
// `contact.email` looks like a domain too, but an address follows in the second row.
function isListOfDomains(rows: readonly RawRow[]): boolean {
  return rows.slice(0, 2).every(({ cells }) => wholeDomain(cells[0] ?? '') !== undefined);
}

// True for a row that names an address column, with addresses directly below it and none above. Text above the header
// can contain an address in another column.
function headsAddresses({ cells }: RawRow, rows: readonly RawRow[], at: number): boolean {
  return cells.some(
    (cell, column) =>
      namesAddresses(cell) &&
      !isAddress(cell) &&
      cells.length > 1 &&
      rows.slice(at + 1, at + 4).some((row) => isAddress(row.cells[column] ?? '')) &&
      !rows.slice(0, at).some((row) => isAddress(row.cells[column] ?? '') || row.cells.length > cells.length),
  );
}

function isComment({ cells }: RawRow, width: number): boolean {
  return (cells[0] ?? '').startsWith('#') && (cells.length < width || width === 1);
}
