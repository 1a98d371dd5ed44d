import { SvcError } from '../../base/lib/errors.ts';
import { type DialectHints, detectDialect } from '../dialect/detect-dialect.ts';
import { SVC_COLUMN_INDEX, SVC_COLUMNS, SVC_DETAIL_INDEX, SVC_REASON_INDEX } from '../mapping/table.ts';
import { readRows } from '../rows/read-rows.ts';
import type { InputFile } from '../source/input-copies.ts';
import { firstBytes, openInputs } from '../source/open-inputs.ts';
import type { TableSource } from '../source/source.ts';

/** A rejects file: one that the user gave back, or one in the folder of a run. */
export interface RejectsFile {
  readonly source: TableSource;
  /** The bytes up to the end of the header line, one character for each byte. */
  readonly head: string;
}

/**
 * Opens a rejects file, which may be packed with gzip. Undefined for any other file, for an archive, and for a file
 * that can't be read: the survey of the list says later what is wrong with it.
 */
export function openRejectsFile(input: InputFile): Promise<RejectsFile | undefined> {
  return unlessUnreadable(async () => {
    const start = await firstBytes({ ...input, label: input.path });
    if (!isRejectsHead(start.toString('latin1')) && !start.subarray(0, GZIP_MARK.length).equals(GZIP_MARK)) {
      return undefined;
    }
    const [source] = await openInputs([input]);
    const head = source && (await headOf(source));
    return source && head !== undefined ? { source, head } : undefined;
  });
}

const GZIP_MARK = Buffer.from([0x1f, 0x8b]);

/** The result of `work`. Undefined if a file can't be read. */
export async function unlessUnreadable<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SvcError) {
      return undefined;
    }
    throw error;
  }
}

// Matches the beginning of a rejects file, without the zero bytes that UTF-16 has between the letters. A byte order
// mark, a line such as `sep=;` or a quote may stand before `svc_file`.
const HEAD = /^\W{0,4}(?:sep=.\W{0,4})?svc_file\W/s;
// Matches the name of the first column, with the zero bytes of UTF-16 and UTF-32.
const FIRST_COLUMN = new RegExp([...'svc_file'].join('\\0*'));
const MAX_HEAD_BYTES = 64 * 1024;

function isRejectsHead(bytes: string): boolean {
  return HEAD.test(bytes.slice(0, 256).replaceAll('\0', ''));
}

async function headOf(source: TableSource): Promise<string | undefined> {
  let bytes = '';
  for await (const buffer of source.bytes()) {
    bytes += buffer.toString('latin1');
    if (bytes.length >= MAX_HEAD_BYTES) {
      break;
    }
  }
  if (!isRejectsHead(bytes)) {
    return undefined;
  }
  const start = bytes.search(FIRST_COLUMN);
  const length = bytes.slice(start).search(/[\r\n]/);
  return bytes.slice(0, length < 0 ? MAX_HEAD_BYTES : start + length);
}

/** A rejects file, read in one form. */
interface RejectedRows {
  readonly header: string;
  /** The cells of the first rows, by the file and the line that svc wrote into them. */
  rows(): Promise<ReadonlyMap<string, readonly string[]>>;
}

// Enough rows to recognize the run that rejected them.
const MAX_ROWS = 10_000;

/**
 * Makes a function that reads a rejects file in a form. It reads the rows once for each form, because there may be many
 * runs to compare with. The function throws SvcError if the file can't be read so.
 */
export function readRejectedRows(file: RejectsFile): (form: DialectHints) => Promise<RejectedRows> {
  const inForms = new Map<string, Promise<RejectedRows>>();
  return (form) => {
    const key = JSON.stringify(form);
    const read = inForms.get(key) ?? readInForm(file, form);
    inForms.set(key, read);
    return read;
  };
}

async function readInForm(file: RejectsFile, form: DialectHints): Promise<RejectedRows> {
  const { header, readCells } = await openRows(file, form);
  let rows: ReturnType<RejectedRows['rows']> | undefined;
  return {
    header,
    rows() {
      rows ??= firstRows(readCells());
      return rows;
    },
  };
}

async function firstRows(all: AsyncIterable<readonly string[]>): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = new Map<string, readonly string[]>();
  for await (const cells of all) {
    rows.set(keyOf(cells), cells);
    if (rows.size === MAX_ROWS) {
      break;
    }
  }
  return rows;
}

/**
 * True if a rejects file, read in this form, has the header and the rows of another. False if the other has no rows.
 * Throws SvcError if one of the files can't be read so.
 */
export async function hasRejectedRows(file: RejectsFile, form: DialectHints, wanted: RejectedRows): Promise<boolean> {
  const { header, readCells } = await openRows(file, form);
  const missing = new Map(header === wanted.header ? await wanted.rows() : []);
  if (missing.size === 0) {
    return false;
  }
  for await (const cells of readCells()) {
    const key = keyOf(cells);
    const given = missing.get(key);
    if (given && isSameRow(given, cells)) {
      missing.delete(key);
    }
    if (missing.size === 0) {
      break;
    }
  }
  return missing.size === 0;
}

async function openRows({ source }: RejectsFile, form: DialectHints) {
  const { dialect } = await detectDialect(source, form);
  return {
    // A spreadsheet can add or remove empty columns at the right.
    header: dialect.header.map(plainText).join('\t').trimEnd(),
    // Leaves out a row that the user added, because no run rejected it.
    async *readCells(): AsyncGenerator<readonly string[]> {
      for await (const rows of readRows(source, dialect)) {
        const plain = rows.map(({ cells }) => cells.map(plainText));
        yield* plain.filter(([file = '', line = '']) => file !== '' && /^\d+$/.test(line));
      }
    },
  };
}

function plainText(cell: string): string {
  return cell.normalize().trim().replace(/\s+/gu, ' ');
}

function keyOf([file = '', line = '']: readonly string[]): string {
  return `${line} ${file}`;
}

// Each night can have a list with a bad row in the same line. So the column, the reason and the detail must be the same
// too, as far as the user did not clear them. The detail usually begins with the bad cell. If "replace all" corrected
// it together with that cell, the other cells must be the same.
function isSameRow(given: readonly string[], found: readonly string[]): boolean {
  const isSame = (index: number) => given[index] === '' || given[index] === found[index];
  return (
    isSame(SVC_COLUMN_INDEX) &&
    isSame(SVC_REASON_INDEX) &&
    (isSame(SVC_DETAIL_INDEX) || otherCells(given) === otherCells(found))
  );
}

function otherCells(cells: readonly string[]): string {
  const detail = cells[SVC_DETAIL_INDEX] ?? '';
  return JSON.stringify(cells.slice(SVC_COLUMNS.length).filter((cell) => !detail.startsWith(cell)));
}
