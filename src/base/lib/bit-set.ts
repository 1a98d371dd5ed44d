/** A set of whole numbers from 0. It takes one bit for each number up to the largest one. */
export interface BitSet {
  add(value: number): void;
  has(value: number): boolean;
}

export function createBitSet(): BitSet {
  let bits = new Uint8Array(1_024);
  return {
    add: (value) => {
      if (value >> 3 >= bits.length) {
        const larger = new Uint8Array(2 * (value >> 3) + 1);
        larger.set(bits);
        bits = larger;
      }
      bits[value >> 3]! |= 1 << (value & 7);
    },
    has: (value) => ((bits[value >> 3] ?? 0) & (1 << (value & 7))) !== 0,
  };
}
