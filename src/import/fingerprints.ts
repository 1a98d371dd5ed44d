import { createHash64 } from './hash64.ts';

/** A set of 64-bit fingerprints: 8 bytes a slot, open addressing. A hit is a hint, a miss is certain. */
export interface Fingerprints {
  /** Adds the fingerprint of a text; true when it was there before. */
  add(text: string): boolean;
  has(text: string): boolean;
  readonly size: number;
}

/**
 * A table keyed by `seed` (16 hex digits). Two 32-bit hashes of one family would not be 64 bits, and an
 * unkeyed hash could be collided on purpose: hence hash64.
 */
export function createFingerprints(seed: string): Fingerprints {
  const hash = createHash64(seed);
  const out = new Int32Array(2);
  let table = new Int32Array(2 * 1024);
  let size = 0;

  const insert = (low: number, high: number): boolean => {
    const at = slotOf(table, low, high);
    const found = table[at] !== 0 || table[at + 1] !== 0;
    table[at] = low;
    table[at + 1] = high;
    return found;
  };
  const grow = () => {
    const old = table;
    table = new Int32Array(old.length * 2);
    for (let i = 0; i < old.length; i += 2) {
      if (old[i] !== 0 || old[i + 1] !== 0) {
        insert(old[i] as number, old[i + 1] as number);
      }
    }
  };

  return {
    get size() {
      return size;
    },
    has(text) {
      if (size === 0) {
        return false;
      }
      hash(text, out);
      const at = slotOf(table, out[0] as number, out[1] as number);
      return table[at] !== 0 || table[at + 1] !== 0;
    },
    add(text) {
      hash(text, out);
      const found = insert(out[0] as number, out[1] as number);
      if (!found && ++size * 3 > table.length) {
        grow();
      }
      return found;
    },
  };
}

function slotOf(table: Int32Array, low: number, high: number): number {
  const mask = table.length - 1;
  let at = (low << 1) & mask;
  while ((table[at] !== 0 || table[at + 1] !== 0) && (table[at] !== low || table[at + 1] !== high)) {
    at = (at + 2) & mask;
  }
  return at;
}
