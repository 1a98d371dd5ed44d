import { EMAIL_HEADERS, isUsualHeader } from '../../platforms/lib/headers.ts';
import { bareWord } from '../../platforms/lib/status-words.ts';

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
 * True for a row in the middle of a table that is the header of another table. It must have at least two column names,
 * one of them for an address. A single name may be a value, such as the source "Email".
 */
export function isOtherHeader({ header }: { readonly header: readonly string[] }, cells: readonly string[]): boolean {
  // If two files are joined without a line ending between them, one row has the last cells of the first file and then
  // the header of the second. The cells up to the last address belong to the first file.
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
