import { isAscii } from 'node:buffer';
import { SvcError } from '../../base/lib/errors.ts';
import type { RawRow } from '../csv/byte-row.ts';
import { isBlank } from '../csv/input-errors.ts';
import { createScanner } from '../csv/scan.ts';
import type { Source } from '../source/source.ts';
import type { Quoting } from './quoting/quoting.ts';

/** The beginning of a table. Its dialect is detected from it. */
export interface Sample {
  readonly bytes: Buffer;
  /** True if the sample is the whole table. */
  readonly whole: boolean;
  /** The first bytes beyond ASCII. They come from further on if the beginning has none. */
  readonly foreign: Buffer;
}

const ENOUGH = 256 * 1024;
// A header may be long, and the first row may hold cells of 1 MiB.
const MOST = 4 * 1024 * 1024;

/** Reads 256 KiB, or until two lines are complete. If all is ASCII, reads on to the first byte that isn't. */
export async function takeSample(source: Source): Promise<Sample> {
  const buffers: Buffer[] = [];
  let length = 0;
  let full = false;
  let foreign: Buffer | undefined;
  for await (const buffer of source.bytes()) {
    if (foreign) {
      // One more buffer, so that no sequence is cut off at the bytes that decide.
      return { ...sampleOf(buffers, false), foreign: Buffer.concat([foreign, buffer]) };
    }
    if (full) {
      foreign = isAscii(buffer) ? undefined : Buffer.from(buffer);
      continue;
    }
    buffers.push(Buffer.from(buffer));
    length += buffer.length;
    full = isFull(buffers, length);
    if (full && !buffers.every((one) => isAscii(one))) {
      return sampleOf(buffers, false);
    }
  }
  return { ...sampleOf(buffers, !full), ...(foreign ? { foreign } : {}) };
}

function isFull(buffers: readonly Buffer[], length: number): boolean {
  return length >= MOST || (length >= ENOUGH && buffers.reduce((lines, buffer) => lines + countLines(buffer), 0) >= 2);
}

function countLines(buffer: Buffer): number {
  return buffer.reduce((count, byte) => count + (byte === 10 || byte === 13 ? 1 : 0), 0);
}

function sampleOf(buffers: readonly Buffer[], whole: boolean): Sample {
  const bytes = Buffer.concat(buffers);
  return { bytes, whole, foreign: bytes };
}

const MOST_ROWS = 200;

/** The first rows of a text that may stop anywhere, without blank rows. An unclosed quote ends them. */
export function sampleRows(text: string, whole: boolean, delimiter: string | undefined, quoting?: Quoting): RawRow[] {
  const scanner = createScanner({ label: '', delimiter, header: [], raw: true, quoting });
  const rows: RawRow[] = [];
  try {
    scanner.feed(text);
    for (let row = scanner.next(); row && rows.length < MOST_ROWS; row = scanner.next()) {
      rows.push(row);
    }
    // Without any line ending, the rest is the only row.
    if (rows.length < MOST_ROWS && (whole || rows.length === 0)) {
      scanner.finish();
      const rest = scanner.next();
      if (rest) {
        rows.push(rest);
      }
    }
  } catch (error) {
    if (!(error instanceof SvcError)) {
      throw error;
    }
  }
  return rows.filter(({ cells }) => !isBlank(cells));
}
