import { on } from 'node:events';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { type ExitCode, SvcError } from '../../base/lib/errors.ts';
import { makeRoomForThreads } from '../../base/os/process-limits.ts';

interface ThreadOptions extends Pick<WorkerOptions, 'workerData' | 'resourceLimits'> {
  readonly signal: AbortSignal;
}

/**
 * Starts a worker thread, and collects its messages. `name` is that of its entry file, which is in the folder of the
 * file `from`, in the sources and in the bundle. If the signal is aborted already, throws its reason and starts no
 * thread. The caller could not end such a thread, because `on` throws too.
 */
export function startThread(name: string, from: string, { signal, ...options }: ThreadOptions) {
  signal.throwIfAborted();
  makeRoomForThreads();
  const entry = new URL(`./${name}${from.slice(from.lastIndexOf('.'))}`, from);
  const thread = new Worker(entry, { ...options, env: {}, execArgv: ['--no-warnings'] });
  // The listener is added at once, because a message without a listener is lost.
  const messages: AsyncIterableIterator<unknown[]> = on(thread, 'message', { signal, close: ['exit'] });
  return { thread, messages };
}

/** An SvcError as plain data. A thread posts it, because a thread can't throw an error of a class in another thread. */
export interface ThreadProblem {
  readonly kind: 'problem';
  readonly exit: ExitCode;
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

/** The plain data of an SvcError. Throws any other error, which ends the thread. */
export function problemOf(error: unknown): ThreadProblem {
  if (!(error instanceof SvcError)) {
    throw error;
  }
  const { exit, code, message, hint } = error;
  return { kind: 'problem', exit, code, message, ...(hint !== undefined && { hint }) };
}

/** The error that `problemOf` has turned into plain data. */
export function errorOfProblem({ exit, code, message, hint }: ThreadProblem): SvcError {
  return new SvcError(exit, code, message, { hint });
}
