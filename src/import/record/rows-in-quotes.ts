import { shortenForMessage } from '../../base/lib/text.ts';
import type { RawRow, RowProblem } from '../csv/row-types.ts';
import { isAddressCell } from '../dialect/header-row.ts';
import type { Table } from '../mapping/table.ts';

/** The reason for the rejection of a row that has other rows of the list in one of its cells. */
export const ROWS_IN_QUOTES = 'rows_in_quotes';

type RowTable = Pick<Table, 'dialect' | 'svcColumns' | 'header' | 'width' | 'addressColumns'>;

/** One line of a cell that has several. Together with other cells of its row, it may be a whole row of the list. */
interface LineOfCell {
  readonly text: string;
  /** The column of the first part of the line. */
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
    const lines = linesOfCell(cells, index);
    const last = lines.at(-1);
    const below = lines.findIndex((line, nth) => nth > 0 && isRowOfTable(table, line, delimiter));
    const found = below < 0 && last && isFirstRow(table, [lines[0], last], delimiter) ? 0 : below;
    if (found >= 0 || (last && endsInOtherRow(table, cells, [last, delimiter]))) {
      const text = lines[Math.max(found, 1)]?.text ?? '';
      return { reason: ROWS_IN_QUOTES, column: table.header[index] ?? '', detail: shortenForMessage(text) };
    }
  }
  return undefined;
}

// The lines of a cell that has several. For a long cell, only the first lines and the last one. The first line
// continues the cells before it, and the cells after this cell continue the last line.
function linesOfCell(cells: readonly string[], index: number): readonly LineOfCell[] {
  const cell = cells[index] ?? '';
  const texts = cell.split(LINE_BREAK, MAX_LINES);
  if (texts.length < 2) {
    return [];
  }
  if (texts.length === MAX_LINES) {
    texts.push(cell.slice(Math.max(cell.lastIndexOf('\n'), cell.lastIndexOf('\r')) + 1));
  }
  const end = texts.length - 1;
  return texts.map((text, nth) => {
    const start = nth === 0 ? index : 0;
    return { text, start, others: start + (nth === end ? cells.length - index - 1 : 0) };
  });
}

const LINE_BREAK = /\r?\r\n|\n|\r/;
// A quote that closes too late swallows rows from its next line on, so the first lines of a cell suffice.
const MAX_LINES = 1_000;

// True for a line that looks like a row of the table. A line of prose may have an address and a delimiter too, as in
// `Regards, ana@example.com`. But in prose a blank follows each delimiter, and few lines have as many parts as the
// table has columns.
function isRowOfTable({ header, width, addressColumns: { usable } }: RowTable, line: LineOfCell, delimiter: string) {
  const { text, start, others } = line;
  const parts = text.includes('@') ? text.split(delimiter) : [];
  if (parts.length < 2) {
    return false;
  }
  const count = parts.length + others;
  const more = Math.floor(width / 4);
  const fits = Math.abs(count - width) <= more;
  const isWhole = others === 0 && count === width;
  const isProse = !header.slice(1).some((name) => BLANK_FIRST.test(name)) && isSpaced(parts.slice(1));
  const atAddress = usable.map((column) => parts[column - start] ?? '').filter((part) => part.includes('@'));
  // Programs leave out blank cells at the end of a row, so a row that begins like others may be short.
  return atAddress.some(isAddress)
    ? (fits || !isProse) && count <= width + Math.max(more, 1)
    : fits && !isProse && (parts.some(isAddress) || (isWhole && atAddress.some((part) => !IN_JSON.test(part))));
}

// True if the first line of a cell ends a whole row, and the last line begins another one: the quote opens in a cell of
// the first row, and closes in the second one. The cells behind the quote then belong to the second row.
function isFirstRow(table: RowTable, [first, last]: readonly [LineOfCell | undefined, LineOfCell], delimiter: string) {
  const countOf = ({ text, others }: LineOfCell) => text.split(delimiter).length + others;
  const areWhole = first !== undefined && countOf(first) === table.width && countOf(last) === table.width;
  return areWhole && isRowOfTable(table, first, delimiter);
}

// True if the row has too many cells, because the quote closes in another column than the one in which it opens. Then
// the last line and the cells behind it are a whole row.
function endsInOtherRow(
  { width, addressColumns: { usable } }: RowTable,
  cells: readonly string[],
  [line, delimiter]: readonly [LineOfCell, string],
) {
  const row = [...line.text.split(delimiter), ...cells.slice(cells.length - line.others)];
  return cells.length > width && row.length === width && usable.some((column) => row[column]?.includes('@'));
}

function isAddress(part: string): boolean {
  return isAddressCell(part.replace(QUOTES_AROUND, ''));
}

// True if each part with text begins with a blank, as in prose. Also true without such a part: `ana@example.com,`.
function isSpaced(parts: readonly string[]): boolean {
  const filled = parts.filter((part) => part !== '');
  return filled.every((part) => BLANK_FIRST.test(part));
}

const BLANK_FIRST = /^\s/;
const QUOTES_AROUND = /^[\s"]+|(?<![\s"])[\s"]+$/g;
// Matches brackets and names of JSON: `{"email":"ana@example.com"`.
const IN_JSON = /[[\]{}]|"\s*:/;
