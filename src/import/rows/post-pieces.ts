import { once } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import { fileBytes } from '../source/read-file.ts';
import type { ByteCut } from './byte-cut.ts';
import { PIECES_AHEAD, type PieceRequest, type PieceTask, type PostedPiece } from './piece-thread.ts';
import { createPieceCutter, type DecodedPiece, decodePieces, type Piece } from './pieces.ts';

/**
 * If at most this many pieces wait, the caller is faster than this thread. The caller then cuts the next piece itself.
 */
const FEW_PIECES = 2;

/** Makes a function that posts the pieces of a file from a thread. It is called for one file after another. */
export function createPiecePoster(port: MessagePort): (task: PieceTask) => Promise<void> {
  const slots = Array.from({ length: PIECES_AHEAD }, createSlot);
  let index = 0;
  return async ({ file, ...options }) => {
    let ready = PIECES_AHEAD;
    const onMessage = (message: unknown) => {
      if (message === ('next' satisfies PieceRequest)) {
        ready += 1;
      }
    };
    port.on('message', onMessage);
    const post = async (piece: DecodedPiece | Piece) => {
      while (ready === 0) {
        await once(port, 'message');
      }
      ready -= 1;
      port.postMessage(slots[index++ % slots.length]?.(piece));
    };
    const cutPiece = createPieceCutter(options);
    for await (const piece of decodePieces(fileBytes(file), options)) {
      for (const part of ready >= PIECES_AHEAD - FEW_PIECES ? [piece] : cutPiece(piece)) {
        await post(part);
      }
    }
    port.off('message', onMessage);
  };
}

/** Makes a function that copies a piece into memory of its own, which the next call overwrites. */
function createSlot(): (piece: DecodedPiece | Piece) => PostedPiece {
  let bytes = new Uint8Array(new SharedArrayBuffer(0));
  let offsets = new Int32Array(new SharedArrayBuffer(0));
  const copyLines = (from: Uint8Array): Uint8Array => {
    if (from.length > bytes.length) {
      bytes = new Uint8Array(new SharedArrayBuffer(2 * from.byteLength));
    }
    bytes.set(from);
    return bytes.subarray(0, from.length);
  };
  const copyCut = (cut: ByteCut): ByteCut => {
    const used = cut.offsets.subarray(0, 2 * (cut.starts.at(-1) as number));
    if (used.length > offsets.length) {
      offsets = new Int32Array(new SharedArrayBuffer(2 * used.byteLength));
    }
    offsets.set(used);
    return { ...cut, offsets };
  };
  return (piece) => {
    const { decoded, byteCount, isLast, sha256 } = piece;
    const { lines, badBytes, isClean } = decoded;
    const cut = 'cut' in piece ? piece.cut() : undefined;
    return {
      kind: 'piece',
      byteCount,
      isLast,
      sha256,
      badBytes,
      isClean,
      text: lines ? undefined : decoded.text,
      lines: lines && copyLines(lines),
      cut: cut && copyCut(cut),
      mustBeCut: !('cut' in piece),
    };
  };
}
