/**
 * A set of contacts of a list, by their position among the contacts: one bit for each. It is plain bytes, so it can be
 * sent to a thread.
 */
export type PositionSet = Uint8Array;

/** An empty set for up to `maxContacts` contacts. */
export function createPositionSet(maxContacts: number): PositionSet {
  return new Uint8Array(Math.ceil(maxContacts / BITS));
}

/** Adds the contact at `position` to the set. */
export function addPosition(positions: PositionSet, position: number): void {
  positions[position >> SHIFT] = (positions[position >> SHIFT] as number) | (1 << (position & (BITS - 1)));
}

/**
 * Yields the people whose position is not in `positions`. A list gives each person the same position each time it is
 * read.
 */
export async function* withoutPositions<T>(
  people: AsyncIterable<readonly T[]>,
  positions: PositionSet | undefined,
): AsyncGenerator<readonly T[]> {
  let position = 0;
  for await (const part of people) {
    const first = position;
    position += part.length;
    yield positions === undefined ? part : part.filter((_, index) => !hasPosition(positions, first + index));
  }
}

/** True if the set has the contact at `position`. */
export function hasPosition(positions: PositionSet, position: number): boolean {
  return ((positions[position >> SHIFT] as number) & (1 << (position & (BITS - 1)))) !== 0;
}

const BITS = 8;
const SHIFT = 3;
