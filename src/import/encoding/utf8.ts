/** Length of the well-formed UTF-8 sequence at `at`; 0 where there is none, or where the end cuts it off. */
export function sequenceLength(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) {
    return 1;
  }
  const length = lengthByLead(first);
  if (length === 0 || at + length > bytes.length || !isSecond(first, bytes[at + 1] ?? 0)) {
    return 0;
  }
  return bytes.subarray(at + 2, at + length).every((byte) => byte >> 6 === 2) ? length : 0;
}

/** The number of bytes at the end that belong to an incomplete sequence. */
export function cutTail(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte >> 6 !== 2) {
      return lengthByLead(byte) > back ? back : 0;
    }
  }
  return 0;
}

/** Index of the first byte that isn't UTF-8; the length where all bytes are. */
export function firstBadByte(bytes: Buffer): number {
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    if (length === 0) {
      return at;
    }
    at += length;
  }
  return at;
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

// The second byte shows overlong forms, surrogates and code points beyond U+10FFFF (Unicode, table 3-7).
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
