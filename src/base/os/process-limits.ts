import { closeSync, openSync, readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { EXIT, errorCode, SvcError } from '../lib/errors.ts';

/**
 * Throws SvcError `too_many_files` if this process can't open `count` more files at once. Called before the first
 * request, because a run that reaches the limit later could not record what it did (D2, D9).
 */
export function requireFreeFileHandles(count: number): void {
  const handles: number[] = [];
  try {
    while (handles.length < count) {
      handles.push(openSync('/dev/null', 'r'));
    }
  } catch (error) {
    if (isLimit(error)) {
      const message = `this program may open only ${handles.length} more files and needs ${count}; nothing was done`;
      throw new SvcError(EXIT.failed, 'too_many_files', message, {
        hint: 'Raise the limit and run the same command again: ulimit -n 1024',
        cause: error,
      });
    }
  } finally {
    handles.forEach((handle) => closeSync(handle));
  }
}

function isLimit(error: unknown): boolean {
  return ['EMFILE', 'ENFILE'].includes(errorCode(error));
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
 * Makes room in memory for a worker thread that makes request bodies while this thread sends them. Threads that start
 * later get 4 MiB for new objects. With the default of 1 MiB, a thread spends half of its time on garbage collection.
 * With 16 MiB it would be only 1 % faster, and use 25 MiB more.
 * Also lets the heap of this thread grow a little more between two full collections, because each body becomes garbage
 * there once it is sent. With 100 % instead of 60 %, a run of a million rows is not faster, and uses 15 MiB more.
 */
export function makeRoomForThreads(): void {
  setFlagsFromString('--min-semi-space-size=4');
  setFlagsFromString('--heap-growing-percent=60');
}
