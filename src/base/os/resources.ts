import { closeSync, openSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { SvcError } from '../lib/errors.ts';
import { EXIT } from '../lib/exit.ts';

/**
 * Makes sure that so many more files can be open at once, before anything is sent: a run that meets the limit half-way can't
 * record what it did (rules D2, D9). Throws SvcError `too_many_files`.
 */
export function requireOpenFiles(count: number): void {
  const handles: number[] = [];
  try {
    while (handles.length < count) {
      handles.push(openSync('/dev/null', 'r'));
    }
  } catch (error) {
    if (isLimit(error)) {
      const message = `this program may open only ${handles.length} more files and needs ${count}; nothing was sent`;
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
 * Keeps the heap near what is alive. A long run makes short-lived garbage batch after batch; left alone, V8 lets it pile up
 * to several times the live data before it looks. Both flags are read at each collection, so they may be set late.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=50');
  setFlagsFromString('--semi-space-growth-factor=1');
}

/**
 * For a program that reads in one thread and sends in another. What has just been made gets 16 MiB in threads that are
 * started from now on, which keep the size they start with; with V8's first one, a thread that turns rows into bodies
 * collects garbage half of its time. And bodies on their way may be garbage for a while before all of the heap is looked at.
 */
export function makeRoomForThreads(): void {
  setFlagsFromString('--min-semi-space-size=16');
  setFlagsFromString('--heap-growing-percent=200');
}
