import type { RawRow } from '../types.ts';

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
/** The marks are the lowest bits of the cell's end. */
export const MARK_BITS = 3;
const MARKS = (1 << MARK_BITS) - 1;

/** A row of a block. It is valid until the next rows are read. */
export interface ByteRow {
  readonly line: number;
  readonly block: ByteBlock;
  /** Index of its first cell in the block. */
  readonly first: number;
  /** Number of its cells. */
  readonly count: number;
}

/** A row whose cells are text already, or one that was cut from bytes. */
export type AnyRow = RawRow | ByteRow;

/** True for a row that was cut from bytes. */
export function isByteRow(row: AnyRow): row is ByteRow {
  return 'block' in row;
}

/** Index of the first byte of a cell in the bytes of the block. */
export function cellStart({ block, first }: ByteRow, at: number): number {
  return block.offsets[2 * (first + at)] as number;
}

/** Index of the byte after a cell. */
export function cellEnd({ block, first }: ByteRow, at: number): number {
  return (block.offsets[2 * (first + at) + 1] as number) >> MARK_BITS;
}

/** The marks of a cell: a sum of WIDE, DOUBLED and SEPARATED. */
export function cellMarks({ block, first }: ByteRow, at: number): number {
  return (block.offsets[2 * (first + at) + 1] as number) & MARKS;
}

/** The text of one cell. */
export function cellText(row: ByteRow, at: number): string {
  const { bytes, latin } = row.block;
  const start = cellStart(row, at);
  const end = cellEnd(row, at);
  const marks = cellMarks(row, at);
  const text = (marks & WIDE) === 0 ? latin.slice(start, end) : bytes.toString('utf8', start, end);
  return (marks & DOUBLED) === 0 ? text : text.replaceAll('""', '"');
}

/** The same row as text. It stays valid. */
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
