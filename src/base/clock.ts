/** The only source of time. Everything that waits, waits here; tests put in a clock that they move by hand. */
export interface Clock {
  /** Whole milliseconds since the Unix epoch. */
  now(): number;
  /** Resolves after `ms`, or rejects with the signal's reason once it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

// A longer delay than this fires at once in Node, so long sleeps are cut in slices (rule P4).
const LONGEST_TIMER_MS = 2 ** 30;

/**
 * The machine's own clock, or one that starts now and runs `speed` times as fast. Sleeping keeps the process alive.
 */
export function createSystemClock(speed = 1): Clock {
  const start = Date.now();
  return {
    now: () => (speed === 1 ? Date.now() : Math.floor(start + (Date.now() - start) * speed)),
    async sleep(ms, signal) {
      for (let left = ms / speed; left > 0; left -= LONGEST_TIMER_MS) {
        await timer(Math.min(left, LONGEST_TIMER_MS), signal);
      }
    },
  };
}

function timer(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const done = () => {
      signal?.removeEventListener('abort', stop);
      resolve();
    };
    const handle = setTimeout(done, ms);
    const stop = () => {
      clearTimeout(handle);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', stop, { once: true });
  });
}
