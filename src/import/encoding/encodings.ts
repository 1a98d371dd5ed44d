import { isAscii, isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { ownValue } from '../../base/lib/json.ts';
import { detectLegacyEncoding, type EncodingChoice, hasNonAsciiAddress } from './legacy/detect-legacy.ts';
import type { TableSample } from './table-sample.ts';
import { incompleteTailLength } from './utf8.ts';

interface ByteOrderMark {
  readonly encoding: string;
  readonly bytes: Buffer;
}

// UTF-32 must come before UTF-16, because the little-endian mark of UTF-32 begins with the mark of UTF-16.
const MARKS: readonly ByteOrderMark[] = [
  { encoding: 'utf-8', bytes: Buffer.from([0xef, 0xbb, 0xbf]) },
  { encoding: 'utf-32-le', bytes: Buffer.from([0xff, 0xfe, 0, 0]) },
  { encoding: 'utf-32-be', bytes: Buffer.from([0, 0, 0xfe, 0xff]) },
  { encoding: 'utf-16-le', bytes: Buffer.from([0xff, 0xfe]) },
  { encoding: 'utf-16-be', bytes: Buffer.from([0xfe, 0xff]) },
];

const ALIASES: Readonly<Record<string, string>> = {
  utf8: 'utf-8',
  utf16: 'utf-16-le',
  utf16le: 'utf-16-le',
  ucs2: 'utf-16-le',
  utf16be: 'utf-16-be',
  utf32: 'utf-32-le',
  utf32le: 'utf-32-le',
  utf32be: 'utf-32-be',
  cp1252: 'windows-1252',
  win1252: 'windows-1252',
  windows1252: 'windows-1252',
  ansi: 'windows-1252',
  latin1: 'iso-8859-1',
  iso88591: 'iso-8859-1',
  mac: 'macintosh',
  macroman: 'macintosh',
};

/**
 * The canonical name of an encoding that the user typed. Throws SvcError `unknown_encoding` (exit 2) for an unknown
 * one.
 */
export function canonicalEncodingName(name: string): string {
  const bare = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  const canonical = ownValue(ALIASES, bare) ?? name.toLowerCase();
  if (!iconv.encodingExists(canonical) || NOT_TEXT.has(bare)) {
    throw new SvcError(EXIT.usage, 'unknown_encoding', `--encoding: unknown encoding ${JSON.stringify(name)}`, {
      hint: 'Encodings are windows-1252, iso-8859-1, macintosh, utf-8, utf-16-le and others. For example:\n--encoding utf-8',
    });
  }
  return canonical;
}

/** The byte order mark at the start of a file. Undefined if there is none. */
function byteOrderMark(start: Buffer): ByteOrderMark | undefined {
  return MARKS.find(({ bytes }) => start.subarray(0, bytes.length).equals(bytes));
}

/** Encodes a text in the encoding of its input. Text that was read from the input gets its original bytes back. */
export function encodeText(text: string, { encoding }: { readonly encoding: string }): Buffer {
  return encoding === 'utf-8' ? Buffer.from(text) : iconv.encode(text, encoding, { addBOM: false });
}

// Names that iconv-lite accepts as encodings although they are notations for bytes, such as `base64`.
const NOT_TEXT = new Set(['hex', 'base64', 'binary', 'utf7', 'utf7imap', 'internal']);

/** An encoding and how certain it is. `guessed`: the user should check it. `ambiguous`: the user must choose. */
export interface EncodingReading {
  readonly encoding: string;
  readonly hasByteOrderMark: boolean;
  readonly certainty: 'certain' | 'guessed' | 'ambiguous';
  /** The encoding that the user named, if svc uses a different one instead. */
  readonly insteadOf?: string | undefined;
  /**
   * If the encoding is ambiguous: the cells beyond ASCII as each possible encoding reads them, the most likely one
   * first.
   */
  readonly choices?: readonly EncodingChoice[];
}

/** What is known about the encoding of a table besides its bytes. */
interface EncodingHints {
  /** The encoding that the user named. */
  readonly userEncoding?: string | undefined;
  /** True if the user named one encoding for several tables. */
  readonly isForSeveral?: boolean | undefined;
  /** The encoding that the platform uses if the table is not UTF-8. */
  readonly legacy?: string | undefined;
}

/**
 * Detects the encoding of a table. A byte order mark overrides the encoding that the user named. If the user named a
 * single-byte encoding for several tables, a table of valid UTF-8 is read as UTF-8, because the user meant the other
 * tables. Bytes with at least as many UTF-8 letters as invalid bytes count as UTF-8. Reading then stops at the first
 * invalid byte, so no letter is read wrongly.
 */
export async function detectEncoding(
  { bytes, beyondAscii }: TableSample,
  hints: EncodingHints,
): Promise<EncodingReading> {
  const mark = byteOrderMark(bytes);
  if (mark) {
    return { encoding: mark.encoding, hasByteOrderMark: true, certainty: 'certain' };
  }
  if (
    hints.isForSeveral &&
    SINGLE_BYTE_ENCODING.test(hints.userEncoding ?? '') &&
    !isAscii(beyondAscii) &&
    isWhollyUtf8(beyondAscii)
  ) {
    return { encoding: 'utf-8', hasByteOrderMark: false, certainty: 'certain', insteadOf: hints.userEncoding };
  }
  const encoding = hints.userEncoding ?? wideEncoding(bytes);
  if (encoding !== undefined) {
    return { encoding, hasByteOrderMark: false, certainty: 'certain' };
  }
  if (hints.legacy !== undefined && !isWhollyUtf8(beyondAscii) && !hasNonAsciiAddress(beyondAscii)) {
    return { encoding: hints.legacy, hasByteOrderMark: false, certainty: 'guessed' };
  }
  const legacy = await detectLegacyEncoding(beyondAscii);
  return legacy
    ? { hasByteOrderMark: false, ...legacy }
    : { encoding: 'utf-8', hasByteOrderMark: false, certainty: 'certain' };
}

/** True for ISO-2022-JP: ASCII with escape sequences that switch to Japanese characters. */
export function isIso2022(bytes: Buffer): boolean {
  return ['\x1b$B', '\x1b$@', '\x1b(J'].some((sequence) => bytes.includes(sequence)) && isAscii(bytes);
}

// Matches the names of single-byte encodings.
const SINGLE_BYTE_ENCODING = /^(?:windows-?125\d|cp125\d|iso-?8859|latin|mac|koi8)/i;

/** True if the bytes are UTF-8. They may end in the middle of a character. */
export function isWhollyUtf8(bytes: Buffer): boolean {
  return isUtf8(bytes.subarray(0, bytes.length - incompleteTailLength(bytes)));
}

// The name of UTF-16 or UTF-32, if the bytes look like it without a byte order mark. Otherwise undefined. An ASCII
// character has zero bytes in these encodings, and lists have many ASCII characters, such as delimiters and digits.
function wideEncoding(bytes: Buffer): string | undefined {
  const found = wideEncodingIn(bytes.subarray(0, 4096));
  // If two files were joined, the start decides. If it has no zero byte, only the second file can be in UTF-16. If only
  // the start has zero bytes, only the first file is in UTF-16.
  const start = bytes.subarray(0, 64);
  return start.includes(0) ? (found ?? wideEncodingIn(start)) : undefined;
}

function wideEncodingIn(bytes: Buffer): string | undefined {
  const start = bytes.subarray(0, bytes.length & ~3 || bytes.length);
  const zeros = [0, 0, 0, 0];
  start.forEach((byte, index) => {
    zeros[index % 4] = (zeros[index % 4] ?? 0) + (byte === 0 ? 1 : 0);
  });
  const pattern = zeros.map((count) => zeroMark(count / (start.length / 4))).join('');
  return WIDE.find(([shape]) => shape.test(pattern))?.[1];
}

// Patterns of zero bytes, and their encodings. A pattern has a character for each of four successive bytes: `0` if the
// byte is nearly always zero, `?` if it often is, `.` if it rarely is.
const WIDE: readonly (readonly [RegExp, string])[] = [
  [/^[.?]000$/, 'utf-32-le'],
  [/^000[.?]$/, 'utf-32-be'],
  [/^\.[0?]\.[0?]$/, 'utf-16-le'],
  [/^[0?]\.[0?]\.$/, 'utf-16-be'],
];

function zeroMark(share: number): '0' | '?' | '.' {
  if (share > 0.9) {
    return '0';
  }
  return share > 0.3 ? '?' : '.';
}
