import { createCutOffFinder } from '../csv/cut-off-row.ts';
import { createRowScanner, type RowScanner } from '../csv/row-scanner.ts';
import {
  type AnyRow,
  type ByteRow,
  cellEnd,
  cellStart,
  cellText,
  isBlankRow,
  isByteRow,
  type RawRow,
  toTextRow,
} from '../csv/row-types.ts';
import type { Dialect } from '../dialect/detect-dialect.ts';
import { mixedEncodingError } from '../source/input-errors.ts';
import { checkedBytes } from '../source/read-file.ts';
import { sourceLabel, type TableSource } from '../source/source.ts';
import { rowsOfCut } from './byte-cut.ts';
import type { PieceThread } from './piece-thread.ts';
import { type CutOptions, type Piece, piecesOf } from './pieces.ts';
import type { MarkOptions } from './state-marks.ts';

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** True to keep the exact text of each text row in `raw`. `toRawRow` makes it for a byte row. */
  readonly keepsRaw?: boolean;
  /** Called with the number of unpacked bytes that were read. */
  onBytes?(bytes: number): void;
}

// Rows are yielded in small batches, because V8 frees small arrays early.
const BATCH_ROWS = 250;

/**
 * Yields the rows after the header, up to 250 at a time. It leaves out blank rows, and headers that are repeated
 * because files were joined with `cat`. If the file seems to be cut off in its last row, that row gets a problem (C9).
 * Throws SvcError `unterminated_quote`, `row_too_long` or `encoding_mixed`, with file and line.
 */
export async function* readRows(
  source: TableSource,
  dialect: Dialect,
  options: ReadOptions = {},
): AsyncGenerator<RawRow[]> {
  const pieces = piecesOf(source.bytes(), { encoding: dialect.encoding, byteDelimiter: undefined, hashes: false });
  for await (const rows of readPieces(pieces, source, dialect, options)) {
    yield rows.map(toTextRow);
  }
}

interface ByteReadOptions extends ReadOptions {
  /** Set if the cells get state marks. */
  readonly marks?: MarkOptions;
  /** A thread that reads and cuts the file, if the table is a plain file. */
  readonly thread?: PieceThread | undefined;
  /** Called at the end with the SHA-256 of the unpacked bytes in hex. */
  onSha256?(sha256: string): void;
}

/**
 * Like `readRows`, for a caller that needs the text of few cells. Regular rows stay bytes, which are valid only until
 * the next batch is read.
 */
export function readByteRows(
  { source, dialect }: { readonly source: TableSource; readonly dialect: Dialect },
  options: ByteReadOptions = {},
): AsyncGenerator<readonly AnyRow[]> {
  const { delimiter, quoting, encoding } = dialect;
  const isPlain = quoting === undefined && (delimiter === undefined || delimiter.charCodeAt(0) < 0x80);
  const byteDelimiter = isPlain ? (delimiter ?? null) : undefined;
  const hashes = options.onSha256 !== undefined;
  const pieces = openPieces(source, { encoding, byteDelimiter, marks: options.marks, hashes }, options.thread);
  return readPieces(pieces, source, dialect, options);
}

function openPieces(
  { plainFile, bytes }: TableSource,
  options: CutOptions,
  thread: PieceThread | undefined,
): AsyncIterable<Piece> {
  if (plainFile === undefined || thread === undefined) {
    return piecesOf(bytes(), options);
  }
  const { check: _, ...file } = plainFile;
  return checkedBytes(plainFile, () => thread.pieces({ ...options, file }));
}

async function* readPieces(
  pieces: AsyncIterable<Piece>,
  source: TableSource,
  dialect: Dialect,
  options: ReadOptions & Pick<ByteReadOptions, 'onSha256'>,
): AsyncGenerator<readonly AnyRow[]> {
  const { delimiter, header, quoting, encoding } = dialect;
  const scanner = createRowScanner({
    label: sourceLabel(source),
    delimiter,
    header,
    keepsRaw: options.keepsRaw ?? false,
    quoting,
  });
  const cutOff = createCutOffFinder(header);
  const isInTable = createFilter(dialect);
  const isData = (row: AnyRow) => {
    const isCounted = isInTable(row);
    isCounted && cutOff.count(row);
    return isCounted;
  };
  for await (const piece of pieces) {
    if (piece.byteCount > 0) {
      options.onBytes?.(piece.byteCount);
    }
    const { lines, badBytes } = piece.decoded;
    const cut = scanner.isIdle() ? piece.cut() : undefined;
    options.signal?.throwIfAborted();
    if (cut && lines) {
      const rows = rowsOfCut(lines, cut, scanner.line(), isData);
      scanner.skip(cut.starts.length - 1);
      yield rows;
    }
    feedPiece(scanner, piece, cut && lines ? lines.toString('utf8', cut.textStart) : piece.decoded.text);
    for (let batch = nextBatch(scanner, isData); batch.length > 0; batch = nextBatch(scanner, isData)) {
      options.signal?.throwIfAborted();
      yield batch.at(-1)?.line === scanner.unendedLine() ? cutOff.lastRows(batch) : batch;
    }
    if (badBytes !== undefined) {
      throw mixedEncodingError(sourceLabel(source), scanner.lastLine(), { encoding, bytes: badBytes });
    }
    if (piece.sha256 !== undefined) {
      options.onSha256?.(piece.sha256);
    }
  }
}

function nextBatch(scanner: RowScanner, isData: (row: RawRow) => boolean): RawRow[] {
  const batch: RawRow[] = [];
  for (let row = scanner.next(); row; row = batch.length < BATCH_ROWS ? scanner.next() : undefined) {
    if (isData(row)) {
      batch.push(row);
    }
  }
  return batch;
}

function feedPiece(scanner: RowScanner, { decoded, isLast }: Piece, text: string): void {
  if (text !== '') {
    scanner.feed(text, decoded.isClean);
  }
  if (isLast && decoded.badBytes === undefined) {
    scanner.finish();
  }
}

/** Makes the filter that drops rows above the header, repeated headers, and blank rows. */
function createFilter({ header, headerLine, hasSepLine }: Dialect): (row: AnyRow) => boolean {
  const firstLine = headerLine > 0 ? headerLine + 1 : hasSepLine ? 2 : 1;
  const headerStart = Buffer.from(header[0] ?? '')[0];
  return (row) => {
    if (row.line < firstLine) {
      return false;
    }
    if (isByteRow(row) && isSurelyData(row, header, headerStart)) {
      return true;
    }
    const { cells } = toTextRow(row);
    return !isBlankRow(cells) && !isHeader(cells, header);
  };
}

// A quick test that is true for most rows: the row is certainly neither blank nor a repeated header. Its first cell
// must begin with a visible ASCII character from `0` on. It must differ from the header in its first cell or in its
// number of cells. `headerStart` is the first byte of the header. Most rows begin with a different byte, and need no
// decoding.
function isSurelyData(row: ByteRow, header: readonly string[], headerStart: number | undefined): boolean {
  const { bytes, offsets } = row.block;
  const start = cellStart(offsets, row.first);
  const first = bytes[start] as number;
  // An empty cell has no byte of its own: `first` is then the delimiter after it, which can be `;` or `|`.
  const isEmpty = cellEnd(offsets, row.first) === start;
  return (
    first > 0x2f &&
    first < 0x7f &&
    !isEmpty &&
    (first !== headerStart || row.count !== header.length || cellText(row, 0) !== header[0])
  );
}

function isHeader(cells: readonly string[], header: readonly string[]): boolean {
  return (
    cells.length === header.length && cells[0] === header[0] && cells.every((cell, index) => cell === header[index])
  );
}
