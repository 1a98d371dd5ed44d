/** A set of whole numbers from 0. It takes one bit for each number up to the largest one. */
export interface BitSet {
  add(value: number): void;
  has(value: number): boolean;
  /** The set as plain bytes for `hasBit`, so that it can be sent to a thread. */
  bytes(): Uint8Array;
}

/** Makes a set. `first` are the bytes of its first numbers. */
export function createBitSet(first = new Uint8Array(1_024)): BitSet {
  let bits = first;
  return {
    add: (value) => {
      if (value >> SHIFT >= bits.length) {
        const larger = new Uint8Array(2 * (value >> SHIFT) + 1);
        larger.set(bits);
        bits = larger;
      }
      addBit(bits, value);
    },
    has: (value) => hasBit(bits, value),
    bytes: () => bits,
  };
}

const BITS = 8;
const SHIFT = 3;

/** The bytes of an empty set for numbers below `end`. */
export function emptyBits(end: number): Uint8Array {
  return new Uint8Array(Math.ceil(end / BITS));
}

/** Adds a number to the bytes of a set. The bytes must have room for the bit of this number. */
export function addBit(bits: Uint8Array, value: number): void {
  bits[value >> SHIFT] = (bits[value >> SHIFT] as number) | (1 << (value & (BITS - 1)));
}

/** True if the bytes of a set contain this number. */
export function hasBit(bits: Uint8Array, value: number): boolean {
  return ((bits[value >> SHIFT] ?? 0) & (1 << (value & (BITS - 1)))) !== 0;
}

/**
 * A set of contacts of a list, by their position among the contacts. The set is the bytes of a bit set, so that svc can
 * send it to a thread. A list gives each person the same position each time it is read.
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
