/** A set of 64-bit fingerprints: 8 bytes a slot, open addressing. A hit is a hint, a miss is certain. */
export interface Fingerprints {
  /** Adds the fingerprint of a text; true when it was there before. */
  add(text: string): boolean;
  has(text: string): boolean;
  readonly size: number;
}

/**
 * A table keyed by `seed` (16 hex digits). The hash is HalfSipHash-2-4 with 64 bits of output over UTF-16 units: two
 * 32-bit hashes of one family are not 64 bits, and an unkeyed hash can be collided on purpose.
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

/** Hashes a text into two words; never both zero, because zero marks an empty slot. */
export type Hash64 = (text: string, out: Int32Array) => void;

/** HalfSipHash-2-4-64 keyed by 16 hex digits; a 32-bit word holds two UTF-16 units. */
export function createHash64(seed: string): Hash64 {
  const k0 = Number.parseInt(seed.slice(0, 8).padEnd(8, '0'), 16) | 0;
  const k1 = Number.parseInt(seed.slice(8, 16).padEnd(8, '0'), 16) | 0;
  return (text, out) => {
    halfSipHash(text, [k0, k1], out);
    if (out[0] === 0 && out[1] === 0) {
      out[1] = 1;
    }
  };
}

function halfSipHash(text: string, key: readonly [number, number], out: Int32Array): void {
  let v0 = key[0];
  let v1 = key[1] ^ 0xee;
  let v2 = 0x6c796765 ^ key[0];
  let v3 = 0x74656462 ^ key[1];
  const round = () => {
    v0 = (v0 + v1) | 0;
    v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
    v0 = (v0 << 16) | (v0 >>> 16);
    v2 = (v2 + v3) | 0;
    v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
    v0 = (v0 + v3) | 0;
    v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
    v2 = (v2 + v1) | 0;
    v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
    v2 = (v2 << 16) | (v2 >>> 16);
  };
  const absorb = (word: number) => {
    v3 ^= word;
    round();
    round();
    v0 ^= word;
  };
  const length = text.length;
  for (let i = 0; i + 1 < length; i += 2) {
    absorb(text.charCodeAt(i) | (text.charCodeAt(i + 1) << 16));
  }
  // The closing word carries the length, so that a text and its padded twin differ.
  absorb((length % 2 === 1 ? text.charCodeAt(length - 1) : 0) | (length << 16));
  v2 ^= 0xee;
  round();
  round();
  round();
  round();
  out[0] = v1 ^ v3;
  v1 ^= 0xdd;
  round();
  round();
  round();
  round();
  out[1] = v1 ^ v3;
}
