import { isAscii } from 'node:buffer';
import type { TableSource } from '../source/source.ts';

/** The beginning of a table, from which its encoding and its dialect are detected. */
export interface TableSample {
  readonly bytes: Buffer;
  /** True if the sample is the whole table. */
  readonly isWhole: boolean;
  /**
   * The bytes that show the encoding: usually the sample. If the sample is all ASCII, the first bytes beyond ASCII
   * after it, if there are any.
   */
  readonly beyondAscii: Buffer;
}

const MIN_BYTES = 256 * 1024;
// The sample grows up to this size, because a header can be long and the first row can have cells of 1 MiB.
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Reads a sample of at least 256 KiB and two lines, at most about 4 MiB. A shorter file is read whole. If the sample is
 * all ASCII, svc reads on to the first bytes beyond ASCII, because these decide the encoding.
 */
export async function readTableSample(source: TableSource): Promise<TableSample> {
  const buffers: Buffer[] = [];
  let length = 0;
  let isEnough = false;
  let beyondAscii: Buffer | undefined;
  for await (const buffer of source.bytes()) {
    if (beyondAscii) {
      // `beyondAscii` may end in the middle of a character, so svc adds the next buffer.
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
