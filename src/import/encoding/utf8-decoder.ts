import { isUtf8 } from 'node:buffer';
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
export interface Decoder {
  write(bytes: Buffer): DecodedText;
  /** The rest of the text. */
  end(): DecodedText;
}

const LF = 10;

/**
 * Makes the decoder of UTF-8. Each text ends at a line ending if it has one. So svc seldom joins two texts for one row,
 * which would make this row a quarter slower. `readNuls` reads a text that has a NUL.
 */
export function createUtf8Decoder(readNuls = textBeforeUtf16): Decoder {
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
      return toText(whole, readNuls);
    },
    end() {
      const rest = tail;
      tail = rest.subarray(rest.length);
      return isUtf8(rest) ? toText(rest, readNuls) : textBeforeBadByte(rest, findBadByte(rest));
    },
  };
}

function toText(bytes: Buffer, readNuls: (text: string) => DecodedText): DecodedText {
  return bytes.includes(0) ? readNuls(bytes.toString()) : cleanText(bytes);
}

/** The text of valid UTF-8 without NUL. */
export function cleanText(bytes: Buffer): DecodedText {
  return {
    // The text is made only when it is used, because most rows are read from the bytes.
    get text() {
      return bytes.toString();
    },
    isClean: true,
    lines: bytes.at(-1) === LF ? bytes : undefined,
  };
}

/** The text up to the place where a UTF-16 file was appended: from there each second character is NUL. */
export function textBeforeUtf16(text: string): DecodedText {
  const position = text.includes('\0') ? text.search(/(?:[\t\r\n -~]\0){8}|(?:\0[\t\r\n -~]){8}/) : -1;
  return position === -1 ? { text } : { text: text.slice(0, position), badBytes: 'UTF-16 text' };
}

function textBeforeBadByte(bytes: Buffer, position: number): DecodedText {
  return { text: bytes.subarray(0, position).toString(), badBytes: nameByte(bytes[position]) };
}

/** An invalid byte in words for messages. */
export function nameByte(byte = 0): string {
  return `byte 0x${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}
