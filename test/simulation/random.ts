/** Seeded random numbers, equal on every machine. */
export interface Random {
  /** From 0 to below 1. */
  next(): number;
  /** A whole number from `low` to `high`, both included. */
  int(low: number, high: number): number;
  /** True with this probability. */
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** Lower-case hex. */
  hex(length: number): string;
  /** An independent random source. It doesn't depend on later calls of this one. */
  fork(): Random;
}

/** mulberry32, with the helpers of the scenarios. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    int,
    chance: (probability) => next() < probability,
    pick: (items) => {
      const item = items[int(0, items.length - 1)];
      if (item === undefined) {
        throw new RangeError('nothing to pick from');
      }
      return item;
    },
    hex: (length) => Array.from({ length }, () => int(0, 15).toString(16)).join(''),
    fork: () => createRandom(int(0, 2 ** 31)),
  };
}
