import type { Clock } from './clock.ts';

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** A clock that moves only when told, for tests, rehearsals and the emulator's admin API. */
export interface ManualClock extends Clock {
  /** Moves time on by `ms`, waking sleepers in order and letting each run before the next. */
  advance(ms: number): Promise<void>;
  /** Moves to the next sleeper, if there is one. True when somebody was woken. */
  next(): Promise<boolean>;
  /** Sets the time without waking anybody, to play a changed system clock. */
  set(ms: number): void;
  readonly sleepers: number;
}

/** A manual clock that starts at `start` (milliseconds since the epoch). */
export function createManualClock(start = Date.UTC(2026, 0, 1)): ManualClock {
  let now = start;
  const sleepers = new Set<Sleeper>();

  const earliest = () => [...sleepers].sort((a, b) => a.at - b.at)[0];
  const wake = async (sleeper: Sleeper) => {
    sleepers.delete(sleeper);
    now = Math.max(now, sleeper.at);
    sleeper.wake();
    await settle();
  };

  return {
    now: () => now,
    set: (ms) => {
      now = ms;
    },
    get sleepers() {
      return sleepers.size;
    },
    sleep(ms, signal) {
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
          at: now + Math.ceil(ms),
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
      const target = now + ms;
      for (let sleeper = earliest(); sleeper && sleeper.at <= target; sleeper = earliest()) {
        await wake(sleeper);
      }
      now = target;
      await settle();
    },
    async next() {
      const sleeper = earliest();
      if (!sleeper) {
        return false;
      }
      await wake(sleeper);
      return true;
    },
  };
}

/** Lets promises and I/O callbacks that are ready run. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
