/** A problem of one row. `column` is the header as written, `detail` shows the value. */
export interface RowProblem {
  readonly reason: string;
  readonly column: string;
  readonly detail: string;
}

/** A row as parsed. Cells beyond the header keep their position; nothing is shifted. */
export interface RawRow {
  /** Physical line of the file on which the row starts, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /** A problem that the parser found (text after a closing quote, a bad byte…). */
  readonly problem: RowProblem | undefined;
  /** The row's text as in the file, without its line ending. Set only on request. */
  readonly raw: string | undefined;
  /** True if a cell holds a NUL or half of a surrogate pair. Set here because text is scanned much faster in bulk. */
  readonly broken?: true | undefined;
}

/** Rows of a block of UTF-8 as byte offsets. The next block may reuse the bytes and the offsets. */
export interface ByteBlock {
  readonly bytes: Buffer;
  /** The bytes as Latin-1, so that offsets of bytes and of characters are the same. */
  readonly latin: string;
  /** Two numbers for each cell: its start, and its end with its two marks. */
  readonly offsets: Int32Array;
}

/** Mark of a cell with letters beyond ASCII. */
export const WIDE = 1;
/** Mark of a cell in which quotes are doubled. */
export const DOUBLED = 2;
/** Mark of a cell with signs that may separate the items of a list. */
export const SEPARATED = 4;
/** Mark of a cell with a byte that numbers, times and dates don't have. */
export const WORDED = 8;
/** Mark of a cell with a byte that is no letter. A cell without it is a single word. */
export const SIGNED = 16;
/** The marks are the lowest bits of the cell's end. */
export const MARK_BITS = 5;
const MARKS = (1 << MARK_BITS) - 1;

/** A row of a block. It is valid until the next rows are read. */
export interface ByteRow {
  readonly line: number;
  readonly block: ByteBlock;
  /** Index of its first cell in the block. */
  readonly first: number;
  readonly count: number;
}

export type AnyRow = RawRow | ByteRow;

export function isByteRow(row: AnyRow): row is ByteRow {
  return 'block' in row;
}

/** Index of the first byte of a cell. `cell` is the index of the cell in the block, for all three functions. */
export function cellStart(offsets: Int32Array, cell: number): number {
  return offsets[2 * cell] as number;
}

export function cellEnd(offsets: Int32Array, cell: number): number {
  return (offsets[2 * cell + 1] as number) >> MARK_BITS;
}

/** The marks of a cell: a sum of the constants above. */
export function cellMarks(offsets: Int32Array, cell: number): number {
  return (offsets[2 * cell + 1] as number) & MARKS;
}

export function cellText({ block, first }: ByteRow, at: number): string {
  const { bytes, latin, offsets } = block;
  const start = cellStart(offsets, first + at);
  const end = cellEnd(offsets, first + at);
  const marks = cellMarks(offsets, first + at);
  const text = (marks & WIDE) === 0 ? latin.slice(start, end) : bytes.toString('utf8', start, end);
  return (marks & DOUBLED) === 0 ? text : text.replaceAll('""', '"');
}

/** The row as text, which stays valid. */
export function textRow(row: AnyRow): RawRow {
  if (!isByteRow(row)) {
    return row;
  }
  const cells: string[] = [];
  for (let at = 0; at < row.count; at++) {
    cells[at] = cellText(row, at);
  }
  return { line: row.line, cells, problem: undefined, raw: undefined, broken: undefined };
}
