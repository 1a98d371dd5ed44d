import { createHash } from 'node:crypto';
import { createDecoder } from '../encoding/decode.ts';
import type { DecodedText } from '../encoding/utf8-decoder.ts';
import { type ByteCut, createByteCutter } from './byte-cut.ts';
import { createStateMarker, type MarkOptions } from './state-marks.ts';

/** Some text of a table. It is valid until the next piece is read. */
export interface Piece {
  readonly decoded: DecodedText;
  /** The number of bytes that were read for this piece. */
  readonly byteCount: number;
  /** True for the last piece, which has the rest of the text and may be empty. */
  readonly isLast: boolean;
  /** The SHA-256 of all bytes in hex, if it was asked for. Only the last piece has it. */
  readonly sha256?: string | undefined;
  /** Cuts `decoded.lines` into rows. Undefined if they can't be cut as bytes. The text must begin with a whole row. */
  cut(): ByteCut | undefined;
}

/** How to cut a table. It is plain data, so that it can be sent to a thread. */
export interface CutOptions {
  readonly encoding: string;
  /** The delimiter, if regular rows can be cut as bytes. `null` for a table with a single column. */
  readonly byteDelimiter: string | null | undefined;
  /** Set if the cells get state marks. */
  readonly marks?: MarkOptions | undefined;
  /** True to hash the bytes. */
  readonly hashes: boolean;
}

/** Decodes the bytes of a table. The last piece is empty if the bytes end with a whole line. */
export async function* piecesOf(source: AsyncIterable<Buffer>, options: CutOptions): AsyncGenerator<Piece> {
  const decoder = createDecoder(options.encoding);
  const cutBytes = cutterFor(options);
  const hash = options.hashes ? createHash('sha256') : undefined;
  const pieceOf = (decoded: DecodedText): Pick<Piece, 'decoded' | 'cut'> => ({
    decoded,
    cut: () => decoded.lines && cutBytes?.(decoded.lines),
  });
  for await (const bytes of source) {
    hash?.update(bytes);
    yield { ...pieceOf(decoder.write(bytes)), byteCount: bytes.length, isLast: false };
  }
  yield { ...pieceOf(decoder.end()), byteCount: 0, isLast: true, sha256: hash?.digest('hex') };
}

function cutterFor({ byteDelimiter, marks }: CutOptions) {
  const marker = marks && createStateMarker(marks);
  return byteDelimiter === undefined ? undefined : createByteCutter(byteDelimiter ?? undefined, marker);
}
