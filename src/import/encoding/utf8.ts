/** The length in bytes of the valid UTF-8 sequence at `position`. 0 if it is invalid or cut off at the end. */
export function sequenceLength(bytes: Buffer, position: number): number {
  const first = bytes[position] ?? 0;
  if (first < 0x80) {
    return 1;
  }
  const length = lengthByLead(first);
  if (length === 0 || position + length > bytes.length || !isSecond(first, bytes[position + 1] ?? 0)) {
    return 0;
  }
  return bytes.subarray(position + 2, position + length).every((byte) => byte >> 6 === 2) ? length : 0;
}

/** The number of bytes at the end that belong to an incomplete UTF-8 sequence, from 0 to 3. */
export function incompleteTailLength(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte >> 6 !== 2) {
      return lengthByLead(byte) > back ? back : 0;
    }
  }
  return 0;
}

/** The index of the first byte that is not UTF-8. The length if all bytes are valid. */
export function findBadByte(bytes: Buffer): number {
  let position = 0;
  while (position < bytes.length) {
    const length = sequenceLength(bytes, position);
    if (length === 0) {
      return position;
    }
    position += length;
  }
  return position;
}

// The value for all letters of four bytes. It is half of a surrogate pair, so no letter of two or three bytes has it.
const SURROGATE = 0xd800;

/**
 * The UTF-16 code unit of the letter at `position`, which must be beyond ASCII. `SURROGATE` for a letter of four bytes.
 */
export function codeUnitAt(bytes: Uint8Array, position: number): number {
  const first = bytes[position] as number;
  const second = (bytes[position + 1] as number) & 0x3f;
  if (first < 0xe0) {
    return ((first & 0x1f) << 6) | second;
  }
  return first < 0xf0 ? ((first & 0x0f) << 12) | (second << 6) | ((bytes[position + 2] as number) & 0x3f) : SURROGATE;
}

/** The number of bytes of a letter beyond ASCII, given its first byte. */
export function letterSize(first: number): number {
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

function lengthByLead(byte: number): number {
  if (byte >= 0xc2 && byte <= 0xdf) {
    return 2;
  }
  if (byte >= 0xe0 && byte <= 0xef) {
    return 3;
  }
  return byte >= 0xf0 && byte <= 0xf4 ? 4 : 0;
}

// True if the byte `second` may follow the byte `first`. False for overlong forms, surrogates, and code points above
// U+10FFFF (Unicode, table 3-7).
function isSecond(first: number, second: number): boolean {
  const [low, high] = SECOND.get(first) ?? [0x80, 0xbf];
  return second >= low && second <= high;
}

const SECOND: ReadonlyMap<number, readonly [number, number]> = new Map([
  [0xe0, [0xa0, 0xbf]],
  [0xed, [0x80, 0x9f]],
  [0xf0, [0x90, 0xbf]],
  [0xf4, [0x80, 0x8f]],
]);
