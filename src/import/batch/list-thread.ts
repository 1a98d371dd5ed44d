import { hasRoomForThreads, type RunningThread, startThread } from '../../base/os/worker-threads.ts';
import { type PieceTask, type PieceThread, receivePieces } from '../rows/piece-thread.ts';
import { type BatchThreadTask, type OpenBatches, receiveBatches } from './batch-thread.ts';

/**
 * The thread that reads the list of a run. First it cuts the list into pieces for the survey, then it makes the batches
 * to send. One thread does both, because a new thread would take 200 ms to load its code again.
 */
export interface ListThread extends PieceThread {
  /**
   * Starts the thread if an input is a large file, and if the thread does not run yet. It loads its code while the
   * caller does other work. Returns true if the thread runs.
   */
  startForLongList(sizes: Iterable<number | undefined>): boolean;
  /** True if a thread runs that can take the next task. */
  isRunning(): boolean;
  /** Makes the thread, if it runs, load the code for batches while the caller does other work. */
  prepareBatches(): void;
  /** Opens the list for `batches` while the caller does other work. An error is thrown only when batches are read. */
  openList(task: BatchThreadTask): void;
  /**
   * Starts to read the batches of the list that was opened last. The thread is a few batches ahead of the requests. It
   * takes no other task after this one, so the next task starts another thread. Readings do not disturb each other.
   */
  batches(): OpenBatches;
  /** Ends all threads. */
  close(): Promise<unknown>;
}

/** With fewer bytes, starting a thread takes longer than reading the list. */
const MIN_BYTES_FOR_THREAD = 16 * 1024 * 1024;

/** What the thread is asked to do, one task after another. */
export type ListThreadTask =
  | ({ readonly kind: 'pieces' } & PieceTask)
  | { readonly kind: 'prepare batches' }
  | ({ readonly kind: 'open list' } & BatchThreadTask)
  | { readonly kind: 'batches' };

/**
 * Makes a thread that starts when it is first used. It starts anew if it is used after it was closed or gave its
 * batches. Its functions throw the reason of an aborted signal. The caller must close it, also after an error.
 */
export function createListThread(signal: AbortSignal): ListThread {
  const threads = new Set<RunningThread>();
  let running: RunningThread | undefined;
  const started = () => {
    running ??= startThread('list-thread-entry', import.meta.url, signal);
    threads.add(running);
    return running;
  };
  const post = (task: ListThreadTask) => started().thread.postMessage(task);
  const end = async (ended: RunningThread) => {
    running = running === ended ? undefined : running;
    await ended.thread.terminate();
    threads.delete(ended);
  };
  return {
    startForLongList: (sizes) => {
      if (Array.from(sizes).some((size = 0) => size >= MIN_BYTES_FOR_THREAD) && hasRoomForThreads()) {
        started();
      }
      return running !== undefined;
    },
    isRunning: () => running !== undefined,
    pieces: (task) => {
      post({ kind: 'pieces', ...task });
      const reading = started();
      return receivePieces(task, reading, { signal, close: () => end(reading) });
    },
    prepareBatches: () => running?.thread.postMessage({ kind: 'prepare batches' } satisfies ListThreadTask),
    openList: (task) => post({ kind: 'open list', ...task }),
    batches: () => {
      post({ kind: 'batches' });
      const reading = started();
      // The messages of this thread end with its batches, so the next task starts another thread.
      running = undefined;
      return receiveBatches(reading, { signal, close: () => end(reading) });
    },
    close: () => Promise.all(Array.from(threads, end)),
  };
}

/** Does `work` with a list thread, and closes the thread at the end. */
export async function withListThread<T>(signal: AbortSignal, work: (thread: ListThread) => Promise<T>): Promise<T> {
  const thread = createListThread(signal);
  try {
    return await work(thread);
  } finally {
    await thread.close();
  }
}
