import { closeSync, openSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { SvcError } from '../lib/errors.ts';
import { EXIT } from '../lib/exit.ts';

/**
 * Checks before the first request that this many more files can be open at once. A run that reaches the limit later
 * cannot record what it did (rules D2, D9). Throws SvcError `too_many_files`.
 */
export function requireOpenFiles(count: number): void {
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
  return error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE');
}

/**
 * Keeps the heap close to the live data. A long run makes garbage with every batch, and V8 would let it grow to several
 * times the live data. V8 reads both flags at each collection, so they may be set late.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=50');
  setFlagsFromString('--semi-space-growth-factor=1');
}

/**
 * Prepares the heap for a thread that reads while this thread sends. Threads started from now on get 4 MiB for new
 * objects. With the default of 1 MiB a thread that makes request bodies spends half of its time on garbage collection.
 * With 16 MiB it saves 1 % of the time and takes 25 MiB. The heap may grow more between two full collections, because
 * sent bodies become garbage there.
 */
export function makeRoomForThreads(): void {
  setFlagsFromString('--min-semi-space-size=4');
  setFlagsFromString('--heap-growing-percent=100');
}
