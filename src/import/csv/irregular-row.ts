import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { findClosingQuote, LINE_ENDINGS } from './lines.ts';
import type { RowProblem } from './row-types.ts';

/** The delimiter of a table and the names of its columns. */
export interface TableColumns {
  readonly delimiter: string | undefined;
  readonly header: readonly string[];
}

/**
 * The cells of a row in which a quote closes too early. The cell `"Ana" Berg` becomes `Ana Berg`. `problem` describes
 * the first such cell.
 */
interface RepairedCells {
  readonly cells: readonly string[];
  readonly problem: RowProblem | undefined;
  /**
   * The offset of a quote that the row never closes. In `"Ana⏎bo@example.com,"Bo` the second quote opens the cell `Bo`,
   * so no quote closes the first cell.
   */
  readonly unclosedQuote: number | undefined;
}

/** Reads the first row of a text with csv-parse. Undefined if a quote is still open at the end. */
export function parseIrregularRow(text: string, delimiter: string | undefined) {
  try {
    const [first] = parse(text, {
      delimiter: delimiter ?? NO_DELIMITER,
      record_delimiter: [...LINE_ENDINGS],
      relax_quotes: true,
      relax_column_count: true,
      info: true,
      to: 1,
    }) as unknown as { record: string[]; info: { bytes: number } }[];
    return first && { cells: first.record, size: Buffer.from(text).subarray(0, first.info.bytes).toString().length };
  } catch (error) {
    if (error instanceof CsvError && error.code === 'CSV_QUOTE_NOT_CLOSED') {
      return undefined;
    }
    throw error;
  }
}

/**
 * Removes the quotes that csv-parse leaves around a cell if text follows its closing quote: `"Ana" Berg` becomes `Ana
 * Berg`.
 */
export function repairCells(raw: string, cells: readonly string[], columns: TableColumns): RepairedCells {
  const repaired: string[] = [];
  let problem: RowProblem | undefined;
  let unclosedQuote: number | undefined;
  let index = 0;
  for (const cell of cells) {
    const { value, tail, end } = repairCell(raw, index, cell);
    if (tail.trim() !== '') {
      const reason = raw[end - tail.length - 2] === '\\' ? 'backslash_before_quote' : 'text_after_closing_quote';
      problem ??= { reason, column: columns.header[repaired.length] ?? '', detail: tail };
      unclosedQuote ??= opensNextCell(raw.slice(index + 1, end - tail.length - 1), columns.delimiter)
        ? index
        : undefined;
    }
    repaired.push(value);
    index = end + 1;
  }
  return { cells: repaired, problem, unclosedQuote };
}

// The delimiter for a table with one column: a noncharacter, which no text contains, so csv-parse never cuts a row into
// several cells.
const NO_DELIMITER = '\u{10FFFE}';

function repairCell(raw: string, index: number, cell: string): { value: string; tail: string; end: number } {
  if (raw[index] !== '"') {
    return { value: cell, tail: '', end: index + cell.length };
  }
  const close = findClosingQuote(raw, index);
  const inner = raw.slice(index + 1, close).replaceAll('""', '"');
  const tail = cell === inner ? '' : cell.slice(cell.startsWith(`"${inner}"`) ? inner.length + 2 : inner.length);
  return { value: inner + tail, tail, end: close + 1 + tail.length };
}

// True if the quote that seems to close the cell opens the next one: `"Ana⏎bo@example.com,"Bo`. `inside` is the text
// between the two quotes.
function opensNextCell(inside: string, delimiter: string | undefined): boolean {
  const last = inside.at(-1) ?? '';
  return /[\r\n]/.test(inside) && (last === delimiter || last === '\n' || last === '\r');
}
