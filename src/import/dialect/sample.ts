import { isAscii } from 'node:buffer';
import { SvcError } from '../../base/lib/errors.ts';
import { isBlankRow } from '../csv/input-errors.ts';
import type { RawRow } from '../csv/raw-rows.ts';
import { createRowScanner } from '../csv/row-scanner.ts';
import type { TableSource } from '../source/source.ts';
import type { Quoting } from './quoting/quoting.ts';

/** The beginning of a table, from which its dialect is detected. */
export interface TableSample {
  readonly bytes: Buffer;
  /** True if the sample is the whole table. */
  readonly isWhole: boolean;
  /** The bytes that show the encoding: the sample, or later bytes beyond ASCII if the sample is all ASCII. */
  readonly beyondAscii: Buffer;
}

const MIN_BYTES = 256 * 1024;
// The largest sample. A header can be long, and the first row can have cells of 1 MiB.
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Reads a sample of at least 256 KiB and two lines, at most about 4 MiB. A shorter file is read whole. If the sample is
 * all ASCII, reads on to the first other bytes, because they decide the encoding.
 */
export async function readTableSample(source: TableSource): Promise<TableSample> {
  const buffers: Buffer[] = [];
  let length = 0;
  let isEnough = false;
  let beyondAscii: Buffer | undefined;
  for await (const buffer of source.bytes()) {
    if (beyondAscii) {
      // One more buffer is read, so that the deciding bytes are not cut inside a character.
      return { ...sampleOf(buffers, false), beyondAscii: Buffer.concat([beyondAscii, buffer]) };
    }
    if (isEnough) {
      beyondAscii = isAscii(buffer) ? undefined : Buffer.from(buffer);
      continue;
    }
    buffers.push(Buffer.from(buffer));
    length += buffer.length;
    isEnough = hasEnough(buffers, length);
    if (isEnough && !buffers.every((part) => isAscii(part))) {
      return sampleOf(buffers, false);
    }
  }
  return { ...sampleOf(buffers, !isEnough), ...(beyondAscii ? { beyondAscii } : {}) };
}

function hasEnough(buffers: readonly Buffer[], length: number): boolean {
  return (
    length >= MAX_BYTES ||
    (length >= MIN_BYTES && buffers.reduce((lines, buffer) => lines + countLines(buffer), 0) >= 2)
  );
}

function countLines(buffer: Buffer): number {
  return buffer.reduce((count, byte) => count + (byte === 10 || byte === 13 ? 1 : 0), 0);
}

function sampleOf(buffers: readonly Buffer[], isWhole: boolean): TableSample {
  const bytes = Buffer.concat(buffers);
  return { bytes, isWhole, beyondAscii: bytes };
}

const MAX_ROWS = 200;

/** The first rows of a text that can end anywhere. Blank rows are left out, and an unclosed quote ends the rows. */
export function sampleRows(text: string, isWhole: boolean, delimiter: string | undefined, quoting?: Quoting): RawRow[] {
  const scanner = createRowScanner({ label: '', delimiter, header: [], keepsRaw: true, quoting });
  const rows: RawRow[] = [];
  try {
    scanner.feed(text);
    for (let row = scanner.next(); row && rows.length < MAX_ROWS; row = scanner.next()) {
      rows.push(row);
    }
    // Without a line ending the whole text is one row.
    if (rows.length < MAX_ROWS && (isWhole || rows.length === 0)) {
      scanner.finish();
      const lastRow = scanner.next();
      if (lastRow) {
        rows.push(lastRow);
      }
    }
  } catch (error) {
    if (!(error instanceof SvcError)) {
      throw error;
    }
  }
  return rows.filter(({ cells }) => !isBlankRow(cells));
}
