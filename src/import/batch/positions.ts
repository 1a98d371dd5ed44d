/** Some people of a list, by position among its contacts: one bit each, in bytes that a thread can take. */
export type Positions = Uint8Array;

/** Positions of up to `most` people, none of them set. */
export function noPositions(most: number): Positions {
  return new Uint8Array(Math.ceil(most / BITS));
}

export function addPosition(positions: Positions, at: number): void {
  positions[at >> SHIFT] = (positions[at >> SHIFT] as number) | (1 << (at & (BITS - 1)));
}

/** The people of a list without those at `positions`. Every reading of a list gives its people the same positions. */
export async function* withoutPositions<T>(
  people: AsyncIterable<readonly T[]>,
  positions: Positions | undefined,
): AsyncGenerator<readonly T[]> {
  let at = 0;
  for await (const some of people) {
    const first = at;
    at += some.length;
    yield positions === undefined ? some : some.filter((_, index) => !hasPosition(positions, first + index));
  }
}

export function hasPosition(positions: Positions, at: number): boolean {
  return ((positions[at >> SHIFT] as number) & (1 << (at & (BITS - 1)))) !== 0;
}

const BITS = 8;
const SHIFT = 3;
