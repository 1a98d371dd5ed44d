import { isAscii } from 'node:buffer';
import { createDecoder } from '../encoding/decode.ts';
import { canonicalEncodingName, isWhollyUtf8 } from '../encoding/encodings.ts';
import { createSingleByteReader } from '../encoding/single-byte.ts';
import { readTableSample } from '../encoding/table-sample.ts';
import { SVC_COLUMNS } from '../mapping/table.ts';
import type { FileForm, RejectsFile } from './given-rejects.ts';

export const FORM_FLAGS: readonly (keyof FileForm)[] = ['encoding', 'delimiter', 'quote', 'escape'];

/**
 * True if a rejects file can still have the form in which svc wrote it. A spreadsheet saves a file in a form of its
 * own, and answers about the bytes of the original don't fit that form. `delimiters` are those with which the run wrote
 * its files; none if that is not known.
 */
export async function mayBeAsWritten(
  { head, source }: RejectsFile,
  { encoding }: FileForm,
  delimiters: readonly string[],
): Promise<boolean> {
  const [, delimiter] = WRITTEN_HEAD.exec(head.replaceAll('\0', '')) ?? [];
  return (
    delimiter !== undefined &&
    (delimiters.length === 0 || delimiters.some((one) => one === delimiter || !isAscii(Buffer.from(one)))) &&
    (encoding === undefined || fitsEncoding(await readTableSample(source), canonicalEncodingName(encoding)))
  );
}

// Matches the first columns of a rejects file as svc writes them: without quotes. A line such as `sep=;` may stand
// before them. A byte order mark may not: many spreadsheets write one, so it says too little about the rest.
const WRITTEN_HEAD = new RegExp(`^(?:sep=.[\\r\\n]+)?${SVC_COLUMNS.join('\\1').replace('\\1', '(.{1,4}?)')}\\1`, 's');

function fitsEncoding({ bytes, beyondAscii }: Awaited<ReturnType<typeof readTableSample>>, encoding: string): boolean {
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
