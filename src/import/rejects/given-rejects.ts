import { SvcError } from '../../base/lib/errors.ts';
import { type DialectHints, detectDialect } from '../dialect/detect-dialect.ts';
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

/** The header of a rejects file, and which rows of which files it has. */
interface RejectedRows {
  readonly header: string;
  readonly keys: ReadonlySet<string>;
}

// Enough rows to recognize the run that rejected them.
const MAX_KEYS = 10_000;

/** The first rows of a rejects file, read in this form. Throws SvcError if the file can't be read so. */
export async function readRejectedRows(file: RejectsFile, form: DialectHints): Promise<RejectedRows> {
  const { header, keys } = await openRows(file, form);
  const found = new Set<string>();
  for await (const key of keys()) {
    found.add(key);
    if (found.size === MAX_KEYS) {
      break;
    }
  }
  return { header, keys: found };
}

/**
 * True if a rejects file, read in this form, has this header and all these rows. False if no rows are wanted. Throws
 * SvcError if the file can't be read so.
 */
export async function hasRejectedRows(file: RejectsFile, form: DialectHints, wanted: RejectedRows): Promise<boolean> {
  const { header, keys } = await openRows(file, form);
  if (header !== wanted.header || wanted.keys.size === 0) {
    return false;
  }
  const missing = new Set(wanted.keys);
  for await (const key of keys()) {
    missing.delete(key);
    if (missing.size === 0) {
      break;
    }
  }
  return missing.size === 0;
}

async function openRows({ source }: RejectsFile, form: DialectHints) {
  const { dialect } = await detectDialect(source, form);
  return {
    header: JSON.stringify(dialect.header.map((name) => name.trim().normalize())),
    async *keys(): AsyncGenerator<string> {
      for await (const rows of readRows(source, dialect)) {
        yield* rows.flatMap(({ cells: [file = '', line = ''] }) => keyOf(file.trim(), line.trim()));
      }
    },
  };
}

// A text that says which row of which file it was. None for a row that the user added.
function keyOf(file: string, line: string): readonly string[] {
  return file !== '' && /^\d+$/.test(line) ? [`${line} ${file.normalize()}`] : [];
}
