import iconv from 'iconv-lite';
import type { Finding } from '../../../src/base/finding.ts';
import { type RawRow, toRawRow } from '../../../src/import/csv/row-types.ts';
import { type Dialect, type DialectHints, detectDialect } from '../../../src/import/dialect/detect-dialect.ts';
import { readByteRows, readRows } from '../../../src/import/rows/read-rows.ts';
import type { TableSource } from '../../../src/import/source/source.ts';

/** A plain table in UTF-8 with commas and its header on the first line. */
export const PLAIN: Dialect = {
  encoding: 'utf-8',
  hasByteOrderMark: false,
  delimiter: ',',
  hasSepLine: false,
  headerLine: 0,
  header: [],
};

/** A table in memory, delivered in blocks of `blockSize` bytes. */
export function sourceOf(content: string | Buffer, blockSize = 64 * 1024, name = 'list.csv'): TableSource {
  const bytes = Buffer.from(content);
  return {
    index: 0,
    path: name,
    entry: undefined,
    name,
    size: bytes.length,
    async *bytes() {
      for (let at = 0; at < bytes.length; at += blockSize) {
        yield bytes.subarray(at, at + blockSize);
      }
    },
  };
}

/** All rows of a table with a known dialect. */
export async function rowsOf(source: TableSource, dialect: Dialect, keepsRaw = false): Promise<RawRow[]> {
  return (await Array.fromAsync(readRows(source, dialect, { keepsRaw }))).flat();
}

/** All rows of a table with a known dialect. Regular ones are cut from bytes. */
export async function byteRowsOf(source: TableSource, dialect: Dialect): Promise<RawRow[]> {
  const all: RawRow[] = [];
  for await (const rows of readByteRows({ source, dialect }, { keepsRaw: true })) {
    all.push(...rows.map(toRawRow));
  }
  return all;
}

/** Detects the dialect of a table from its bytes and reads its rows, as the survey does. */
export async function understand(
  content: string | Buffer,
  hints: DialectHints = {},
): Promise<{ dialect: Dialect; findings: readonly Finding[]; rows: RawRow[]; cells: (readonly string[])[] }> {
  const source = sourceOf(content);
  const { dialect, findings } = await detectDialect(source, hints);
  const rows = await rowsOf(source, dialect);
  return { dialect, findings, rows, cells: rows.map(({ cells }) => cells) };
}

/** Text as bytes of an encoding, with a byte order mark if `addBOM` is set. */
export function encoded(text: string, encoding: string, addBOM = false): Buffer {
  return iconv.encode(text, encoding, { addBOM });
}
