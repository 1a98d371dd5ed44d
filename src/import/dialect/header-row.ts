import { EMAIL_HEADERS, isUsualHeader } from '../../platforms/lib/headers.ts';
import { bareWord } from '../../platforms/lib/status-words.ts';
import type { RawRow } from '../csv/row-types.ts';
import { wholeDomain } from '../values/domains.ts';
import { mentionsAddress } from './mentioned-addresses.ts';

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
  // A row that mentions an address is data, even if the address has a typing error.
  const isHeader = (row: RawRow) => isClearHeader(row, rows, rows.indexOf(row)) || hasLongQuestion(row);
  const isData = (row: RawRow) => row.cells.some(mentionsAddress) && !isHeader(row);
  const firstPerson = candidates.findIndex(isData);
  const headers = firstPerson === -1 ? candidates : candidates.slice(0, firstPerson);
  return (
    headers.find(({ cells }) => cells.some(namesAddresses)) ??
    candidates.find((row) => !isData(row) && row.cells.some((cell) => EMAIL_HEADERS.has(bareWord(cell)))) ??
    headers.find(({ cells }) => cells.length === width) ??
    headers[0]
  );
}

// True for a header with a long question that names an address: `Mail,May we write from news@example.com?`.
function hasLongQuestion({ cells }: RawRow): boolean {
  const isName = (cell: string) =>
    !mentionsAddress(cell) && (EMAIL_HEADERS.has(bareWord(cell)) || namesAddresses(cell));
  return cells.some(isName) && cells.every((cell) => !mentionsAddress(cell) || /^\s*[^\s@]+\s+[^\s@]+\s/u.test(cell));
}

// True if the first two rows are domains: a list of blocked domains often has no header. A header such as
// `contact.email` looks like a domain too, but the row below it has an address and no domain.
function isListOfDomains(rows: readonly RawRow[]): boolean {
  return rows.slice(0, 2).every(({ cells }) => wholeDomain(cells[0] ?? '') !== undefined);
}

// True for a row with the name of an address column, if one of the next three rows has an address below that name. No
// row above may have an address in this column, or more cells. A text above the header can contain an address in
// another column.
function isClearHeader({ cells }: RawRow, rows: readonly RawRow[], index: number): boolean {
  return cells.some(
    (cell, column) =>
      namesAddresses(cell) &&
      !mentionsAddress(cell) &&
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

/**
 * True if the lines above the header are a table with another delimiter: they have a header of their own, and an
 * address below it.
 */
export function holdsTable(lines: readonly string[], delimiter: string | undefined): boolean {
  return [',', ';', '\t', '|'].some((other) => {
    const rows = other === delimiter ? [] : lines.map((line) => line.split(other));
    const headerIndex = rows.findIndex((cells) => cells.length > 1 && cells.some(namesAddresses));
    const rowsBelow = headerIndex < 0 ? [] : rows.slice(headerIndex + 1);
    return rowsBelow.some((cells) => cells.length > 1 && cells.some(isAddressCell));
  });
}

// Matches a cell that is an address (`ana@example.com`), or a domain after an `@` (`@example.org`).
const ADDRESS = /^[^\s@,;|"<>]+@[^\s@,;|"<>]+$|^@[^\s@,;|"<>]+\.[^\s@,;|"<>]+$/;
// Matches a text that begins with an address and a delimiter: `ana@example.com;Ana`.
const ROW_OF_ADDRESS = /^"?[^\s@,;|"<>]+@[^\s@,;|"<>]+"?[,;|\t]/;
// Matches an address in angle brackets after a name: `Ana Berg <ana@example.com>`.
const NAMED_ADDRESS = /^[^@]*<[^\s@<>]+@[^\s@<>]+>$/;
// The longest cell that is examined. An address has at most 254 bytes, and a name can stand beside it.
const LONGEST_CELL = 600;
const LONGEST_NAME = 60;
const MAX_NAMES = 1_000;
// Matches words that occur in headers of address columns.
const EMAIL_WORD = /e-?mail|correo|courriel|e-?post|adress|subscriber|address/i;

/** True for a cell that contains only an address. Such a cell is data, never the name of a column. */
export function isAddressCell(cell: string): boolean {
  if (cell.length > LONGEST_CELL) {
    return false;
  }
  const text = cell.trim();
  return ADDRESS.test(text) || NAMED_ADDRESS.test(text);
}

/** True for a text that begins like a row of a list: an address and a delimiter. */
export function isRowOfAddress(text: string): boolean {
  return ROW_OF_ADDRESS.test(text.slice(0, LONGEST_CELL));
}

/**
 * True for a cell that contains a whole row of another table, such as `ana@example.com;Ana;Berg` in a table with
 * commas. Cut at another delimiter, it has an address and at least three parts, or `width` parts if `width` is smaller.
 */
export function isRowInCell(cell: string, width: number): boolean {
  const text = cell.slice(0, LONGEST_CELL);
  return [',', ';', '\t', '|'].some((delimiter) => {
    const parts = text.split(delimiter);
    return parts.length >= Math.min(width, 3) && parts.some((part) => isAddressCell(part.replace(/^\s*"|"\s*$/g, '')));
  });
}

/**
 * True for the header of a second table with other columns, in the middle of a table. It must have at least two column
 * names, one of them for an address. A single name may be a value, such as `Email` in a column of sources.
 */
export function isOtherHeader({ header }: { readonly header: readonly string[] }, cells: readonly string[]): boolean {
  // Two files can be joined without a line ending between them. Then one row has the last cells of the first file, and
  // after them the header of the second. The cells up to the last address belong to the first file.
  const names = cells.length > header.length ? cells.slice(cells.findLastIndex(holdsAt) + 1) : cells;
  return (
    names.length > 1 &&
    names.length <= MAX_NAMES &&
    names.every((cell) => cell.length <= LONGEST_NAME && !holdsAt(cell)) &&
    names.some((cell) => EMAIL_HEADERS.has(bareWord(cell))) &&
    !names.some((cell) => /^\s*[\d'+$€£-]*\d\s*$/u.test(cell)) &&
    new Set(names.filter((cell) => namesColumn(cell, header)).map(bareWord)).size > 1 &&
    names.some((cell, index) => bareWord(cell) !== bareWord(header[index] ?? ''))
  );
}

// True for a usual column name, a column name of this table, or an identifier such as `created_at` or `firstName`.
function namesColumn(cell: string, header: readonly string[]): boolean {
  const bare = bareWord(cell);
  return (
    bare !== '' &&
    (isUsualHeader(cell) ||
      header.some((name) => bareWord(name) === bare) ||
      /^(?:[a-z]+(?:_[a-z0-9]+)+|[a-z]+(?:[A-Z][a-z0-9]+)+|[A-Z]+(?:_[A-Z0-9]+)+)$/.test(cell.trim()))
  );
}

function holdsAt(cell: string): boolean {
  return cell.includes('@');
}

/** True for a cell that looks like the name of an address column. */
export function namesAddresses(cell: string): boolean {
  return cell.length <= 40 && EMAIL_WORD.test(cell);
}

/** The most frequent number of cells in a row. It is 0 if there is no row. */
export function usualCellCount(rows: readonly Pick<RawRow, 'cells'>[]): number {
  const counts = new Map<number, number>();
  for (const { cells } of rows) {
    counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  }
  return [...counts].reduce((best, other) => (other[1] > best[1] ? other : best), [0, 0])[0];
}
