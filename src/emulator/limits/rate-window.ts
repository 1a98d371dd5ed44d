/** One rate limit with a sliding window. Times are in milliseconds. */
export interface RateWindow {
  readonly limit: number;
  hasRoom(now: number): boolean;
  /** Counts one request, even if there is no room for it. */
  push(now: number): void;
  remaining(now: number): number;
  /**
   * For a log: milliseconds until `remaining` grows. For a weighted counter: milliseconds until the fixed window ends.
   * 0 if no request is counted.
   */
  resetIn(now: number): number;
  /** Milliseconds until there is room for one request, if no other request is counted before. */
  roomIn(now: number): number;
}

/**
 * A rate limit of the kind that the variant `rate_window` names: a log or a weighted counter. A limit of 0 never
 * refuses.
 */
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

/** A sliding window as a log: it stores the time of each counted request. */
function createLog(limit: number, windowMs: number): RateWindow {
  let taken: number[] = [];
  const dropOld = (now: number) => {
    // If the clock was set back, some times are in the future. They are dropped, because they would count for too long.
    taken = taken.filter((time) => time > now - windowMs && time <= now);
    return taken;
  };
  const resetIn = (now: number) => {
    // Refused requests may count too, so the log may have more than `limit` requests. `remaining` grows only once all
    // but `limit - 1` of them have left the window.
    const time = dropOld(now)[Math.max(0, taken.length - limit)];
    return time === undefined ? 0 : time + windowMs - now;
  };
  const hasRoom = (now: number) => dropOld(now).length < limit;
  return {
    limit,
    hasRoom,
    push(now) {
      taken.push(now);
    },
    remaining: (now) => Math.max(0, limit - dropOld(now).length),
    resetIn,
    roomIn: (now) => (hasRoom(now) ? 0 : resetIn(now)),
  };
}

/**
 * A sliding window as a weighted counter. It counts the requests of each fixed window. Of those in the previous fixed
 * window, it counts only the share that the sliding window still covers.
 */
function createWeightedCounter(limit: number, windowMs: number): RateWindow {
  let start = 0;
  let countBefore = 0;
  let count = 0;
  // Moves the fixed windows to `now`, and returns the weighted number of requests.
  const moveTo = (now: number) => {
    const current = Math.floor(now / windowMs) * windowMs;
    if (current !== start) {
      countBefore = current - start === windowMs ? count : 0;
      count = 0;
      start = current;
    }
    return countBefore * (1 - (now - start) / windowMs) + count;
  };
  const hasRoom = (now: number) => moveTo(now) + 1 <= limit;
  return {
    limit,
    hasRoom,
    push(now) {
      moveTo(now);
      count += 1;
    },
    remaining: (now) => Math.max(0, Math.floor(limit - moveTo(now))),
    resetIn(now) {
      const used = moveTo(now);
      return used === 0 ? 0 : start + windowMs - now;
    },
    roomIn(now) {
      if (hasRoom(now)) {
        return 0;
      }
      // Until this fixed window ends, only the weight of the previous window falls. If that does not make room, there
      // is room only in the next window.
      const free = limit - 1 - count;
      const time =
        free >= 0
          ? start + fadedAfter(countBefore, free, windowMs)
          : start + windowMs + fadedAfter(count, limit - 1, windowMs);
      return Math.ceil(time - now);
    },
  };
}

/**
 * The requests of a fixed window count less and less during the next window. Returns after how many milliseconds of
 * that next window `total` requests count for at most `weight`.
 */
function fadedAfter(total: number, weight: number, windowMs: number): number {
  return total <= weight ? 0 : windowMs * (1 - weight / total);
}
