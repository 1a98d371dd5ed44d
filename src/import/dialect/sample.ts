import { isAscii } from 'node:buffer';
import { SvcError } from '../../base/lib/errors.ts';
import type { RawRow } from '../csv/byte-row.ts';
import { isBlank } from '../csv/input-errors.ts';
import { createRowScanner } from '../csv/row-scanner.ts';
import type { Source } from '../source/source.ts';
import type { Quoting } from './quoting/quoting.ts';

/** The beginning of a table. Its dialect is detected from it. */
export interface Sample {
  readonly bytes: Buffer;
  /** True if the sample is the whole table. */
  readonly whole: boolean;
  /** The bytes that show the encoding: those of the sample, or the first ones beyond ASCII from further on. */
  readonly beyondAscii: Buffer;
}

const ENOUGH = 256 * 1024;
// A header may be long, and the first row may hold cells of 1 MiB.
const MOST = 4 * 1024 * 1024;

/**
 * Reads a sample of at least 256 KiB and two lines. If it is all ASCII, reads on for the first bytes that are not. Ends
 * after a sample with other bytes than ASCII, after such bytes further on, or at the end of the table.
 */
export async function takeSample(source: Source): Promise<Sample> {
  const buffers: Buffer[] = [];
  let length = 0;
  let isEnough = false;
  let beyondAscii: Buffer | undefined;
  for await (const buffer of source.bytes()) {
    if (beyondAscii) {
      // One more buffer, so that no sequence is cut off at the bytes that decide.
      return { ...sampleOf(buffers, false), beyondAscii: Buffer.concat([beyondAscii, buffer]) };
    }
    if (isEnough) {
      beyondAscii = isAscii(buffer) ? undefined : Buffer.from(buffer);
      continue;
    }
    buffers.push(Buffer.from(buffer));
    length += buffer.length;
    isEnough = hasEnough(buffers, length);
    if (isEnough && !buffers.every((one) => isAscii(one))) {
      return sampleOf(buffers, false);
    }
  }
  return { ...sampleOf(buffers, !isEnough), ...(beyondAscii ? { beyondAscii } : {}) };
}

function hasEnough(buffers: readonly Buffer[], length: number): boolean {
  return length >= MOST || (length >= ENOUGH && buffers.reduce((lines, buffer) => lines + countLines(buffer), 0) >= 2);
}

function countLines(buffer: Buffer): number {
  return buffer.reduce((count, byte) => count + (byte === 10 || byte === 13 ? 1 : 0), 0);
}

function sampleOf(buffers: readonly Buffer[], whole: boolean): Sample {
  const bytes = Buffer.concat(buffers);
  return { bytes, whole, beyondAscii: bytes };
}

const MOST_ROWS = 200;

/** The first rows of a text that may stop anywhere, without blank rows. An unclosed quote ends them. */
export function sampleRows(text: string, whole: boolean, delimiter: string | undefined, quoting?: Quoting): RawRow[] {
  const scanner = createRowScanner({ label: '', delimiter, header: [], raw: true, quoting });
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
