import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import { findBadByte, incompleteTailLength } from './utf8.ts';

/** Decoded text. If `badBytes` is set, the bytes after the text are invalid in the encoding, and reading must stop. */
export interface DecodedText {
  readonly text: string;
  /** The first invalid bytes in words for messages, such as `byte 0xE9`. */
  readonly badBytes?: string | undefined;
  /**
   * True if the text certainly has no NUL and no unpaired surrogate. Checking this on the bytes is much faster than on
   * the text.
   */
  readonly isClean?: true;
  /**
   * The bytes of the text, if they are UTF-8 and end with LF. The next call overwrites them. `text` is made from these
   * bytes when it is first used, so use it before the next call too.
   */
  readonly lines?: Buffer | undefined;
}

/** Turns bytes into text without correcting anything. A byte order mark stays in the text as U+FEFF. */
interface Decoder {
  write(bytes: Buffer): DecodedText;
  end(): DecodedText;
}

/** Makes a decoder that reports invalid bytes. `encoding` is a name from `canonicalEncodingName`. */
export function createDecoder(encoding: string): Decoder {
  if (encoding === 'utf-8') {
    return createUtf8Decoder();
  }
  return /^utf-(16|32)/.test(encoding) ? createUnitDecoder(encoding) : createLegacyDecoder(encoding);
}

const LF = 10;

// Makes the decoder of UTF-8. Each text ends at a line ending if it has one, so that few rows begin in one text and end
// in the next: joining two texts would take a quarter of the time of a row.
function createUtf8Decoder(): Decoder {
  // All calls share one buffer, because V8 collects all garbage whenever many large buffers were allocated.
  let buffer: Buffer = Buffer.allocUnsafe(0);
  let tail = buffer;
  const joinTail = (bytes: Buffer): Buffer => {
    const length = tail.length + bytes.length;
    const target = length > buffer.length ? Buffer.allocUnsafe(2 * length) : buffer;
    target.set(tail);
    target.set(bytes, tail.length);
    buffer = target;
    return target.subarray(0, length);
  };
  return {
    write(bytes) {
      const all = joinTail(bytes);
      const whole = all.subarray(0, all.lastIndexOf(LF) + 1 || all.length - incompleteTailLength(all));
      if (!isUtf8(whole)) {
        return textBeforeBadByte(whole, findBadByte(whole));
      }
      tail = all.subarray(whole.length);
      return toText(whole);
    },
    end: () => (isUtf8(tail) ? toText(tail) : textBeforeBadByte(tail, findBadByte(tail))),
  };
}

function toText(bytes: Buffer): DecodedText {
  if (bytes.includes(0)) {
    return textBeforeUtf16(bytes.toString());
  }
  return {
    // The text is made only when it is used, because most rows are read from the bytes.
    get text() {
      return bytes.toString();
    },
    isClean: true,
    lines: bytes.at(-1) === LF ? bytes : undefined,
  };
}

// Makes the decoder of UTF-16 and UTF-32. iconv-lite drops an incomplete character at the end without an error, so this
// decoder checks the length.
function createUnitDecoder(encoding: string): Decoder {
  const decoder = iconv.getDecoder(encoding, { stripBOM: false });
  const unit = encoding.startsWith('utf-16') ? 2 : 4;
  const findJoin = createJoinFinder();
  let length = 0;
  return {
    write(bytes) {
      length += bytes.length;
      const position = findJoin(bytes);
      return position === undefined
        ? textBeforeShift(decoder.write(bytes))
        : { text: decoder.write(bytes.subarray(0, position)), badBytes: 'text with one byte per letter' };
    },
    end: () => ({
      text: length % unit === 0 ? (decoder.end() ?? '') : '',
      badBytes: length % unit === 0 ? undefined : `an incomplete character at the end of the file`,
    }),
  };
}

const MIN_APPENDED_LENGTH = 48;

// Finds the place where a file in a one-byte encoding was appended to a file in UTF-16 or UTF-32. In UTF-16 and UTF-32
// an ASCII character has zero bytes, and an East Asian one has bytes beyond ASCII. So a long run of plain ASCII bytes
// is appended text. The function returns the index of its start.
function createJoinFinder(): (bytes: Buffer) => number | undefined {
  let runLength = 0;
  return (bytes) => {
    for (let position = 0; position < bytes.length; position++) {
      const byte = bytes[position] as number;
      runLength = (byte >= 0x20 && byte < 0x7f) || (byte >= 9 && byte <= 13) ? runLength + 1 : 0;
      if (runLength === MIN_APPENDED_LENGTH) {
        return Math.max(0, position + 1 - runLength) & ~3;
      }
    }
    return undefined;
  };
}

// Makes the decoder of any other encoding. iconv-lite decodes an invalid byte as U+FFFD, and hardly any text has this
// character itself: of the legacy encodings only GB18030 can encode it.
function createLegacyDecoder(encoding: string): Decoder {
  const decoder = iconv.getDecoder(encoding, { stripBOM: false });
  return {
    write: (bytes) => textBeforeReplacement(decoder.write(bytes), bytes),
    end: () => textBeforeReplacement(decoder.end() ?? '', Buffer.alloc(0)),
  };
}

function textBeforeReplacement(text: string, bytes: Buffer): DecodedText {
  const position = text.indexOf('\uFFFD');
  if (position === -1) {
    return textBeforeUtf16(text);
  }
  return {
    text: text.slice(0, position),
    badBytes: text.length === bytes.length ? nameByte(bytes[position]) : 'a byte sequence',
  };
}

// The text up to the place where a UTF-16 file was appended: from there each second character is NUL.
function textBeforeUtf16(text: string): DecodedText {
  const position = text.includes('\0') ? text.search(/(?:[\t\r\n -~]\0){8}|(?:\0[\t\r\n -~]){8}/) : -1;
  return position === -1 ? { text } : { text: text.slice(0, position), badBytes: 'UTF-16 text' };
}

// The text up to the first sign of a missing or extra byte. Such a byte shifts all bytes after it, so LF and CR are
// read as U+0A00 and U+0D00. Real text hardly ever has these characters.
function textBeforeShift(text: string): DecodedText {
  const position = text.search(/[\u0a00\u0d00]/);
  return position === -1 ? { text } : { text: text.slice(0, position), badBytes: 'text after an incomplete character' };
}

function textBeforeBadByte(bytes: Buffer, position: number): DecodedText {
  return { text: bytes.subarray(0, position).toString(), badBytes: nameByte(bytes[position]) };
}

function nameByte(byte = 0): string {
  return `byte 0x${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}
