/** The only source of time, and the only way to wait. So tests can use a clock that they move by hand. */
export interface Clock {
  /**
   * The wall clock, in whole milliseconds since the Unix epoch. Use it for dates. A person or a time server may set it
   * at any moment.
   */
  now(): number;
  /**
   * The monotonic clock, in milliseconds since an arbitrary moment. Use it to measure and to wait. It never goes back,
   * even if the wall clock is set. It may stop while the machine sleeps (P7).
   */
  monotonic(): number;
  /**
   * Resolves after `ms` milliseconds. Rejects with the reason of the signal if it aborts. A sleep in the background
   * does not keep the process alive, and does not move the manual clock of tests.
   */
  sleep(ms: number, signal?: AbortSignal, inBackground?: boolean): Promise<void>;
}

// Node ends a timer of more than 2^31 ms at once, so a longer sleep is divided into several (P4).
const LONGEST_TIMER_MS = 2 ** 30;

/**
 * The clock of the machine. If `speed` is not 1, it starts at the time of the machine and runs that many times as fast.
 */
export function createSystemClock(speed = 1): Clock {
  const start = Date.now();
  const startMonotonic = performance.now();
  return {
    now: () => (speed === 1 ? Date.now() : Math.floor(start + (Date.now() - start) * speed)),
    monotonic: () => startMonotonic + (performance.now() - startMonotonic) * speed,
    async sleep(ms, signal, inBackground) {
      for (let msLeft = ms / speed; msLeft > 0; msLeft -= LONGEST_TIMER_MS) {
        await timer(Math.min(msLeft, LONGEST_TIMER_MS), signal, inBackground);
      }
    },
  };
}

/**
 * Returns a function that gives the milliseconds since this call. It measures with the monotonic clock and with the
 * wall clock, and takes the larger result. The monotonic clock stops while the machine sleeps, and the wall clock may
 * be set back (P7).
 */
export function startStopwatch(clock: Clock): () => number {
  const start = { now: clock.now(), monotonic: clock.monotonic() };
  return () => Math.max(clock.monotonic() - start.monotonic, clock.now() - start.now);
}

function timer(ms: number, signal?: AbortSignal, inBackground = false): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const finish = () => {
      signal?.removeEventListener('abort', stop);
      resolve();
    };
    const handle = setTimeout(finish, ms);
    if (inBackground) {
      handle.unref();
    }
    const stop = () => {
      clearTimeout(handle);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** Sleeps that can end early: all of them at `wakeAll`, one of them if its signal aborts. */
export interface Sleepers {
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  wakeAll(): void;
}

export function createSleepers(clock: Clock): Sleepers {
  const sleepers = new Set<() => void>();
  return {
    async sleep(ms, signal) {
      const waker = new AbortController();
      const wake = () => waker.abort();
      sleepers.add(wake);
      signal?.addEventListener('abort', wake, { once: true });
      try {
        await clock.sleep(ms, waker.signal);
      } catch (error) {
        if (!waker.signal.aborted) {
          throw error;
        }
      } finally {
        sleepers.delete(wake);
        signal?.removeEventListener('abort', wake);
      }
    },
    wakeAll() {
      for (const wake of sleepers) {
        wake();
      }
    },
  };
}

/** True if two timestamps mean the same moment, even if they are written in different forms. */
export function isSameInstant(one: string, other: string): boolean {
  return one === other || Date.parse(one) === Date.parse(other);
}
