/** Hashes a text into two words; never both zero, because zero marks an empty slot. */
export type Hash64 = (text: string, out: Int32Array) => void;

/** HalfSipHash-2-4-64 keyed by 16 hex digits, over the text's Latin-1 bytes, or over its UTF-16 units where it has wider ones. */
export function createHash64(seed: string): Hash64 {
  const k0 = Number.parseInt(seed.slice(0, 8).padEnd(8, '0'), 16) | 0;
  const k1 = Number.parseInt(seed.slice(8, 16).padEnd(8, '0'), 16) | 0;
  const key = [k0, k1] as const;
  return (text, out) => {
    halfSipHash(text, key, out);
    if (out[0] === 0 && out[1] === 0) {
      out[1] = 1;
    }
  };
}

// One loop for words and finalization, so that the rounds are written once and stay in registers: in its last four
// turns the word is zero, which changes nothing.
function halfSipHash(text: string, [k0, k1]: readonly [number, number], out: Int32Array): void {
  const bits = isNarrow(text) ? 8 : 16;
  const last = (text.length * bits) >>> 5;
  let v0 = k0;
  let v1 = k1 ^ 0xee;
  // Wide texts live in a family of their own: their bytes could be those of a narrow one.
  let v2 = 0x6c796765 ^ k0 ^ (bits === 16 ? 0xff : 0);
  let v3 = 0x74656462 ^ k1;
  for (let turn = 0; turn <= last + 4; turn++) {
    const word = turn > last ? 0 : wordAt(text, turn, bits);
    v2 ^= turn === last + 1 ? 0xee : 0;
    if (turn === last + 3) {
      out[0] = v1 ^ v3;
      v1 ^= 0xdd;
    }
    v3 ^= word;
    for (let round = 0; round < 2; round++) {
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
    }
    v0 ^= word;
  }
  out[1] = v1 ^ v3;
}

function isNarrow(text: string): boolean {
  let seen = 0;
  for (let i = 0; i < text.length; i++) {
    seen |= text.charCodeAt(i);
  }
  return seen <= 0xff;
}

// The closing word carries what is left and, in its top byte, the length in bytes.
function wordAt(text: string, index: number, bits: number): number {
  const first = index * 4;
  if (bits === 8 && first + 4 <= text.length) {
    const low = text.charCodeAt(first) | (text.charCodeAt(first + 1) << 8);
    return low | (text.charCodeAt(first + 2) << 16) | (text.charCodeAt(first + 3) << 24);
  }
  const units = 32 / bits;
  const from = index * units;
  const closing = from + units > text.length;
  const to = closing ? text.length : from + units;
  let word = closing ? ((text.length * bits) / 8) << 24 : 0;
  for (let i = from; i < to; i++) {
    word |= text.charCodeAt(i) << ((i - from) * bits);
  }
  return word;
}
