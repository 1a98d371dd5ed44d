import {
  isLetterByte,
  isNumberByte,
  isSeparatorByte,
} from '../consent-columns/other-columns/quick-tests/byte-kinds.ts';
import {
  type ByteBlock,
  type ByteRow,
  DOUBLED_QUOTE_MARK,
  FIVE_MARK,
  MARK_BITS,
  NON_ASCII_MARK,
  NON_LETTER_MARK,
  NON_NUMBER_MARK,
  SEPARATOR_MARK,
} from '../csv/row-types.ts';
import type { RowSummaries } from './row-summaries.ts';

/**
 * The rows at the start of some bytes. The rest of the bytes, from the index `textStart` on, must be cut as text. A cut
 * is plain data, so that a thread can make it.
 */
export interface ByteCut {
  /** The offsets of the cells; see `ByteBlock`. */
  readonly offsets: Int32Array;
  /** The index of each row's first cell, and last the number of all cells. */
  readonly starts: Int32Array;
  readonly textStart: number;
  /** What the marker found out about the rows; see `ByteBlock`. */
  readonly summaries?: RowSummaries | undefined;
}

/** Cuts complete rows out of valid UTF-8 without NUL. The next call overwrites the offsets. */
export type ByteCutter = (bytes: Buffer) => ByteCut;

/** Marks the cells of rows; see `state-marks.ts`. */
export interface RowMarker {
  /** Marks the cells of the next row. `first` is the index of its first cell. */
  mark(bytes: Uint8Array, offsets: Int32Array, first: number, count: number): void;
  /** The summaries of the rows since the last call. */
  takeSummaries(): RowSummaries;
}

const [LF, CR, QUOTE, FIVE] = [10, 13, 34, 0x35];
const BYTE_ORDER_MARK = Buffer.from('\ufeff');
/**
 * The kind of a byte at which a cell can end: a delimiter, a quote or a line ending. Each other byte has a lower kind:
 * the sum of the marks that the byte gives its cell.
 */
const STOP = 32;
/** An offset and its marks must fit into 32 bits. Longer texts, of which svc makes none, would be cut as text. */
const MAX_BYTES = 1 << (31 - MARK_BITS);

/**
 * Makes a function that cuts RFC 4180 rows in bytes. It stops at the first row that only the text scanner can cut. Such
 * a row has a line ending inside quotes, text after a closing quote, a CR without LF, or no end yet. `marker` marks the
 * cells of each row.
 */
export function createByteCutter(delimiter: string | undefined, marker?: RowMarker): ByteCutter {
  const separator = delimiter?.charCodeAt(0) ?? -1;
  const plain = kindsOfBytes(separator);
  const quoted = kindsOfBytes(QUOTE);
  let offsets = new Int32Array(1024);
  let cellCount = 0;

  const addCell = (start: number, end: number, marks: number) => {
    if (2 * cellCount + 2 > offsets.length) {
      const longer = new Int32Array(2 * offsets.length);
      longer.set(offsets);
      offsets = longer;
    }
    offsets[2 * cellCount] = start;
    offsets[2 * cellCount + 1] = (end << MARK_BITS) | marks;
    cellCount++;
  };
  /**
   * Adds the quoted cell whose content begins at `start`. Returns the index after its closing quote, or -1 if the cell
   * is irregular.
   */
  const cutQuoted = (bytes: Uint8Array, start: number): number => {
    let marks = 0;
    for (let position = start; ; position += 2) {
      for (let kind = 0; kind !== STOP; position++) {
        marks |= kind;
        kind = quoted[bytes[position] as number] as number;
      }
      position--;
      if (bytes[position] !== QUOTE) {
        return -1;
      }
      if (bytes[position + 1] !== QUOTE) {
        addCell(start, position, marks);
        return position + 1;
      }
      marks |= DOUBLED_QUOTE_MARK | NON_LETTER_MARK;
    }
  };
  const cutPlain = (bytes: Uint8Array, start: number): number => {
    let marks = 0;
    let position = start;
    for (let kind = 0; kind !== STOP; position++) {
      marks |= kind;
      kind = plain[bytes[position] as number] as number;
    }
    addCell(start, position - 1, marks);
    return position - 1;
  };
  /** Adds the cells of the row at `start`. Returns the start of the next row, or -1 if the row is irregular. */
  const cutRow = (bytes: Uint8Array, start: number): number => {
    for (let position = start; ; position++) {
      position = bytes[position] === QUOTE ? cutQuoted(bytes, position + 1) : cutPlain(bytes, position);
      if (position === -1) {
        return -1;
      }
      const stop = bytes[position];
      if (stop === LF) {
        return position + 1;
      }
      if (stop !== separator) {
        return stop === CR && bytes[position + 1] === LF ? position + 2 : -1;
      }
    }
  };

  return (bytes) => {
    const starts: number[] = [];
    cellCount = 0;
    let rowStart = indexAfterByteOrderMarks(bytes, 0);
    while (rowStart < bytes.length && bytes.length < MAX_BYTES) {
      const first = cellCount;
      const after = cutRow(bytes, rowStart);
      if (after === -1) {
        cellCount = first;
        break;
      }
      starts.push(first);
      marker?.mark(bytes, offsets, first, cellCount - first);
      rowStart = indexAfterByteOrderMarks(bytes, after);
    }
    starts.push(cellCount);
    return { offsets, starts: Int32Array.from(starts), textStart: rowStart, summaries: marker?.takeSummaries() };
  };
}

/**
 * The rows of a cut, without rows for which `isData` is false. `line` is the line of the first row of the cut. The rows
 * are valid only as long as the bytes and the offsets.
 */
export function rowsOfCut(
  bytes: Buffer,
  { offsets, starts, summaries }: ByteCut,
  line: number,
  isData: (row: ByteRow) => boolean,
): ByteRow[] {
  const block: ByteBlock = { bytes, latinText: bytes.toString('latin1'), offsets, firstLine: line, summaries };
  const rows: ByteRow[] = [];
  for (let position = 0; position + 1 < starts.length; position++) {
    const first = starts[position] as number;
    const row = { line: line + position, block, first, count: (starts[position + 1] as number) - first };
    if (isData(row)) {
      rows.push(row);
    }
  }
  return rows;
}

// The start of a row after its byte order marks. Files that were joined with `cat` have one before each file.
function indexAfterByteOrderMarks(bytes: Buffer, from: number): number {
  let position = from;
  while (bytes[position] === 0xef && bytes.compare(BYTE_ORDER_MARK, 0, 3, position, position + 3) === 0) {
    position += BYTE_ORDER_MARK.length;
  }
  return position;
}

// The kinds of all bytes, cached by delimiter, because an archive may have thousands of tables with the same delimiter.
const KINDS_BY_DELIMITER = new Map<number, Uint8Array>();

function kindsOfBytes(stop: number): Uint8Array {
  const stops = [stop, LF, CR];
  const kinds =
    KINDS_BY_DELIMITER.get(stop) ??
    Uint8Array.from({ length: 256 }, (_, byte) => (stops.includes(byte) ? STOP : marksOf(byte)));
  KINDS_BY_DELIMITER.set(stop, kinds);
  return kinds;
}

function marksOf(byte: number): number {
  return (
    (byte >= 0x80 ? NON_ASCII_MARK : 0) |
    (isSeparatorByte(byte) ? SEPARATOR_MARK : 0) |
    (byte === FIVE ? FIVE_MARK : 0) |
    (isNumberByte(byte) ? 0 : NON_NUMBER_MARK) |
    (isLetterByte(byte) ? 0 : NON_LETTER_MARK)
  );
}
