import { on } from 'node:events';
import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { type ExitCode, SvcError } from '../lib/errors.ts';

/** A worker thread, and the messages that it posts. */
export interface RunningThread {
  readonly thread: Worker;
  readonly messages: AsyncIterableIterator<unknown[]>;
}

/** How a reader of a thread's messages notices an abort, and ends the thread. */
export interface ThreadControl {
  readonly signal: AbortSignal;
  close(): Promise<unknown>;
}

/**
 * Starts a worker thread, and collects its messages. `name` is its entry file in the folder of the file `from`, both in
 * the sources and in the bundle. If the signal has already aborted, throws its reason before it starts the thread.
 * Otherwise `on` would throw after the start, and the caller could not end the thread.
 */
export function startThread(name: string, from: string, signal: AbortSignal): RunningThread {
  signal.throwIfAborted();
  makeRoomForThreads();
  const entry = new URL(`./${name}${from.slice(from.lastIndexOf('.'))}`, from);
  const thread = new Worker(entry, { env: {}, execArgv: ['--no-warnings'] });
  // The listener is added at once, because a message without a listener is lost.
  const messages: AsyncIterableIterator<unknown[]> = on(thread, 'message', { signal, close: ['exit'] });
  return { thread, messages };
}

/** An SvcError as plain data. A thread posts it, because an error loses its class between threads. */
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

/** The address space in which a worker thread can certainly start. V8 reserves several GiB of it for each thread. */
const ROOM_FOR_THREADS = 8 * 2 ** 30;

/**
 * False if `ulimit -v` leaves too little address space for a worker thread. Node then ends the whole process when the
 * thread starts, and no code can catch that. Only Linux has `file`; on other systems the result is true.
 */
export function hasRoomForThreads(file = '/proc/self/limits'): boolean {
  try {
    const limit = /^Max address space\s+(\d+)/m.exec(readFileSync(file, 'utf8'))?.[1];
    return limit === undefined || Number(limit) >= ROOM_FOR_THREADS;
  } catch {
    return true;
  }
}

/**
 * Gives threads that start later 4 MiB for new objects, because a worker thread reads long lists and makes the request
 * bodies. With the default of 1 MiB, it would spend half of its time on garbage collection. With 16 MiB it would be
 * only 3 % faster, and use 25 MiB more.
 */
function makeRoomForThreads(): void {
  setFlagsFromString('--min-semi-space-size=4');
}
