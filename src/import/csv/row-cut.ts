import { parseIrregularRow, repairCells, type TableColumns } from './irregular-row.ts';
import { findClosingQuote, findLineEnding } from './lines.ts';
import type { RowProblem } from './row-types.ts';
import { nextRowIndex, type TextWindow } from './text-window.ts';

/** A complete row. `end` is the index of its line ending, `after` that of the next row. */
export interface WholeRow {
  readonly cells: readonly string[];
  readonly end: number;
  readonly after: number;
  readonly problem?: RowProblem | undefined;
  readonly unclosedQuote?: number | undefined;
}

/** Cuts a row without quotes into its cells. */
export function cutUnquotedRow(record: string, delimiter: string): string[] {
  const cells: string[] = [];
  let start = 0;
  // This loop takes half the time of `split`, which is slow on a text that it sees only once.
  for (let position = record.indexOf(delimiter); position !== -1; position = record.indexOf(delimiter, start)) {
    cells[cells.length] = record.slice(start, position);
    start = position + 1;
  }
  cells[cells.length] = record.slice(start);
  return cells;
}

/**
 * Cuts the row that begins at `from` and has quotes. Undefined if the row is incomplete. If no more text follows an
 * incomplete row, one of its quotes is never closed.
 */
export function cutQuotedRow(window: TextWindow, from: number, columns: TableColumns): WholeRow | undefined {
  const text = window.text();
  const { delimiter } = columns;
  const separator = delimiter?.charCodeAt(0) ?? -1;
  const cells: string[] = [];
  let lineEnd = window.lineEnd(from);
  let position = from;
  for (;;) {
    const isQuoted = text.charCodeAt(position) === QUOTE;
    const close = isQuoted ? findClosingQuote(text, position) : position;
    if (close > lineEnd) {
      lineEnd = window.lineEnd(close);
    }
    const end = isQuoted ? close + 1 : cellEnd(text, position, delimiter, lineEnd);
    if (close === -1 || (end >= text.length && !window.final())) {
      return undefined;
    }
    cells[cells.length] = isQuoted ? unquote(text.slice(position + 1, close)) : text.slice(position, end);
    if (end >= text.length || text.charCodeAt(end) !== separator) {
      return end >= text.length || isEnding(text.charCodeAt(end))
        ? wholeRow(window, cells, end)
        : cutIrregularRow(window, from, end, columns);
    }
    position = end + 1;
  }
}

// Cuts the row that begins at `from` with csv-parse, because at `position` text follows a closing quote: `"Ana" Berg`.
function cutIrregularRow(
  window: TextWindow,
  from: number,
  position: number,
  columns: TableColumns,
): WholeRow | undefined {
  const text = window.text();
  let stop = position;
  for (;;) {
    const after = nextRowIndex(window, findLineEnding(text, stop));
    const record = after === undefined ? undefined : parseIrregularRow(text.slice(from, after), columns.delimiter);
    if (record) {
      const raw = text.slice(from, from + record.size).replace(/(\r?\r\n|\n|\r)$/, '');
      const repaired = repairCells(raw, record.cells, columns);
      return { ...repaired, end: from + raw.length, after: from + record.size };
    }
    if (after === undefined || after >= text.length) {
      return undefined;
    }
    stop = Math.max(after, from + 2 * (after - from));
  }
}

const QUOTE = 34;

function isEnding(code: number): boolean {
  return code === 10 || code === 13;
}

function unquote(inside: string): string {
  return inside.includes('"') ? inside.replaceAll('""', '"') : inside;
}

function cellEnd(text: string, position: number, delimiter: string | undefined, lineEnd: number): number {
  const next = delimiter === undefined ? -1 : text.indexOf(delimiter, position);
  return next === -1 || next > lineEnd ? lineEnd : next;
}

function wholeRow(window: TextWindow, cells: readonly string[], end: number): WholeRow | undefined {
  const after = nextRowIndex(window, end);
  return after === undefined ? undefined : { cells, end, after };
}
