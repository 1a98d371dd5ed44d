import iconv from 'iconv-lite';

/** Text in UTF-8. The next call overwrites the bytes. */
interface Utf8Text {
  readonly bytes: Buffer;
  /** The first byte that means no letter in the encoding. The text ends before it. */
  readonly badByte: number | undefined;
}

/**
 * Makes a function that turns bytes of a single-byte encoding into UTF-8. Undefined for any other encoding. svc takes
 * the letters from iconv-lite, but converts the bytes itself. iconv-lite would take ten times as long, and allocate two
 * large buffers for each call.
 */
export function createSingleByteReader(encoding: string): ((bytes: Buffer) => Utf8Text) | undefined {
  const letters = lettersOf(encoding);
  return letters === undefined ? undefined : createTableReader(Int32Array.from(letters, packedUtf8));
}

const ALL_BYTES = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));

// The letter of each byte. Undefined for an encoding with letters of several bytes: there, some neighbors in
// `ALL_BYTES` decode to one letter, or to other letters if their order is reversed.
function lettersOf(encoding: string): string | undefined {
  const letters = iconv.decode(ALL_BYTES, encoding, { stripBOM: false });
  const backwards = iconv.decode(Buffer.from(ALL_BYTES).reverse(), encoding, { stripBOM: false });
  const isSingleByte = letters.length === ALL_BYTES.length && [...letters].reverse().join('') === backwards;
  return isSingleByte ? letters : undefined;
}

/** iconv-lite decodes a byte that means no letter as U+FFFD. */
const NO_LETTER = '\ufffd';
const BAD = -1;

// The bytes of a letter in UTF-8 as one number. The last byte is in the lowest bits.
function packedUtf8(letter: string): number {
  return letter === NO_LETTER ? BAD : Buffer.from(letter).reduce((packed, byte) => packed * 256 + byte, 0);
}

/** A letter of a single-byte encoding has at most three bytes in UTF-8. */
const LONGEST = 3;

function createTableReader(table: Int32Array): (bytes: Buffer) => Utf8Text {
  let target = Buffer.allocUnsafe(0);
  return (bytes) => {
    if (target.length < LONGEST * bytes.length) {
      target = Buffer.allocUnsafe(LONGEST * bytes.length);
    }
    let length = 0;
    for (let position = 0; position < bytes.length; position++) {
      const letter = table[bytes[position] as number] as number;
      if (letter === BAD) {
        return { bytes: target.subarray(0, length), badByte: bytes[position] };
      }
      if (letter > 0xffff) {
        target[length++] = letter >> 16;
      }
      if (letter > 0xff) {
        target[length++] = letter >> 8;
      }
      target[length++] = letter;
    }
    return { bytes: target.subarray(0, length), badByte: undefined };
  };
}
