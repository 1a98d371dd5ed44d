/** A problem of one row. `column` is the header, unchanged; `detail` shows the value. */
export interface RowProblem {
  readonly reason: string;
  readonly column: string;
  readonly detail: string;
}

/** A row as the parser cuts it, with all of its cells, even if it has more cells than the header. */
export interface RawRow {
  /** The line of the file on which the row begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /** A problem that the parser found, such as text after a closing quote. */
  readonly problem: RowProblem | undefined;
  /** The text of the row as in the file, without its line ending. Only set if the reader asked for it. */
  readonly raw: string | undefined;
  /**
   * True if a cell has a NUL or an unpaired surrogate. The parser checks for both, because one check of many rows is
   * faster than a check of each row.
   */
  readonly isBroken?: true | undefined;
  /** True if the row goes over several lines of the file, because a quoted cell has a line break. */
  readonly spansLines?: true | undefined;
}

/** The rows of a block of UTF-8, as byte offsets. The next block may overwrite the bytes and the offsets. */
export interface ByteBlock {
  readonly bytes: Buffer;
  /** The bytes as Latin-1 text: byte offsets are then also character offsets. */
  readonly latinText: string;
  /**
   * Two numbers for each cell: the index of its first byte, and the index after its last byte. The lowest bits of the
   * second number are the marks.
   */
  readonly offsets: Int32Array;
  /** The line of the first row. Each further row is one line below. */
  readonly firstLine: number;
  /** See `RowSummaries`. Undefined if svc did not look for `STATE_MARK` and `TRIM_MARK` in this block. */
  readonly summaries: Int32Array | undefined;
}

// The marks of a cell are bits. The first five come from its bytes: each byte can give the cell some of them.

/** The cell has letters beyond ASCII. */
export const NON_ASCII_MARK = 1;
/** The cell has characters that can separate the items of a list. */
export const SEPARATOR_MARK = 2;
/** The cell has a byte that numbers, times and dates don't have. */
export const NON_NUMBER_MARK = 4;
/** The cell has an ASCII byte that is no letter, or doubled quotes. A cell without this mark is a single word. */
export const NON_LETTER_MARK = 8;
/** The cell has the digit 5, with which each final reply of a mail server begins. */
export const FIVE_MARK = 16;
/** The cell has doubled quotes. */
export const DOUBLED_QUOTE_MARK = 32;
/** The cell may give its row a state; see `state-marks.ts`. */
export const STATE_MARK = 64;
/** The cell must be trimmed before svc can say whether it is blank, or which state it gives. */
export const TRIM_MARK = 128;
/** The number of bits for the marks of a cell. They are the lowest bits of its second number in `offsets`. */
export const MARK_BITS = 8;
const MARKS = (1 << MARK_BITS) - 1;

/** A row of a block. It is valid only until the next rows are read, which overwrite its bytes. */
export interface ByteRow {
  readonly line: number;
  readonly block: ByteBlock;
  /** The index of the row's first cell in the block. */
  readonly first: number;
  readonly count: number;
}

/** A row as text, or as bytes that are decoded when needed. */
export type AnyRow = RawRow | ByteRow;

export function isByteRow(row: AnyRow): row is ByteRow {
  return 'block' in row;
}

/** The index of the first byte of a cell. Here and below, `cell` is the index of the cell in the block. */
export function cellStart(offsets: Int32Array, cell: number): number {
  return offsets[2 * cell] as number;
}

/** The index after the last byte of a cell. */
export function cellEnd(offsets: Int32Array, cell: number): number {
  return (offsets[2 * cell + 1] as number) >> MARK_BITS;
}

/** The bits that mark a cell, such as `NON_ASCII_MARK`. */
export function cellMarkBits(offsets: Int32Array, cell: number): number {
  return (offsets[2 * cell + 1] as number) & MARKS;
}

/** The text of the cell at `index`, with doubled quotes resolved. */
export function cellText({ block, first }: ByteRow, index: number): string {
  const { offsets } = block;
  return textOfBytes(
    block,
    cellStart(offsets, first + index),
    cellEnd(offsets, first + index),
    cellMarkBits(offsets, first + index),
  );
}

/** The text of some bytes of a cell with these marks. */
export function textOfBytes({ bytes, latinText }: ByteBlock, start: number, end: number, marks: number): string {
  const text = (marks & NON_ASCII_MARK) === 0 ? latinText.slice(start, end) : bytes.toString('utf8', start, end);
  return (marks & DOUBLED_QUOTE_MARK) === 0 ? text : text.replaceAll('""', '"');
}

/** The row as text. It stays valid after the next rows are read. */
export function toTextRow(row: AnyRow): RawRow {
  if (!isByteRow(row)) {
    return row;
  }
  const cells: string[] = [];
  for (let index = 0; index < row.count; index++) {
    cells[index] = cellText(row, index);
  }
  return { line: row.line, cells, problem: undefined, raw: undefined, isBroken: undefined, spansLines: undefined };
}

/** Like `toTextRow`, with the exact text of the row in `raw`. */
export function toRawRow(row: AnyRow): RawRow {
  return isByteRow(row) ? { ...toTextRow(row), raw: rawText(row) } : row;
}

// The text from the first cell of a row to its last one, with their quotes.
function rawText({ block, first, count }: ByteRow): string {
  const { bytes, offsets } = block;
  const [start, lastStart, end] = [
    cellStart(offsets, first),
    cellStart(offsets, first + count - 1),
    cellEnd(offsets, first + count - 1),
  ];
  return bytes.toString('utf8', isQuoted(bytes, start) ? start - 1 : start, isQuoted(bytes, lastStart) ? end + 1 : end);
}

// True if the cell whose text begins at `start` is in quotes. Before a cell without quotes stands a delimiter, a line
// ending or a byte order mark.
function isQuoted(bytes: Buffer, start: number): boolean {
  return bytes[start - 1] === QUOTE;
}

const QUOTE = 0x22;

// Matches a blank cell. NUL padding and the DOS end-of-file mark (0x1A) count as blank.
const NOTHING = /^[\s\0\u001a\ufeff]*$/;

/** True for a row without content: an empty line, a row of delimiters only, or padding. */
export function isBlankRow(cells: readonly string[]): boolean {
  return cells.every(
    (cell) => cell === '' || ((cell.charCodeAt(0) <= 32 || cell.charCodeAt(0) > 127) && NOTHING.test(cell)),
  );
}
