/** One limit over a sliding window. Time comes in as milliseconds. */
export interface RateWindow {
  readonly limit: number;
  hasRoom(now: number): boolean;
  /** Counts one request, with or without room for it. */
  push(now: number): void;
  remaining(now: number): number;
  /** Milliseconds until `remaining` grows; 0 when the window is empty. */
  resetIn(now: number): number;
  /** Milliseconds until there is room for one request, if no other one comes. */
  roomIn(now: number): number;
}

/** A window of the given kind (variant `rate_window`); a limit of 0 never refuses. */
export function createRateWindow(kind: string, limit: number, windowMs: number): RateWindow {
  if (limit === 0) {
    return UNLIMITED;
  }
  return kind === 'weighted' ? createWeightedCounter(limit, windowMs) : createLog(limit, windowMs);
}

const MANY = 1_000_000;

const UNLIMITED: RateWindow = {
  limit: MANY,
  hasRoom: () => true,
  push: () => undefined,
  remaining: () => MANY,
  resetIn: () => 0,
  roomIn: () => 0,
};

/** Keeps the time of each counted request. */
function createLog(limit: number, windowMs: number): RateWindow {
  let taken: number[] = [];
  const current = (now: number) => {
    // After the clock was set back, future requests would count for longer than the window.
    taken = taken.filter((at) => at > now - windowMs && at <= now);
    return taken;
  };
  const resetIn = (now: number) => {
    // More requests than the limit may have been counted. All but `limit - 1` of them must leave the window first.
    const at = current(now)[Math.max(0, taken.length - limit)];
    return at === undefined ? 0 : at + windowMs - now;
  };
  const hasRoom = (now: number) => current(now).length < limit;
  return {
    limit,
    hasRoom,
    push(now) {
      taken.push(now);
    },
    remaining: (now) => Math.max(0, limit - current(now).length),
    resetIn,
    roomIn: (now) => (hasRoom(now) ? 0 : resetIn(now)),
  };
}

/**
 * Counts per fixed window. The previous window counts in proportion to its part that is still inside the sliding one.
 */
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
  const hasRoom = (now: number) => roll(now) + 1 <= limit;
  return {
    limit,
    hasRoom,
    push(now) {
      roll(now);
      count += 1;
    },
    remaining: (now) => Math.max(0, Math.floor(limit - roll(now))),
    resetIn(now) {
      const used = roll(now);
      return used === 0 ? 0 : start + windowMs - now;
    },
    roomIn(now) {
      if (hasRoom(now)) {
        return 0;
      }
      // Until this window ends, only the weight of the previous one falls. After that, its own weight falls.
      const free = limit - 1 - count;
      const at =
        free >= 0
          ? start + fadedAfter(before, free, windowMs)
          : start + windowMs + fadedAfter(count, limit - 1, windowMs);
      return Math.ceil(at - now);
    },
  };
}

/** The time into a window from which the `total` of the previous one weighs at most `weight`. */
function fadedAfter(total: number, weight: number, windowMs: number): number {
  return total <= weight ? 0 : windowMs * (1 - weight / total);
}
