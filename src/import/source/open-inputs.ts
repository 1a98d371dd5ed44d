import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { sumOf } from '../../base/lib/rows.ts';
import { listArchive } from './archive.ts';
import type { InputFile } from './input-copies.ts';
import { emptyFileError, notCsvError } from './input-errors.ts';
import { checkedBytes, type DiskFile, fileBytes, gunzippedBytes } from './read-file.ts';
import { sourceLabel, type TableSource } from './source.ts';

/**
 * The tables of all inputs, in order. An input is a file, a gzip file, a ZIP archive with several tables, or standard
 * input. The first bytes of an input decide which of these it is, not its name. Throws SvcError `input_unreadable`,
 * `empty_file`, `not_csv` or `bad_archive`.
 */
export async function openInputs(files: readonly InputFile[]): Promise<TableSource[]> {
  const tables: OpenedTable[] = [];
  for (const { path, ...file } of files) {
    const tablesOfFile = await openFile(path, { ...file, label: sourceLabel({ path, entry: undefined }) });
    tablesOfFile.forEach((table) => tables.push(table));
  }
  return tables.map((table, index) => ({ index, ...table }));
}

type OpenedTable = Omit<TableSource, 'index'>;

async function openFile(path: string, file: DiskFile): Promise<OpenedTable[]> {
  const start = await firstBytes(file);
  const { kind } = recognizeFileKind(start);
  if (kind === 'zip') {
    return openArchive(path, file);
  }
  const bytes = () => checkedBytes(file, () => (kind === 'gzip' ? gunzippedBytes(file) : fileBytes(file)));
  refuseUnlessTable(kind === 'gzip' ? await firstBytesOf(bytes()) : start, file.label);
  const size = kind === 'gzip' ? undefined : statSync(file.diskPath, { throwIfNoEntry: false })?.size;
  const name = path === '-' ? 'stdin' : basename(path).replace(/\.gz$/i, '');
  return [{ path, entry: undefined, name, size, bytes, ...(kind !== 'gzip' && { plainFile: file }) }];
}

async function openArchive(path: string, file: DiskFile): Promise<OpenedTable[]> {
  const tables = await listArchive(file);
  for (const { entry, bytes } of tables) {
    refuseUnlessTable(await firstBytesOf(bytes()), sourceLabel({ path, entry }));
  }
  return tables.map((table) => ({ path, name: basename(table.entry), ...table }));
}

function refuseUnlessTable(start: Buffer, label: string): void {
  const recognized = recognizeFileKind(start);
  if (recognized.kind === 'empty') {
    throw emptyFileError(label);
  }
  if (recognized.kind !== 'table') {
    throw notCsvError(
      label,
      recognized.kind === 'other' ? recognized.name : `a ${recognized.kind} archive inside another`,
    );
  }
}

/** The first bytes of a file, to recognize its kind. Throws SvcError `input_unreadable`, also for a folder. */
export async function firstBytes(file: DiskFile): Promise<Buffer> {
  return firstBytesOf(checkedBytes(file, () => fileBytes(file)));
}

/** The first bytes of a stream: at least `FILE_KIND_BYTES`, or all if the stream is shorter. */
async function firstBytesOf(bytes: AsyncIterable<Buffer>): Promise<Buffer> {
  const buffers: Buffer[] = [];
  for await (const buffer of bytes) {
    buffers.push(Buffer.from(buffer.subarray(0, FILE_KIND_BYTES)));
    if (sumOf(buffers.map(({ length }) => length)) >= FILE_KIND_BYTES) {
      break;
    }
  }
  return Buffer.concat(buffers);
}

/** What a file is, by its first bytes. `table`: nothing shows another kind, so it may be CSV. */
type FileKind =
  | { readonly kind: 'table' | 'gzip' | 'zip' | 'empty' }
  | { readonly kind: 'other'; readonly name: string };

/** The number of first bytes that show the kind of a file. */
const FILE_KIND_BYTES = 1024;

/**
 * Recognizes what a file is by its bytes alone. `start` has its first FILE_KIND_BYTES bytes, or all bytes if the file
 * is shorter.
 */
function recognizeFileKind(start: Buffer): FileKind {
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
