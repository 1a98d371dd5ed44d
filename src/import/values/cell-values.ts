import { codeUnitAt } from '../encoding/utf8.ts';

/**
 * The cells of a row as they are sent: trimmed, and with `"VIP","Blog"` written as `VIP; Blog`. All other text stays
 * unchanged (F1). Returns the same array if nothing changes.
 */
export function valuesOfCells(
  table: { readonly quotedLists: readonly number[] },
  cells: readonly string[],
): readonly string[] {
  const trimmed = hasBlankEdges(cells) ? trimmedCells(cells) : cells;
  const hasList = table.quotedLists.some((index) => trimmed[index]?.startsWith('"'));
  return hasList
    ? trimmed.map((cell, index) => (table.quotedLists.includes(index) ? readableList(cell) : cell))
    : trimmed;
}

// Trims the cells of a row. It does not use `map`, because V8 stores an array from `map` in a form that it reads more
// slowly.
function trimmedCells(cells: readonly string[]): readonly string[] {
  const copy = cells.slice();
  for (const [index, cell] of cells.entries()) {
    copy[index] = cell.trim();
  }
  return copy;
}

// Writes a quoted list of values without quotes: `"VIP","Blog, weekly"` becomes `VIP; Blog, weekly`. Other text is
// unchanged.
function readableList(cell: string): string {
  const values: string[] = [];
  let index = 0;
  while (index < cell.length) {
    LIST_VALUE.lastIndex = index;
    const match = LIST_VALUE.exec(cell);
    if (!match) {
      return cell;
    }
    values.push((match[1] as string).replaceAll('""', '"').trim());
    index = LIST_VALUE.lastIndex;
  }
  return values.filter((value) => value !== '').join('; ');
}

// Matches one quoted value of a list, with the comma after it: `"VIP",`.
const LIST_VALUE = /"((?:[^"]|"")*)"(?:\s*,\s*(?=")|\s*$)/gy;

// True if a cell begins or ends with a blank. This check costs less than trimming, and few rows need trimming.
function hasBlankEdges(cells: readonly string[]): boolean {
  for (const cell of cells) {
    if (cell !== '' && (isBlankCharacter(cell.charCodeAt(0)) || isBlankCharacter(cell.charCodeAt(cell.length - 1)))) {
      return true;
    }
  }
  return false;
}

/** True if the bytes of a cell begin or end with a blank. The bytes must be UTF-8, and the cell must not be empty. */
export function hasBlankEdge(bytes: Uint8Array, start: number, end: number): boolean {
  const first = bytes[start] as number;
  const last = bytes[end - 1] as number;
  if (first < 0x80 && last < 0x80) {
    return first <= 0x20 || last <= 0x20;
  }
  let lead = end - 1;
  while (((bytes[lead] as number) & 0xc0) === 0x80) {
    lead--;
  }
  return (
    isBlankCharacter(first < 0x80 ? first : codeUnitAt(bytes, start)) ||
    isBlankCharacter(last < 0x80 ? last : codeUnitAt(bytes, lead))
  );
}

/** True for a visible ASCII character, with which nearly all cells begin. Such a cell is not blank. */
export function isVisibleAscii(byte: number): boolean {
  return byte > 0x20 && byte < 0x7f;
}

// True for the blanks that `trim` removes, and for control characters. Only characters beyond Latin need the slower
// second test.
function isBlankCharacter(code: number): boolean {
  const mayBeBlank = code >= 0x1680 && (code <= 0x3000 || code === 0xfeff);
  return code <= 0x20 || code === 0xa0 || (mayBeBlank && BLANK_CHARACTER.test(String.fromCharCode(code)));
}

const BLANK_CHARACTER = /\s/;
