import type { ManualClock } from '../../src/base/manual-clock.ts';
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
  for (let idle = 0; !done; idle += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    if (readingFiles()) {
      idle = 0;
    } else if (idle >= IDLE_TURNS) {
      stuck = (await clock.next()) ? 0 : stuck + 1;
      idle = 0;
    }
    if (stuck > STUCK_TURNS) {
      throw new Error('nothing moves: no file is being read and nobody sleeps');
    }
  }
  return ended;
}

const IDLE_TURNS = 2;
const STUCK_TURNS = 20_000;
