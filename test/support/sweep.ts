/**
 * Sweeps try one thing at every place: each kill, each failing call, each pair of commands. `npm test` tries a part of
 * the places, so that it stays short. `npm run sweeps` tries all of them.
 */
/** True if tests should try all places, however long that takes. */
export const IS_FULL = process.env.SVC_SWEEPS === 'full';

/** The distance between two places of a sweep. A full sweep has a distance of its own, unless it tries every place. */
export function stepOf(step: number, fullStep = 1): number {
  return IS_FULL ? fullStep : step;
}

/** Every n-th item, beginning with the given one. A full sweep has all items. */
export function everyNth<T>(items: readonly T[], step: number, first = 0): T[] {
  return items.filter((_, index) => index % stepOf(step) === first % stepOf(step));
}
