import type { ManualClock } from '../../src/base/lib/manual-clock.ts';
import { readingFiles } from '../support/reading-files.ts';

/**
 * Lets the clock jump to its next sleeper whenever the program has nothing else to do, until the work ends. A program
 * that waits for the disk is not idle, so what happens doesn't depend on how fast the disk is.
 */
export async function passTime<T>(clock: ManualClock, work: Promise<T>): Promise<T> {
  let done = false;
  const ended = work.finally(() => {
    done = true;
  });
  ended.catch(() => undefined);
  let stuck = 0;
  let movedAt = performance.now();
  for (let idle = 0; !done; idle += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    if (readingFiles()) {
      idle = 0;
    } else if (idle >= IDLE_TURNS) {
      const moved = await clock.next();
      [stuck, movedAt] = moved ? [0, performance.now()] : [stuck + 1, movedAt];
      idle = 0;
    }
    if (stuck > STUCK_TURNS && performance.now() - movedAt > STUCK_MS) {
      throw new Error('nothing moves: no file is being read and nobody sleeps');
    }
  }
  return ended;
}

const IDLE_TURNS = 2;
// On a machine that is busy a module may take long to load, which no turn tells of.
const STUCK_TURNS = 20_000;
const STUCK_MS = 30_000;
