import { setFlagsFromString } from 'node:v8';

/**
 * Keeps the heap near what is alive. A long run makes short-lived garbage batch after batch; left alone, V8 lets it pile up
 * to several times the live data before it looks. Both flags are read at each collection, so they may be set late.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=50');
  setFlagsFromString('--semi-space-growth-factor=1');
}
