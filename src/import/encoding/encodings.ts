import iconv from 'iconv-lite';
import { EXIT, SvcError } from '../../base/lib/errors.ts';

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
  const canonical = ALIASES[bare] ?? name.toLowerCase();
  if (!iconv.encodingExists(canonical) || NOT_TEXT.has(bare)) {
    throw new SvcError(EXIT.usage, 'unknown_encoding', `--encoding: unknown encoding ${JSON.stringify(name)}`, {
      hint: 'Encodings are windows-1252, iso-8859-1, macintosh, utf-8, utf-16-le and others. For example:\n--encoding utf-8',
    });
  }
  return canonical;
}

/** The byte order mark at the start of a file. Undefined if there is none. */
export function byteOrderMark(start: Buffer): ByteOrderMark | undefined {
  return MARKS.find(({ bytes }) => start.subarray(0, bytes.length).equals(bytes));
}

/** Encodes a text in the encoding of its input. Text that was read from the input gets its original bytes back. */
export function encodeText(text: string, { encoding }: { readonly encoding: string }): Buffer {
  return encoding === 'utf-8' ? Buffer.from(text) : iconv.encode(text, encoding, { addBOM: false });
}

// Names that iconv-lite accepts as encodings although they are notations for bytes, such as `base64`.
const NOT_TEXT = new Set(['hex', 'base64', 'binary', 'utf7', 'utf7imap', 'internal']);
