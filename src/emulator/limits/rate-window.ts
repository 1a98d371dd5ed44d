/** One limit over a sliding window. Time comes in as milliseconds. */
export interface RateWindow {
  readonly limit: number;
  /** Counts one request if there is room for it. */
  take(now: number): boolean;
  /** Counts one request, room or not. */
  push(now: number): void;
  remaining(now: number): number;
  /** Milliseconds until `remaining` grows; 0 when the window is empty. */
  resetIn(now: number): number;
}

/** A window of the given kind (variant `rate_window`); a limit of 0 never refuses. */
export function createRateWindow(kind: string, limit: number, windowMs: number): RateWindow {
  if (limit === 0) {
    return { limit: UNLIMITED, take: () => true, push: () => {}, remaining: () => UNLIMITED, resetIn: () => 0 };
  }
  return kind === 'weighted' ? createWeightedCounter(limit, windowMs) : createLog(limit, windowMs);
}

const UNLIMITED = 1_000_000;

/** Keeps the time of each accepted request. */
function createLog(limit: number, windowMs: number): RateWindow {
  let taken: number[] = [];
  const current = (now: number) => {
    // A clock set back would otherwise keep requests of the future for longer than the window.
    taken = taken.filter((at) => at > now - windowMs && at <= now);
    return taken;
  };
  return {
    limit,
    take(now) {
      const room = current(now).length < limit;
      if (room) {
        taken.push(now);
      }
      return room;
    },
    push(now) {
      taken.push(now);
    },
    remaining: (now) => Math.max(0, limit - current(now).length),
    resetIn(now) {
      // Past the limit, the surplus must leave the window first.
      const at = current(now)[Math.max(0, taken.length - limit)];
      return at === undefined ? 0 : at + windowMs - now;
    },
  };
}

/** Counts per fixed window. The window before counts by the part of it that is still inside the sliding one. */
function createWeightedCounter(limit: number, windowMs: number): RateWindow {
  let start = 0;
  let before = 0;
  let count = 0;
  const roll = (now: number) => {
    const current = Math.floor(now / windowMs) * windowMs;
    if (current !== start) {
      before = current - start === windowMs ? count : 0;
      count = 0;
      start = current;
    }
    return before * (1 - (now - start) / windowMs) + count;
  };
  return {
    limit,
    take(now) {
      const room = roll(now) + 1 <= limit;
      count += room ? 1 : 0;
      return room;
    },
    push(now) {
      roll(now);
      count += 1;
    },
    remaining: (now) => Math.max(0, Math.floor(limit - roll(now))),
    resetIn(now) {
      const used = roll(now);
      return used === 0 ? 0 : start + windowMs - now;
    },
  };
}
