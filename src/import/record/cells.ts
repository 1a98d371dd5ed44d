import type { Table } from '../mapping/table.ts';

/**
 * The cells of a row as their values are sent: without blanks at the ends, and lists in quotes made readable. The text is
 * otherwise kept as written (rule F1). Returns the same array where there is nothing to change.
 */
export function valuesOfCells(table: Pick<Table, 'quotedLists'>, cells: readonly string[]): readonly string[] {
  const trimmed = hasBlankEdges(cells) ? cells.map((cell) => cell.trim()) : cells;
  const listed = table.quotedLists.some((at) => trimmed[at]?.startsWith('"'));
  return listed ? trimmed.map((cell, at) => (table.quotedLists.includes(at) ? readableList(cell) : cell)) : trimmed;
}

// A list of values in quotes, as `VIP; Blog, weekly` instead of `"VIP","Blog, weekly"`; any other text as it is.
function readableList(cell: string): string {
  const values: string[] = [];
  let at = 0;
  while (at < cell.length) {
    LIST_VALUE.lastIndex = at;
    const match = LIST_VALUE.exec(cell);
    if (!match) {
      return cell;
    }
    values.push((match[1] as string).replaceAll('""', '"').trim());
    at = LIST_VALUE.lastIndex;
  }
  return values.filter((value) => value !== '').join('; ');
}

const LIST_VALUE = /"((?:[^"]|"")*)"(?:\s*,\s*(?=")|\s*$)/gy;

// Trimming costs more than a look at both ends, and nearly no row has a cell that needs it.
function hasBlankEdges(cells: readonly string[]): boolean {
  for (const cell of cells) {
    const last = cell.length - 1;
    if (last >= 0 && (mayBeBlank(cell.charCodeAt(0)) || mayBeBlank(cell.charCodeAt(last)))) {
      return true;
    }
  }
  return false;
}

// Of the letters most are between the two signs that are asked for first.
function mayBeBlank(code: number): boolean {
  return !(code > 0x20 && code < 0x7f) && (code <= 0x20 || code === 0xa0 || code >= 0x1680);
}
