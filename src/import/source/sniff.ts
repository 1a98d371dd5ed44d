/** What a file is, by its first bytes. `table`: nothing shows another kind, so it may be CSV. */
type FileKind =
  | { readonly kind: 'table' | 'gzip' | 'zip' | 'empty' }
  | { readonly kind: 'other'; readonly name: string };

/** The number of first bytes that show the kind of a file. */
export const FILE_KIND_BYTES = 1024;

/**
 * Recognizes what a file is, whatever its name. `start` is its first FILE_KIND_BYTES bytes, or all if it is shorter.
 */
export function recognizeFileKind(start: Buffer): FileKind {
  if (start.length === 0) {
    return { kind: 'empty' };
  }
  if (startsWith(start, '1f8b')) {
    return { kind: 'gzip' };
  }
  if (startsWith(start, '504b0304') || startsWith(start, '504b0506')) {
    return { kind: 'zip' };
  }
  const name = MAGIC.find(([hex]) => startsWith(start, hex))?.[1] ?? nameOfText(start);
  return name === undefined ? { kind: 'table' } : { kind: 'other', name };
}

const MAGIC: readonly (readonly [string, string])[] = [
  ['d0cf11e0a1b11ae1', 'an Excel 97 workbook (XLS, OLE2)'],
  ['25504446', 'a PDF'],
  ['53514c69746520666f726d6174203300', 'an SQLite database'],
  ['89504e47', 'a picture'],
  ['ffd8ff', 'a picture'],
  ['526172211a07', 'a RAR archive'],
  ['377abcaf271c', 'a 7z archive'],
  ['425a68', 'a bzip2 archive'],
  ['fd377a585a00', 'an xz archive'],
  ['28b52ffd', 'a Zstandard archive'],
  ['50415231', 'a Parquet file'],
];

const TEXTS: readonly (readonly [RegExp, string])[] = [
  [/^<(!doctype html|!--|(html|head|body|table|meta|title|style|script|link|div|center|p)[\s>])/i, 'an HTML page'],
  [/^<\?xml/i, 'an XML file'],
  [/^(\{\s*"|\{\s*\}|\[\s*[[{"\]])/, 'JSON'],
  [/^\{\\rtf/, 'an RTF document'],
  [/^BEGIN:VCARD/i, 'a vCard file'],
];

const TAR_MARK = 257;

function startsWith(start: Buffer, hex: string): boolean {
  return start.subarray(0, hex.length / 2).toString('hex') === hex;
}

function nameOfText(start: Buffer): string | undefined {
  if (start.subarray(TAR_MARK, TAR_MARK + 5).toString('latin1') === 'ustar') {
    return 'a tar archive';
  }
  // Zero bytes are removed, so that ASCII letters in UTF-16 become readable.
  const text = start
    .toString('latin1')
    .replace(/^(ï»¿|ÿþ|þÿ)/, '')
    .replaceAll('\0', '')
    .trimStart();
  return TEXTS.find(([pattern]) => pattern.test(text))?.[1];
}
