import { createHash } from 'node:crypto';
import { createDecoder } from '../encoding/decode.ts';
import { cleanText, type DecodedText } from '../encoding/utf8-decoder.ts';
import { type ByteCut, createByteCutter } from './byte-cut.ts';
import { createStateMarker, type MarkOptions } from './state-marks.ts';

/** Some text of a table. It is valid until the next text is read. */
export interface DecodedPiece {
  readonly decoded: DecodedText;
  /** The number of bytes that were read for this piece. */
  readonly byteCount: number;
  /** True for the last piece, which has the rest of the text and may be empty. */
  readonly isLast: boolean;
  /** The SHA-256 of all bytes in hex, if it was asked for. Only the last piece has it. */
  readonly sha256?: string | undefined;
}

/** A part of a table. Its first rows may be cut as bytes; the rest must be cut as text. */
export interface Piece extends DecodedPiece {
  /**
   * The rows of `decoded.lines`. Undefined if they can't be cut as bytes. The text must begin at the start of a row.
   */
  cut(): ByteCut | undefined;
}

/** How to cut a table. It is plain data, so that it can be sent to a thread. */
export interface CutOptions {
  readonly encoding: string;
  /** The delimiter. `null` for a table with a single column. Undefined if no row of the table can be cut as bytes. */
  readonly byteDelimiter: string | null | undefined;
  /** Set if the cells get state marks. */
  readonly marks?: MarkOptions | undefined;
  /** True to hash the bytes. */
  readonly hashes: boolean;
}

/** Decodes the bytes of a table, and cuts its rows. The last piece is empty if the bytes end with a whole line. */
export async function* piecesOf(source: AsyncIterable<Buffer>, options: CutOptions): AsyncGenerator<Piece> {
  const cutPiece = createPieceCutter(options);
  for await (const piece of decodePieces(source, options)) {
    yield* cutPiece(piece);
  }
}

/** Decodes the bytes of a table. The last piece is empty if the bytes end with a whole line. */
export async function* decodePieces(
  source: AsyncIterable<Buffer>,
  { encoding, hashes }: Pick<CutOptions, 'encoding' | 'hashes'>,
): AsyncGenerator<DecodedPiece> {
  const decoder = createDecoder(encoding);
  const hash = hashes ? createHash('sha256') : undefined;
  for await (const bytes of source) {
    hash?.update(bytes);
    yield { decoded: decoder.write(bytes), byteCount: bytes.length, isLast: false };
  }
  yield { decoded: decoder.end(), byteCount: 0, isLast: true, sha256: hash?.digest('hex') };
}

/** Splitting off one more part costs as much time as svc saves by cutting this many rows as bytes. */
const ROWS_FOR_A_PART = 20;
/** `savedRows` stays between minus and plus this limit, so that parts from long before hardly count. */
const MAX_SAVED = 5 * ROWS_FOR_A_PART;

/**
 * Makes a function that cuts the rows of a decoded piece. It splits the piece at the rows that can't be cut as bytes,
 * such as rows with a line break in a cell. So only these rows are cut as text, and not all rows after them. The next
 * call overwrites the cuts.
 */
export function createPieceCutter({ byteDelimiter, marks }: CutOptions): (piece: DecodedPiece) => Generator<Piece> {
  const marker = marks && createStateMarker(marks);
  const cutBytes = byteDelimiter === undefined ? undefined : createByteCutter(byteDelimiter ?? undefined, marker);
  // Splitting pays only if many rows follow a row with a line break in a cell. This number compares the rows that
  // splitting saved so far with its cost, also in earlier pieces. If it is not above 0, svc does not split.
  let savedRows = MAX_SAVED;
  return function* (piece) {
    const { lines } = piece.decoded;
    // The last piece does not end with a line ending, so it is cut as text.
    if (lines === undefined || cutBytes === undefined || piece.isLast) {
      yield { ...piece, cut: () => undefined };
      return;
    }
    let { byteCount } = piece;
    for (let start = 0, end = 0; start < lines.length; start = end) {
      const rest = lines.subarray(start);
      const cut = cutBytes(rest);
      const saved = savedRows + cut.starts.length - ROWS_FOR_A_PART;
      savedRows = Math.max(-MAX_SAVED, Math.min(saved, MAX_SAVED));
      const afterRow = savedRows > 0 ? endOfQuotedRow(rest, cut.textStart) : rest.length;
      end = start + afterRow;
      yield { decoded: cleanText(rest.subarray(0, afterRow)), cut: () => cut, byteCount, isLast: false };
      byteCount = 0;
    }
  };
}

const [LF, QUOTE] = [10, 34];

// The index after the row at `start`: after the first line ending that is not inside quotes.
function endOfQuotedRow(bytes: Buffer, start: number): number {
  let isOpen = false;
  for (let position = start; position < bytes.length; position++) {
    if (bytes[position] === QUOTE) {
      isOpen = !isOpen;
    } else if (bytes[position] === LF && !isOpen) {
      return position + 1;
    }
  }
  return bytes.length;
}
