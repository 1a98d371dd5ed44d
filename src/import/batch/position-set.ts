import { hasBit } from '../../base/lib/bit-set.ts';

/**
 * A set of contacts of a list, by their position among the contacts: the bytes of a bit set, so that it can be sent to
 * a thread. A list gives each person the same position each time it is read.
 */
export type PositionSet = Uint8Array;

/** Yields the people whose position is not in `positions`. */
export async function* withoutPositions<T>(
  people: AsyncIterable<readonly T[]>,
  positions: PositionSet | undefined,
): AsyncGenerator<readonly T[]> {
  let position = 0;
  for await (const part of people) {
    const first = position;
    position += part.length;
    yield positions === undefined ? part : part.filter((_, index) => !hasBit(positions, first + index));
  }
}
