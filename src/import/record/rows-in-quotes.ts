import { shortenForMessage } from '../../base/lib/text.ts';
import type { RawRow, RowProblem } from '../csv/row-types.ts';
import { isAddressCell } from '../dialect/header-row.ts';
import type { Table } from '../mapping/table.ts';

/** The reason for the rejection of a row that has other rows of the list in one of its cells. */
export const ROWS_IN_QUOTES = 'rows_in_quotes';

type RowTable = Pick<Table, 'dialect' | 'svcColumns' | 'header' | 'width' | 'addressColumns'>;

/** A line of a cell, with the cells that the row would have if a line break ended it. */
interface LineOfCell {
  readonly text: string;
  /** The parts of the line itself. `start` is the column of the first one. */
  readonly parts: readonly string[];
  readonly start: number;
  /** How many cells stand before and behind the line in the same row. */
  readonly others: number;
}

/**
 * The problem of a quoted cell that contains other rows of the list, because the closing quote is missing or late. One
 * of its lines then has an address and about as many cells as the table. Undefined if no cell contains a row.
 */
export function rowsInQuotesProblem(table: RowTable, row: RawRow): RowProblem | undefined {
  const { delimiter, quoting } = table.dialect;
  // Nearly all rows are on one line, and end here.
  if (row.spansLines !== true || delimiter === undefined || (quoting && quoting.quote === undefined)) {
    return undefined;
  }
  const cells = row.cells.slice(table.svcColumns);
  for (const index of cells.keys()) {
    const lines = linesOfCell(cells, index, delimiter);
    const found = lines.findIndex((line) => isRowOfTable(table, line));
    const isBehind = found < 0 && endsInOtherRow(table, cells, lines.at(-1));
    if (found >= 0 || isBehind) {
      const text = lines[Math.max(found, 1)]?.text ?? '';
      return { reason: ROWS_IN_QUOTES, column: table.header[index] ?? '', detail: shortenForMessage(text) };
    }
  }
  return undefined;
}

// The lines of a cell with several lines. The first one continues the cells before it, and the cells behind the cell
// continue the last one.
function linesOfCell(cells: readonly string[], index: number, delimiter: string): readonly LineOfCell[] {
  const lines = (cells[index] ?? '').split(LINE_BREAK);
  return lines.length < 2
    ? []
    : lines.map((text, line) => {
        const behind = line === lines.length - 1 ? cells.length - index - 1 : 0;
        const start = line === 0 ? index : 0;
        return { text, parts: text.split(delimiter), start, others: start + behind };
      });
}

const LINE_BREAK = /\r?\r\n|\n|\r/;

// True for a line that looks like a row of the table. A line of prose may have an address and a delimiter too, as in
// `Regards, ana@example.com`. A blank follows its delimiters, and seldom has it as many parts as the table has columns.
function isRowOfTable({ header, width, addressColumns: { usable } }: RowTable, line: LineOfCell): boolean {
  const { text, parts, start, others } = line;
  if (parts.length < 2 || !text.includes('@')) {
    return false;
  }
  const count = parts.length + others;
  const more = Math.floor(width / 4);
  const fits = Math.abs(count - width) <= more;
  const isProse = !header.slice(1).some((name) => BLANK_FIRST.test(name)) && isSpaced(parts.slice(1));
  const atAddress = usable.map((column) => parts[column - start] ?? '').filter((part) => part.includes('@'));
  // Programs leave out blank cells at the end of a row, so a row that begins like others may be short.
  return atAddress.some(isAddress)
    ? (fits || !isProse) && count <= width + Math.max(more, 1)
    : fits && !isProse && (parts.some(isAddress) || atAddress.some((part) => !IN_JSON.test(part)));
}

// True if the row has too many cells, because the quote closes in another column than the one in which it opens. Then
// the last line and the cells behind it are a whole row.
function endsInOtherRow({ width, addressColumns: { usable } }: RowTable, cells: readonly string[], line?: LineOfCell) {
  const row = line === undefined ? [] : [...line.parts, ...cells.slice(cells.length - line.others)];
  return cells.length > width && row.length === width && usable.some((column) => row[column]?.includes('@'));
}

function isAddress(part: string): boolean {
  return isAddressCell(part.replace(QUOTES_AROUND, ''));
}

// True if a blank follows each delimiter that text follows.
function isSpaced(parts: readonly string[]): boolean {
  const filled = parts.filter((part) => part !== '');
  return filled.length > 0 && filled.every((part) => BLANK_FIRST.test(part));
}

const BLANK_FIRST = /^\s/;
const QUOTES_AROUND = /^[\s"]+|(?<![\s"])[\s"]+$/g;
// Matches brackets and names of JSON: `{"email":"ana@example.com"`.
const IN_JSON = /[[\]{}]|"\s*:/;
