import type { Clock } from '../../base/lib/clock.ts';

/** A clock that can be moved. A sleep ends at once if the clock is moved past the end of the sleep. */
export interface ShiftedClock extends Clock {
  /** Moves the clock forward by `ms`. A negative `ms` moves it back. */
  advance(ms: number): void;
}

/** Makes a clock that is `offset` milliseconds ahead of `base` until it is moved. */
export function createShiftedClock(base: Clock, offset = 0): ShiftedClock {
  let ahead = offset;
  let moved = new AbortController();
  const now = () => base.now() + ahead;
  return {
    now,
    monotonic: () => base.monotonic() + ahead,
    async sleep(ms, signal) {
      const end = now() + ms;
      while (now() < end) {
        await sleepUntilMoved(base, end - now(), { signal, moved: moved.signal });
      }
    },
    advance(ms) {
      ahead += ms;
      moved.abort();
      moved = new AbortController();
    },
  };
}

// Sleeps until the time is over, the clock moves, or `signal` aborts. Rejects only if `signal` aborts.
async function sleepUntilMoved(
  base: Clock,
  ms: number,
  stop: { signal: AbortSignal | undefined; moved: AbortSignal },
): Promise<void> {
  const { signal, moved } = stop;
  try {
    await base.sleep(ms, signal === undefined ? moved : AbortSignal.any([signal, moved]));
  } catch (error) {
    if (signal?.aborted || !moved.aborted) {
      throw error;
    }
  }
}
