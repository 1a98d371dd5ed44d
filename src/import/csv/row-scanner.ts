import { rowTooLongError, unterminatedQuoteError } from '../source/input-errors.ts';
import { cutNonstandardRow } from './cut-nonstandard-row.ts';
import type { TableColumns } from './irregular-row.ts';
import { countLineEndings, findUnclosedQuote } from './lines.ts';
import { isStandardQuoting, type Quoting } from './quoting.ts';
import { cutQuotedRow, cutUnquotedRow, type WholeRow } from './row-cut.ts';
import type { RawRow } from './row-types.ts';
import { createTextWindow, isCleanText, nextRowIndex } from './text-window.ts';

/** How the scanner reads a table. `label` is the name of the table in errors. */
interface RowScannerOptions extends TableColumns {
  readonly label: string;
  readonly keepsRaw: boolean;
  /** Present if the quoting differs from RFC 4180, or if the user named it. */
  readonly quoting?: Quoting | undefined;
}

/** Cuts text into rows while it arrives, including blank rows. */
export interface RowScanner {
  /** Adds text. `isClean`: it certainly has no NUL and no unpaired surrogate. */
  feed(text: string, isClean?: boolean): void;
  /** Call it after the last text. The remaining text is then the last row. */
  finish(): void;
  /** The next complete row, if there is one. Throws SvcError `unterminated_quote` or `row_too_long`. */
  next(): RawRow | undefined;
  /** The line of the file on which the text from `feed` ends so far. */
  lastLine(): number;
  /** The line on which the last row begins, if the text ends without a line ending and `next` has returned this row. */
  unendedLine(): number | undefined;
  /** True if all text has been cut into rows. */
  isIdle(): boolean;
  /** The line on which the next row begins. */
  line(): number;
  /** Adds to `line()` the lines of rows that a `ByteCutter` has cut. Only call it while `isIdle()`. */
  skip(lines: number): void;
}

const BYTE_ORDER_MARK = 0xfeff;
// The longest row, in characters. It fits into memory, and the service accepts no contact of this size.
const MAX_ROW = 16 * 1024 * 1024;

/**
 * Makes a scanner. Most rows are cut with `indexOf` and `slice`, which is fast. csv-parse cuts only rows with text
 * after a closing quote, because for all other rows it would give the same cells as the scanner. `cutNonstandardRow`
 * cuts the tables whose quoting differs from RFC 4180.
 */
export function createRowScanner(options: RowScannerOptions): RowScanner {
  const { label, delimiter, header, keepsRaw } = options;
  const quoting = options.quoting && !isStandardQuoting(options.quoting) ? options.quoting : undefined;
  const window = createTextWindow();
  let rowStart = 0;
  let line = 1;
  let unendedLine: number | undefined;
  // True while the row at `rowStart` is incomplete. Cutting it again is useless before more text arrives.
  let isStalled = false;

  const plainRow = (end: number): RawRow | undefined => {
    const after = nextRowIndex(window, end);
    if (after === undefined) {
      return skipUnfinished();
    }
    const record = window.text().slice(rowStart, end);
    const row = {
      line,
      cells: delimiter === undefined ? [record] : cutUnquotedRow(record, delimiter),
      problem: undefined,
      raw: keepsRaw ? record : undefined,
      isBroken: brokenUpTo(end),
      spansLines: undefined,
    };
    unendedLine = after > end ? undefined : line;
    line += after > end ? 1 : 0;
    rowStart = after;
    return row;
  };

  const quotedRow = (firstEnd: number): RawRow | undefined => {
    const cut = quoting
      ? cutNonstandardRow(window, rowStart, { delimiter, header }, quoting)
      : cutQuotedRow(window, rowStart, { delimiter, header });
    return cut ? toRow(cut, firstEnd) : skipUnfinished();
  };

  const toRow = (cut: WholeRow, firstEnd: number): RawRow => {
    const text = window.text();
    if (cut.unclosedQuote !== undefined) {
      throw unterminatedQuoteError(label, lineOf(cut.unclosedQuote));
    }
    const hasSeveralLines = firstEnd < cut.end;
    const row = {
      line,
      cells: cut.cells,
      problem: cut.problem,
      raw: keepsRaw ? text.slice(rowStart, cut.end) : undefined,
      isBroken: brokenUpTo(cut.end),
      spansLines: hasSeveralLines || undefined,
    };
    unendedLine = cut.after > cut.end ? undefined : line;
    line += hasSeveralLines ? countLineEndings(text.slice(rowStart, cut.end)) : 0;
    line += cut.after > cut.end ? 1 : 0;
    rowStart = cut.after;
    return row;
  };

  // Hardly any text has a NUL or an unpaired surrogate. So the whole text is checked once, and rows only if that check
  // fails.
  const brokenUpTo = (end: number): true | undefined =>
    window.clean() || isCleanText(window.text().slice(rowStart, end)) ? undefined : true;

  const skipUnfinished = (): undefined => {
    const length = window.text().length - rowStart;
    if (!window.final() && length <= MAX_ROW) {
      isStalled = true;
      return undefined;
    }
    const open = quoting ? 0 : findUnclosedQuote(window.text().slice(rowStart), delimiter);
    throw open === -1 ? rowTooLongError(label, line) : unterminatedQuoteError(label, lineOf(open));
  };

  const lineOf = (offset: number) => line + countLineEndings(window.text().slice(rowStart, rowStart + offset));

  return {
    feed(text, isClean = isCleanText(text)) {
      if (window.add({ text, isClean }, rowStart)) {
        rowStart = 0;
        isStalled = false;
      }
    },
    finish() {
      window.finish(rowStart);
      rowStart = 0;
      isStalled = false;
    },
    next() {
      const text = window.text();
      // Skips byte order marks at the start of a row. Files that were joined with `cat` have one before each file.
      while (text.charCodeAt(rowStart) === BYTE_ORDER_MARK) {
        rowStart++;
      }
      if (isStalled || rowStart >= text.length) {
        return undefined;
      }
      const end = window.lineEnd(rowStart);
      return quoting || window.nextQuote(rowStart) < end ? quotedRow(end) : plainRow(end);
    },
    lastLine: () => line + countLineEndings(window.text().slice(rowStart) + window.waiting()),
    unendedLine: () => unendedLine,
    isIdle: () => rowStart >= window.text().length && window.waiting() === '',
    line: () => line,
    skip(lines) {
      line += lines;
    },
  };
}
