import { isAscii } from 'node:buffer';
import { createDecoder } from '../encoding/decode.ts';
import { canonicalEncodingName, isWhollyUtf8 } from '../encoding/encodings.ts';
import { createSingleByteReader } from '../encoding/single-byte.ts';
import { readTableSample, type TableSample } from '../encoding/table-sample.ts';
import type { ReadingOptions } from '../mapping/reading-answers.ts';
import { SVC_COLUMNS } from '../mapping/table.ts';
import type { RejectsFile } from './given-rejects.ts';

/** The answers that describe the bytes of a file. */
export type FileForm = Pick<ReadingOptions, 'encoding' | 'delimiter' | 'quote' | 'escape'>;

export const FORM_FLAGS: readonly (keyof FileForm)[] = ['encoding', 'delimiter', 'quote', 'escape'];

export const NO_FORM: FileForm = { encoding: undefined, delimiter: undefined, quote: undefined, escape: undefined };

export function formOf({ encoding, delimiter, quote, escape: before }: ReadingOptions): FileForm {
  return { encoding, delimiter, quote, escape: before };
}

/**
 * The answers about the bytes of a list, as far as they still count for its rejects file. A spreadsheet saves a file in
 * a form of its own, and answers about the bytes of the original don't fit that form. `delimiters` are those with which
 * the run wrote its files; none if that is not known.
 */
export async function formThatCounts(
  { head, source }: RejectsFile,
  form: FileForm,
  delimiters: readonly string[],
): Promise<FileForm> {
  const { encoding, quote, escape: before } = form;
  const [, delimiter] = WRITTEN_HEAD.exec(head.replaceAll('\0', '')) ?? [];
  const hasDelimiter =
    delimiters.length === 0 || delimiters.some((one) => one === delimiter || !isAscii(Buffer.from(one)));
  if (delimiter === undefined || !hasDelimiter) {
    return NO_FORM;
  }
  const sample = await readTableSample(source);
  if (encoding !== undefined && !fitsEncoding(sample, canonicalEncodingName(encoding))) {
    return NO_FORM;
  }
  if (!hasDoubledQuote(sample, delimiter)) {
    return form;
  }
  const hasOtherQuote = quote !== undefined && quote !== '"';
  const hasOtherEscape = hasOtherQuote || before !== '"';
  return { ...form, ...(hasOtherQuote && { quote: undefined }), ...(hasOtherEscape && { escape: undefined }) };
}

// Matches the first columns of a rejects file as svc writes them: without quotes. A byte order mark and a line such as
// `sep=;` may stand before them, because svc repeats those of the list.
const WRITTEN_HEAD = new RegExp(
  `^(?:ï»¿|ÿþ|þÿ)?(?:sep=.[\\r\\n]+)?${SVC_COLUMNS.join('\\1').replace('\\1', '(.{1,4}?)')}\\1`,
  's',
);

// Matches a cell that is wholly in quotes and has a doubled quote inside, as a spreadsheet writes it. A tab stands for
// each delimiter.
const DOUBLED_QUOTE = /(?<=[\t\r\n])"(?:[^"\\\r\n]|\\.)*""(?:[^"\\\r\n]|\\.|"")*"(?=[\t\r\n]|$)/;

function hasDoubledQuote({ bytes }: TableSample, delimiter: string): boolean {
  return DOUBLED_QUOTE.test(bytes.toString('latin1').replaceAll('\0', '').replaceAll(delimiter, '\t'));
}

function fitsEncoding({ bytes, beyondAscii }: TableSample, encoding: string): boolean {
  const [start, rest] = [bytes, beyondAscii].map((part) => createDecoder(encoding).write(part));
  const isText = start?.badBytes === undefined && rest?.badBytes === undefined;
  return isText && start?.text.includes(SVC_COLUMNS[0]) === true && !isNowUtf8(beyondAscii, encoding);
}

// True for bytes of UTF-8, although the file was in another encoding. Single letters of an East Asian encoding can look
// like two bytes of UTF-8, but its own letters have three there.
function isNowUtf8(bytes: Buffer, encoding: string): boolean {
  return (
    !/^utf-/.test(encoding) &&
    !isAscii(bytes) &&
    isWhollyUtf8(bytes) &&
    (createSingleByteReader(encoding) !== undefined || bytes.some((byte) => byte >= 0xe0))
  );
}
