import iconv from 'iconv-lite';
import { createSingleByteReader } from './single-byte.ts';
import { createUtf8Decoder, type DecodedText, type Decoder, nameByte, textBeforeUtf16 } from './utf8-decoder.ts';

/** Makes a decoder that reports invalid bytes. `encoding` is a name from `canonicalEncodingName`. */
export function createDecoder(encoding: string): Decoder {
  if (encoding === 'utf-8') {
    return createUtf8Decoder();
  }
  if (/^utf-(16|32)/.test(encoding)) {
    // The text is decoded already, so NULs in it do not mean that UTF-16 text was appended. svc only rejects the rows
    // with a NUL.
    return withUtf8Lines(
      createUnitDecoder(encoding),
      createUtf8Decoder((text) => ({ text })),
    );
  }
  const toUtf8 = createSingleByteReader(encoding);
  return toUtf8
    ? createSingleByteDecoder(toUtf8)
    : withUtf8Lines(createMultiByteDecoder(encoding), createUtf8Decoder());
}

function createSingleByteDecoder(toUtf8: NonNullable<ReturnType<typeof createSingleByteReader>>): Decoder {
  const utf8 = createUtf8Decoder();
  return {
    ...utf8,
    write(bytes) {
      const { bytes: text, badByte } = toUtf8(bytes);
      return badByte === undefined
        ? utf8.write(text)
        : { text: utf8.end().text + text.toString(), badBytes: nameByte(badByte) };
    },
  };
}

// Encodes the decoded text as UTF-8, because cutting rows from UTF-8 bytes takes half the time and memory of cutting
// them from text. A text that UTF-8 can't store (half of a surrogate pair) stays text.
function withUtf8Lines(decoder: Decoder, utf8: Decoder): Decoder {
  const reencode = (decoded: DecodedText, encode: (bytes: Buffer) => DecodedText): DecodedText =>
    decoded.badBytes === undefined && decoded.text.isWellFormed()
      ? encode(Buffer.from(decoded.text))
      : { ...decoded, text: utf8.end().text + decoded.text };
  return {
    write: (bytes) => reencode(decoder.write(bytes), utf8.write),
    end: () =>
      reencode(decoder.end(), (bytes) => {
        const { text, badBytes } = utf8.write(bytes);
        const rest = utf8.end();
        return badBytes === undefined ? { text: text + rest.text, badBytes: rest.badBytes } : { text, badBytes };
      }),
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

// Makes the decoder of an East Asian encoding. iconv-lite decodes an invalid byte as U+FFFD, so svc takes each U+FFFD
// for an invalid byte. Hardly any text contains U+FFFD itself: of these encodings only GB18030 can encode it.
function createMultiByteDecoder(encoding: string): Decoder {
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

// The text up to the first sign of a missing or extra byte. Such a byte shifts all bytes after it, so LF and CR are
// read as U+0A00 and U+0D00. Real text hardly ever has these characters.
function textBeforeShift(text: string): DecodedText {
  const position = text.search(/[\u0a00\u0d00]/);
  return position === -1 ? { text } : { text: text.slice(0, position), badBytes: 'text after an incomplete character' };
}
