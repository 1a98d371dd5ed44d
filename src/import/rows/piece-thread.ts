import { setImmediate } from 'node:timers/promises';
import {
  errorOfProblem,
  type RunningThread,
  type ThreadControl,
  type ThreadProblem,
} from '../../base/os/worker-threads.ts';
import type { DiskFile } from '../source/read-file.ts';
import type { ByteCut } from './byte-cut.ts';
import { type CutOptions, createPieceCutter, type Piece } from './pieces.ts';

/** A thread that reads and cuts files, one after another. It is a few pieces ahead of the caller. */
export interface PieceThread {
  /**
   * Yields the pieces of a file, with the same result as `piecesOf`. If the caller stops early, the thread ends. Throws
   * SvcError like `fileBytes`.
   */
  pieces(task: PieceTask): AsyncGenerator<Piece>;
  /** Ends the thread. */
  close(): Promise<unknown>;
}

/** A file, and how to cut it. `check` of the file is not plain data, so the caller checks the file itself. */
export interface PieceTask extends CutOptions {
  readonly file: Omit<DiskFile, 'check'>;
}

/** The message by which the caller tells the thread that it is done with a piece. */
export type PieceRequest = 'next';

/**
 * A piece as the thread posts it. The memory of `lines` and of the offsets in `cut` is shared by both threads. The
 * thread overwrites it `PIECES_AHEAD` pieces later. By then the caller has asked for the next piece.
 */
export interface PostedPiece extends Pick<Piece, 'byteCount' | 'isLast' | 'sha256'> {
  readonly kind: 'piece';
  /** The text of the piece, if `lines` does not have it. */
  readonly text?: string | undefined;
  readonly badBytes?: string | undefined;
  readonly isClean?: true | undefined;
  readonly lines?: Uint8Array | undefined;
  readonly cut?: ByteCut | undefined;
  /** True if the thread did not cut the piece, because the caller waited for it. The caller cuts it. */
  readonly mustBeCut: boolean;
}

/** How many pieces the thread may post before the caller asks for the next. */
export const PIECES_AHEAD = 16;

/** Yields the pieces that a thread posts for `task`. If the caller stops early, closes the thread. */
export async function* receivePieces(
  task: CutOptions,
  { thread, messages }: RunningThread,
  { signal, close }: ThreadControl,
): AsyncGenerator<Piece> {
  const cutPiece = createPieceCutter(task);
  let isDone = false;
  try {
    for (let count = 1; !isDone; count++) {
      const posted = await nextPiece(messages);
      const piece = pieceOf(posted);
      yield* posted.mustBeCut ? cutPiece(piece) : [piece];
      isDone = posted.isLast;
      thread.postMessage('next' satisfies PieceRequest);
      if (count % PIECES_AHEAD === 0) {
        // While pieces of the thread are waiting, Node handles them one by one, and no timer or Ctrl-C in between. This
        // pause lets Node handle timers and Ctrl-C.
        await setImmediate();
      }
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    if (!isDone) {
      await close();
    }
  }
}

async function nextPiece(messages: RunningThread['messages']): Promise<PostedPiece> {
  const { value, done } = await messages.next();
  if (done) {
    throw new Error('the thread that cuts the list ended before the list');
  }
  const [posted] = value as [PostedPiece | ThreadProblem];
  if (posted.kind === 'problem') {
    throw errorOfProblem(posted);
  }
  return posted;
}

function pieceOf({ text = '', badBytes, isClean, lines, cut, byteCount, isLast, sha256 }: PostedPiece): Piece {
  const bytes = lines && Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength);
  const decoded = {
    get text() {
      return bytes?.toString() ?? text;
    },
    badBytes,
    ...(isClean && { isClean }),
    lines: bytes,
  };
  return { decoded, byteCount, isLast, sha256, cut: () => cut };
}
