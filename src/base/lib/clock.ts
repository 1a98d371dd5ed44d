/** The only source of time. Everything that waits, waits here; tests put in a clock that they move by hand. */
export interface Clock {
  /** Whole milliseconds since the Unix epoch: the wall clock, for dates. A person or a time server may set it at any moment. */
  now(): number;
  /**
   * Milliseconds since a moment that means nothing, for everything that is waited for or measured. Never goes back, and
   * setting the wall clock doesn't change it; it may stand still while the machine is suspended (P7).
   */
  monotonic(): number;
  /**
   * Resolves after `ms`, or rejects with the signal's reason once it aborts. A sleep in the `background` doesn't keep the
   * process alive, and a manual clock doesn't move for it.
   */
  sleep(ms: number, signal?: AbortSignal, background?: boolean): Promise<void>;
}

// A longer delay than this fires at once in Node, so long sleeps are cut in slices (rule P4).
const LONGEST_TIMER_MS = 2 ** 30;

/**
 * The machine's own clock, or one that starts now and runs `speed` times as fast. Sleeping keeps the process alive.
 */
export function createSystemClock(speed = 1): Clock {
  const start = Date.now();
  const startMonotonic = performance.now();
  return {
    now: () => (speed === 1 ? Date.now() : Math.floor(start + (Date.now() - start) * speed)),
    monotonic: () => startMonotonic + (performance.now() - startMonotonic) * speed,
    async sleep(ms, signal, background) {
      for (let left = ms / speed; left > 0; left -= LONGEST_TIMER_MS) {
        await timer(Math.min(left, LONGEST_TIMER_MS), signal, background);
      }
    },
  };
}

/**
 * Starts to measure a time after which something is not safe any more. Milliseconds, by the clock on which more has passed:
 * the monotonic one stops in a suspended machine, and the wall clock may be set back (P7).
 */
export function timeSince(clock: Clock): () => number {
  const start = { now: clock.now(), monotonic: clock.monotonic() };
  return () => Math.max(clock.monotonic() - start.monotonic, clock.now() - start.now);
}

function timer(ms: number, signal?: AbortSignal, background = false): Promise<void> {
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
    if (background) {
      handle.unref();
    }
    const stop = () => {
      clearTimeout(handle);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', stop, { once: true });
  });
}
