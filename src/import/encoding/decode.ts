import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import { cutTail, firstBadByte } from './utf8.ts';

/** Text, and what came after it that isn't text in the encoding: nothing may be read beyond that. */
export interface Decoded {
  readonly text: string;
  /** The first bad bytes for people, `byte 0xE9`. */
  readonly bad?: string | undefined;
  /** True where the text is known to hold no NUL and no half character: that is seen much sooner in the bytes. */
  readonly clean?: true;
}

/** Turns bytes into text, without mending anything. Byte order marks stay in the text as U+FEFF. */
export interface Decoder {
  write(bytes: Buffer): Decoded;
  end(): Decoded;
}

/** A strict decoder of an encoding as `encodingNamed` names it. */
export function createDecoder(encoding: string): Decoder {
  if (encoding === 'utf-8') {
    return createUtf8Decoder();
  }
  return /^utf-(16|32)/.test(encoding) ? createUnitDecoder(encoding) : createLegacyDecoder(encoding);
}

const LF = 10;

// Text that stops at a line ending needs no joining with what follows: that is a quarter of the time of a row.
function createUtf8Decoder(): Decoder {
  let tail: Buffer = Buffer.alloc(0);
  return {
    write(bytes) {
      const all = tail.length > 0 ? Buffer.concat([tail, bytes]) : bytes;
      const whole = all.subarray(0, all.lastIndexOf(LF) + 1 || all.length - cutTail(all));
      if (!isUtf8(whole)) {
        return upTo(whole, firstBadByte(whole));
      }
      // A copy: the chunk it is part of may be used again.
      tail = Buffer.from(all.subarray(whole.length));
      return toText(whole);
    },
    end: () => (isUtf8(tail) ? toText(tail) : upTo(tail, firstBadByte(tail))),
  };
}

function toText(bytes: Buffer): Decoded {
  return bytes.includes(0) ? untilWide(bytes.toString()) : { text: bytes.toString(), clean: true };
}

// iconv-lite drops half a unit at the end without a word.
function createUnitDecoder(encoding: string): Decoder {
  const decoder = iconv.getDecoder(encoding, { stripBOM: false });
  const unit = encoding.startsWith('utf-16') ? 2 : 4;
  const bytewise = createBytewise();
  let length = 0;
  return {
    write(bytes) {
      length += bytes.length;
      const at = bytewise(bytes);
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

// In two or four bytes a letter, ASCII comes with zeros, and East Asian text has bytes that are no ASCII: so many letters
// and line endings in a row are another file that was joined. Tells where they begin, in the bytes at hand.
function createBytewise(): (bytes: Buffer) => number | undefined {
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

// No legacy encoding but GB18030 can write U+FFFD: it stands for bytes that mean nothing.
function createLegacyDecoder(encoding: string): Decoder {
  const decoder = iconv.getDecoder(encoding, { stripBOM: false });
  return {
    write: (bytes) => untilReplacement(decoder.write(bytes), bytes),
    end: () => untilReplacement(decoder.end() ?? '', Buffer.alloc(0)),
  };
}

function untilReplacement(text: string, bytes: Buffer): Decoded {
  const at = text.indexOf('\uFFFD');
  if (at === -1) {
    return untilWide(text);
  }
  return { text: text.slice(0, at), bad: text.length === bytes.length ? nameByte(bytes[at]) : 'a byte sequence' };
}

// Every other character a NUL: a file in UTF-16 was joined with one that isn't.
function untilWide(text: string): Decoded {
  const at = text.includes('\0') ? text.search(/(?:[\t\r\n -~]\0){8}|(?:\0[\t\r\n -~]){8}/) : -1;
  return at === -1 ? { text } : { text: text.slice(0, at), bad: 'a stretch of UTF-16' };
}

// U+0A00 is no character, and U+0D00 a sign that nobody writes; line endings read like this once a byte is missing or one
// too many.
function untilShifted(text: string): Decoded {
  const at = text.search(/[\u0a00\u0d00]/);
  return at === -1 ? { text } : { text: text.slice(0, at), bad: 'what follows half a character' };
}

function upTo(bytes: Buffer, at: number): Decoded {
  return { text: bytes.subarray(0, at).toString(), bad: nameByte(bytes[at]) };
}

function nameByte(byte = 0): string {
  return `byte 0x${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}
