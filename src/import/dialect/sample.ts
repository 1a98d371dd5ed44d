import { isAscii } from 'node:buffer';
import type { Source } from '../types.ts';

/** The beginning of a table, from which its dialect is found out. */
export interface Sample {
  readonly bytes: Buffer;
  /** True where the sample is the whole table. */
  readonly whole: boolean;
  /** The first stretch of bytes beyond ASCII, from further on where the beginning has none. */
  readonly foreign: Buffer;
}

const ENOUGH = 256 * 1024;
// A header may be long, and the first row hold cells of 1 MiB.
const MOST = 4 * 1024 * 1024;

/**
 * Reads the beginning: 256 KiB, or more until two lines are whole. Where all of it is ASCII, reads on to the first byte
 * that isn't, because only that tells UTF-8 from the others.
 */
export async function takeSample(source: Source): Promise<Sample> {
  const chunks: Buffer[] = [];
  let length = 0;
  let full = false;
  let foreign: Buffer | undefined;
  for await (const chunk of source.bytes()) {
    if (foreign) {
      // One chunk more, so that no sequence is cut where it counts.
      return { ...sampleOf(chunks, false), foreign: Buffer.concat([foreign, chunk]) };
    }
    if (full) {
      foreign = isAscii(chunk) ? undefined : Buffer.from(chunk);
      continue;
    }
    chunks.push(Buffer.from(chunk));
    length += chunk.length;
    full = isFull(chunks, length);
    if (full && !chunks.every((one) => isAscii(one))) {
      return sampleOf(chunks, false);
    }
  }
  return { ...sampleOf(chunks, !full), ...(foreign ? { foreign } : {}) };
}

function isFull(chunks: readonly Buffer[], length: number): boolean {
  return length >= MOST || (length >= ENOUGH && chunks.reduce((lines, chunk) => lines + countLines(chunk), 0) >= 2);
}

function countLines(chunk: Buffer): number {
  return chunk.reduce((count, byte) => count + (byte === 10 || byte === 13 ? 1 : 0), 0);
}

function sampleOf(chunks: readonly Buffer[], whole: boolean): Sample {
  const bytes = Buffer.concat(chunks);
  return { bytes, whole, foreign: bytes };
}
