import { type RunningThread, startThread } from '../../base/os/worker-threads.ts';
import { type PieceTask, type PieceThread, receivePieces } from '../rows/piece-thread.ts';
import { type BatchThreadTask, type OpenBatches, receiveBatches } from './batch-thread.ts';

/**
 * The thread that reads the list of a run. First it cuts the list into pieces for the survey, then it makes the batches
 * to send. One thread does both, because a new thread would take 200 ms to load its code again.
 */
export interface ListThread extends PieceThread {
  /** Starts the thread, if it does not run. It loads its code while the caller does other work. */
  start(): void;
  isRunning(): boolean;
  /** Makes the thread load the code for batches while the caller does other work. */
  prepareBatches(): void;
  /** Starts to read the batches. The thread stays a few batches ahead of the requests. */
  batches(task: BatchThreadTask): OpenBatches;
}

/** What the thread is asked to do, one task after another. */
export type ListThreadTask =
  | ({ readonly kind: 'pieces' } & PieceTask)
  | { readonly kind: 'prepare' }
  | ({ readonly kind: 'batches' } & BatchThreadTask);

/**
 * A thread that starts when it is first used, and again after it was closed. Its functions throw the reason of an
 * aborted signal. The caller must close it, also after an error.
 */
export function createListThread(signal: AbortSignal): ListThread {
  let running: RunningThread | undefined;
  const started = () => {
    running ??= startThread('list-thread-entry', import.meta.url, signal);
    return running;
  };
  const post = (task: ListThreadTask) => started().thread.postMessage(task);
  const close = async () => {
    const ended = running;
    running = undefined;
    await ended?.thread.terminate();
  };
  return {
    start: () => {
      started();
    },
    isRunning: () => running !== undefined,
    pieces: (task) => {
      post({ kind: 'pieces', ...task });
      return receivePieces(started(), { signal, close });
    },
    prepareBatches: () => post({ kind: 'prepare' }),
    batches: (task) => {
      post({ kind: 'batches', ...task });
      return receiveBatches(started(), { signal, close });
    },
    close,
  };
}
