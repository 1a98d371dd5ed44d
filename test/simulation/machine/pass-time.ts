import type { ManualClock } from '../../support/manual-clock.ts';
import { nextTurn, readingFiles } from '../../support/node/reading-files.ts';

/**
 * Moves the clock to its next sleeper when the program has nothing else to do, until the work ends. A program that
 * waits for the disk isn't idle. So the result doesn't depend on the speed of the disk.
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
    await nextTurn();
    if (readingFiles()) {
      idle = 0;
    } else if (idle >= IDLE_TURNS) {
      const moved = await clock.next();
      [stuck, movedAt] = moved ? [0, performance.now()] : [stuck + 1, movedAt];
      idle = 0;
    }
    if (stuck > STUCK_TURNS && performance.now() - movedAt > STUCK_MS) {
      throw new Error('nothing moves: no file is being read and no program sleeps');
    }
  }
  return ended;
}

const IDLE_TURNS = 2;
// On a busy machine a module can take long to load. No counter shows this.
const STUCK_TURNS = 20_000;
const STUCK_MS = 30_000;
