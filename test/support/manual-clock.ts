import type { Clock } from '../../src/base/lib/clock.ts';

interface Sleeper {
  readonly at: number;
  readonly background: boolean;
  readonly wake: () => void;
}

/** A clock that moves only by calls. */
export interface ManualClock extends Clock {
  /** Moves time on by `ms`. Wakes sleepers in order and lets each one run before the next. */
  advance(ms: number): Promise<void>;
  /** Moves to the next sleeper that is not in the background. False if there is none. */
  next(): Promise<boolean>;
  /** Sets the wall clock only: no sleeper wakes, and the monotonic clock does not change. */
  set(ms: number): void;
  /** The number of sleepers without those in the background. */
  readonly sleepers: number;
}

// The start of the monotonic clock. It is neither a date nor 0, so that a test notices when clocks are mixed up.
const FIRST_READING = 777_000;

/** Creates a manual clock that starts at `start` (milliseconds since the epoch). */
export function createManualClock(start = Date.UTC(2026, 0, 1)): ManualClock {
  let monotonic = FIRST_READING;
  let offset = start - monotonic;
  const sleepers = new Set<Sleeper>();

  const earliest = () => [...sleepers].sort((a, b) => a.at - b.at)[0];
  const inFront = () => [...sleepers].filter(({ background }) => !background).sort((a, b) => a.at - b.at);
  const wake = async (sleeper: Sleeper) => {
    sleepers.delete(sleeper);
    monotonic = Math.max(monotonic, sleeper.at);
    sleeper.wake();
    await runReadyTasks();
  };

  return {
    now: () => monotonic + offset,
    monotonic: () => monotonic,
    set: (ms) => {
      offset = ms - monotonic;
    },
    get sleepers() {
      return inFront().length;
    },
    sleep(ms, signal, background = false) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) {
          reject(signal.reason);
          return;
        }
        if (ms <= 0) {
          resolve();
          return;
        }
        const stop = () => {
          sleepers.delete(sleeper);
          reject(signal?.reason);
        };
        const sleeper: Sleeper = {
          at: monotonic + Math.ceil(ms),
          background,
          wake: () => {
            signal?.removeEventListener('abort', stop);
            resolve();
          },
        };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', stop, { once: true });
      });
    },
    async advance(ms) {
      const target = monotonic + ms;
      for (let sleeper = earliest(); sleeper && sleeper.at <= target; sleeper = earliest()) {
        await wake(sleeper);
      }
      monotonic = target;
      await runReadyTasks();
    },
    async next() {
      const [sleeper] = inFront();
      if (!sleeper) {
        return false;
      }
      for (let first = earliest(); first && first !== sleeper && first.at <= sleeper.at; first = earliest()) {
        await wake(first);
      }
      if (sleepers.has(sleeper)) {
        await wake(sleeper);
      }
      return true;
    },
  };
}

/** Runs the promises and I/O callbacks that are ready. */
function runReadyTasks(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
