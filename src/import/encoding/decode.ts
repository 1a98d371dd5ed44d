import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import { cutTail, firstBadByte } from './utf8.ts';

/** Decoded text. `bad` is set if bytes after it are not text in the encoding; reading must stop there. */
export interface DecodedText {
  readonly text: string;
  /** The first bad bytes as messages show them, `byte 0xE9`. */
  readonly bad?: string | undefined;
  /** True if the text is known to hold no NUL and no unpaired surrogate. This check is much faster on the bytes. */
  readonly clean?: true;
  /**
   * The text as bytes, if it was clean UTF-8 that ends with LF. Valid until the next call. `text` is valid only until
   * then, too, if it was not read before.
   */
  readonly lines?: Buffer | undefined;
}

/** Turns bytes into text and corrects nothing. Byte order marks stay in the text as U+FEFF. */
interface Decoder {
  write(bytes: Buffer): DecodedText;
  end(): DecodedText;
}

/** Creates a strict decoder. `encoding` is a name that `encodingNamed` returned. */
export function createDecoder(encoding: string): Decoder {
  if (encoding === 'utf-8') {
    return createUtf8Decoder();
  }
  return /^utf-(16|32)/.test(encoding) ? createUnitDecoder(encoding) : createLegacyDecoder(encoding);
}

const LF = 10;

// Text is cut at a line ending, so that no row must be joined. The join would cost a quarter of the time of a row.
function createUtf8Decoder(): Decoder {
  // One buffer for all calls: garbage beside the heap makes V8 collect the whole heap again and again.
  let buffer: Buffer = Buffer.allocUnsafe(0);
  let tail = buffer;
  const joined = (bytes: Buffer): Buffer => {
    const length = tail.length + bytes.length;
    const target = length > buffer.length ? Buffer.allocUnsafe(2 * length) : buffer;
    target.set(tail);
    target.set(bytes, tail.length);
    buffer = target;
    return target.subarray(0, length);
  };
  return {
    write(bytes) {
      const all = joined(bytes);
      const whole = all.subarray(0, all.lastIndexOf(LF) + 1 || all.length - cutTail(all));
      if (!isUtf8(whole)) {
        return upTo(whole, firstBadByte(whole));
      }
      tail = all.subarray(whole.length);
      return toText(whole);
    },
    end: () => (isUtf8(tail) ? toText(tail) : upTo(tail, firstBadByte(tail))),
  };
}

function toText(bytes: Buffer): DecodedText {
  if (bytes.includes(0)) {
    return untilWide(bytes.toString());
  }
  return {
    // The text is made only on request, because most rows are read from the bytes.
    get text() {
      return bytes.toString();
    },
    clean: true,
    lines: bytes.at(-1) === LF ? bytes : undefined,
  };
}

// iconv-lite silently drops an incomplete unit at the end, so the length is checked here.
function createUnitDecoder(encoding: string): Decoder {
  const decoder = iconv.getDecoder(encoding, { stripBOM: false });
  const unit = encoding.startsWith('utf-16') ? 2 : 4;
  const findJoin = createJoinFinder();
  let length = 0;
  return {
    write(bytes) {
      length += bytes.length;
      const at = findJoin(bytes);
      return at === undefined
        ? untilShifted(decoder.write(bytes))
        : { text: decoder.write(bytes.subarray(0, at)), bad: 'a stretch of text with one byte a letter' };
    },
    end: () => ({
      text: length % unit === 0 ? (decoder.end() ?? '') : '',
      bad: length % unit === 0 ? undefined : `half a character at the end of the file`,
    }),
  };
}

const LONGEST_BYTEWISE = 48;

// Finds where a file in another encoding was joined to one in UTF-16 or UTF-32. There, ASCII characters have zero
// bytes, and East Asian ones have bytes beyond ASCII. So a long run of letters and line endings is joined text. Returns
// the index of its start in the given bytes.
function createJoinFinder(): (bytes: Buffer) => number | undefined {
  let run = 0;
  return (bytes) => {
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] as number;
      run = (byte >= 0x20 && byte < 0x7f) || (byte >= 9 && byte <= 13) ? run + 1 : 0;
      if (run === LONGEST_BYTEWISE) {
        return Math.max(0, at + 1 - run) & ~3;
      }
    }
    return undefined;
  };
}

// Only GB18030 among the legacy encodings can encode U+FFFD. In the others it marks bytes without a meaning.
function createLegacyDecoder(encoding: string): Decoder {
  const decoder = iconv.getDecoder(encoding, { stripBOM: false });
  return {
    write: (bytes) => untilReplacement(decoder.write(bytes), bytes),
    end: () => untilReplacement(decoder.end() ?? '', Buffer.alloc(0)),
  };
}

function untilReplacement(text: string, bytes: Buffer): DecodedText {
  const at = text.indexOf('\uFFFD');
  if (at === -1) {
    return untilWide(text);
  }
  return { text: text.slice(0, at), bad: text.length === bytes.length ? nameByte(bytes[at]) : 'a byte sequence' };
}

// Every other character is NUL if a UTF-16 file was joined to a file in another encoding.
function untilWide(text: string): DecodedText {
  const at = text.includes('\0') ? text.search(/(?:[\t\r\n -~]\0){8}|(?:\0[\t\r\n -~]){8}/) : -1;
  return at === -1 ? { text } : { text: text.slice(0, at), bad: 'a stretch of UTF-16' };
}

// Line endings read as U+0A00 or U+0D00 when a byte is missing or extra. U+0A00 is no character, and U+0D00 is hardly
// ever used.
function untilShifted(text: string): DecodedText {
  const at = text.search(/[\u0a00\u0d00]/);
  return at === -1 ? { text } : { text: text.slice(0, at), bad: 'text after half a character' };
}

function upTo(bytes: Buffer, at: number): DecodedText {
  return { text: bytes.subarray(0, at).toString(), bad: nameByte(bytes[at]) };
}

function nameByte(byte = 0): string {
  return `byte 0x${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}
