import { setFlagsFromString } from 'node:v8';

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
