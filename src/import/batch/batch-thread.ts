import type { PositionSet } from '../../base/lib/bit-set.ts';
import { recordSha256 } from '../../base/lib/hash.ts';
import {
  errorOfProblem,
  type RunningThread,
  type ThreadControl,
  type ThreadProblem,
} from '../../base/os/worker-threads.ts';
import { createListBatch, type ListBatch } from './cut-batches.ts';
import type { ListLocation } from './reread-list.ts';

/** The batches of a list while it is read. The reader may be ahead of the requests. */
export interface OpenBatches {
  readonly inOrder: AsyncIterable<ListBatch>;
  /**
   * Takes back the memory of a batch for later batches, so the body of the batch is empty then. Call it only after the
   * service has given an outcome for each row: before that, the service may not have read the whole body.
   */
  reuse(batch: ListBatch): void;
  /** Stops reading. May be called at any time. */
  close(): Promise<unknown>;
}

/** What the thread must know: where the list is, the size of a batch, and which people are unchanged and not sent. */
export interface BatchThreadTask extends ListLocation {
  readonly size: number | undefined;
  readonly unchanged: PositionSet | undefined;
}

/** What the thread posts. */
export type BatchThreadMessage =
  | {
      readonly kind: 'batch';
      readonly index: number;
      readonly rowNumbers: Int32Array<ArrayBuffer>;
      readonly body: Uint8Array<ArrayBuffer>;
      /** The SHA-256 of the body in hex, for its idempotency key. */
      readonly sha256: string;
    }
  | { readonly kind: 'end' }
  | ThreadProblem;

/** What the thread gets while it posts batches: a request for one more, or the memory of a batch that is sent. */
export type BatchThreadRequest = 'next' | ArrayBuffer;

/** How many batches may wait in memory between the thread and the requests. */
export const MAX_READY_BATCHES = 8;

/** The batches that a thread posts for its task. */
export function receiveBatches(running: RunningThread, { signal, close }: ThreadControl): OpenBatches {
  return {
    inOrder: receive(running, signal),
    reuse: ({ body }) => running.thread.postMessage(body.buffer satisfies BatchThreadRequest, [body.buffer]),
    close,
  };
}

async function* receive({ thread, messages }: RunningThread, signal: AbortSignal): AsyncGenerator<ListBatch> {
  try {
    for await (const [message] of messages) {
      const response = message as BatchThreadMessage;
      if (response.kind === 'end') {
        return;
      }
      yield batchOf(response);
      thread.postMessage('next' satisfies BatchThreadRequest);
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
  throw new Error('the thread that reads the list ended before the list');
}

function batchOf(response: Exclude<BatchThreadMessage, { kind: 'end' }>): ListBatch {
  if (response.kind === 'problem') {
    throw errorOfProblem(response);
  }
  const { index, rowNumbers, sha256 } = response;
  const body = Buffer.from(response.body.buffer, response.body.byteOffset, response.body.byteLength);
  recordSha256(body, sha256);
  return createListBatch(index, rowNumbers, body);
}
