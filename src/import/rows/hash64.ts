/**
 * Hashes a text into the two 32-bit words of `out`. They are never both zero, because zeros mark an empty slot of the
 * address hash set.
 */
interface Hash64 {
  text(text: string, out: Int32Array): void;
  /** Hashes ASCII bytes. The result equals that of `text` for the same characters. */
  ascii(bytes: Uint8Array, start: number, end: number, out: Int32Array): void;
}

/**
 * Makes the hash HalfSipHash-2-4-64, with the first 16 hex digits of `seed` as its key. A text of Latin-1 characters is
 * hashed as Latin-1 bytes, any other text as UTF-16 code units.
 */
export function createHash64(seed: string): Hash64 {
  const k0 = Number.parseInt(seed.slice(0, 8).padEnd(8, '0'), 16) | 0;
  const k1 = Number.parseInt(seed.slice(8, 16).padEnd(8, '0'), 16) | 0;
  let packed: PackedText = { words: new Int32Array(64), count: 0, wide: 0 };
  const makeRoom = (length: number) => {
    if (length >= packed.words.length) {
      packed = { words: new Int32Array(2 * length), count: 0, wide: 0 };
    }
  };
  const finish = (out: Int32Array) => {
    halfSipHash(packed, { k0, k1 }, out);
    if (out[0] === 0 && out[1] === 0) {
      out[1] = 1;
    }
  };
  return {
    text: (text, out) => {
      makeRoom(text.length);
      if (!packNarrow(text, packed)) {
        packWide(text, packed);
      }
      finish(out);
    },
    ascii: (bytes, start, end, out) => {
      makeRoom(end - start);
      packAscii(bytes, start, end, packed);
      finish(out);
    },
  };
}

/** A text as words of four bytes. The last word has the remaining bytes, and the length in its top byte. */
interface PackedText {
  readonly words: Int32Array;
  count: number;
  /** Not 0 for a text in UTF-16. So its hash differs from that of a Latin-1 text with the same bytes. */
  wide: number;
}

/** Packs a Latin-1 text. Returns false if a character needs more than a byte; then `packed` is not valid. */
function packNarrow(text: string, packed: PackedText): boolean {
  const { words } = packed;
  const whole = text.length >> 2;
  let usedBits = 0;
  let position = 0;
  for (let index = 0; index < whole; index++, position += 4) {
    const first = text.charCodeAt(position);
    const second = text.charCodeAt(position + 1);
    const third = text.charCodeAt(position + 2);
    const fourth = text.charCodeAt(position + 3);
    usedBits |= first | second | third | fourth;
    words[index] = first | (second << 8) | (third << 16) | (fourth << 24);
  }
  let closing = text.length << 24;
  for (let shift = 0; position < text.length; position++, shift += 8) {
    usedBits |= text.charCodeAt(position);
    closing |= text.charCodeAt(position) << shift;
  }
  words[whole] = closing;
  packed.count = whole + 1;
  packed.wide = 0;
  return usedBits <= 0xff;
}

function packAscii(bytes: Uint8Array, start: number, end: number, packed: PackedText): void {
  const { words } = packed;
  const whole = (end - start) >> 2;
  let position = start;
  for (let index = 0; index < whole; index++, position += 4) {
    const [first, second] = [bytes[position] as number, bytes[position + 1] as number];
    words[index] =
      first | (second << 8) | ((bytes[position + 2] as number) << 16) | ((bytes[position + 3] as number) << 24);
  }
  let closing = (end - start) << 24;
  for (let shift = 0; position < end; position++, shift += 8) {
    closing |= (bytes[position] as number) << shift;
  }
  words[whole] = closing;
  packed.count = whole + 1;
  packed.wide = 0;
}

function packWide(text: string, packed: PackedText): void {
  const { words } = packed;
  const whole = text.length >> 1;
  for (let index = 0; index < whole; index++) {
    words[index] = text.charCodeAt(2 * index) | (text.charCodeAt(2 * index + 1) << 16);
  }
  const lastUnit = text.length > 2 * whole ? text.charCodeAt(2 * whole) : 0;
  words[whole] = (text.length << 25) | lastUnit;
  packed.count = whole + 1;
  packed.wide = 0xff;
}

interface Key {
  readonly k0: number;
  readonly k1: number;
}

// The rounds for the words and the final rounds share one loop, which is faster, because V8 then keeps the state in
// registers. In the last four turns the word is 0, which changes nothing.
function halfSipHash({ words, count, wide }: PackedText, { k0, k1 }: Key, out: Int32Array): void {
  let v0 = k0;
  let v1 = k1 ^ 0xee;
  let v2 = 0x6c796765 ^ k0 ^ wide;
  let v3 = 0x74656462 ^ k1;
  for (let turn = 0; turn < count + 4; turn++) {
    const word = turn < count ? (words[turn] as number) : 0;
    v2 ^= turn === count ? 0xee : 0;
    if (turn === count + 2) {
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
