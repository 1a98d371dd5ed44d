import type { ByteRow } from '../csv/row-types.ts';
import { createHash64 } from './hash64.ts';

/**
 * A summary of each row of a block, so that the reader of ordinary rows need not look at each cell. A summary has words
 * of 32 bits. First comes the hash of the row's address in two words, both zero if svc must look at the address cell
 * itself. Then comes one bit for each column that is filled, and one bit for each column whose cell must be looked at.
 * A row with too few or too many cells has only zeros.
 */
export type RowSummaries = Int32Array;

/** How many columns have their bits in one word. */
export const COLUMNS_A_WORD = 32;
/** The number of words of the address hash, with which a summary begins. */
export const HASH_WORDS = 2;
const FIRST_WORDS = 4_096;

/** The number of words with one bit for each column. A summary has two such groups of words. */
export function bitWords(width: number): number {
  return Math.ceil(width / COLUMNS_A_WORD);
}

// The number of words of one summary.
function summaryWords(width: number): number {
  return HASH_WORDS + 2 * bitWords(width);
}

/** The index of the first word of a row's summary. The row must have as many cells as the table has columns. */
export function summaryStart({ line, count, block }: ByteRow): number {
  return summaryWords(count) * (line - block.firstLine);
}

/**
 * The two words of the hash of a row's address. Undefined if the row was not summarized, or if svc must look at the
 * address cell itself.
 */
export function summarizedAddress(row: ByteRow): { readonly low: number; readonly high: number } | undefined {
  const { summaries } = row.block;
  if (summaries === undefined) {
    return undefined;
  }
  const start = summaryStart(row);
  const [low, high] = [summaries[start] as number, summaries[start + 1] as number];
  return low === 0 && high === 0 ? undefined : { low, high };
}

/** Collects the summaries of a block. Each is begun with `begin`, and then filled in. */
export interface SummaryWriter {
  /** Begins the summary of the next row, with zeros only. */
  begin(): void;
  setAddress(bytes: Uint8Array, start: number, end: number): void;
  /** Sets the bits of the columns from `32 * word` on. */
  setBits(word: number, filled: number, marked: number): void;
  /** The summaries of the rows since the last call. */
  take(): RowSummaries;
}

/** Makes a writer for a table of `width` columns. `seed` is the key of the hashes: 16 hex digits. */
export function createSummaryWriter(width: number, seed: string): SummaryWriter {
  const hash = createHash64(seed);
  const out = new Int32Array(HASH_WORDS);
  const [size, further] = [summaryWords(width), bitWords(width)];
  let words = new Int32Array(Math.max(size, FIRST_WORDS));
  let [current, after] = [0, 0];
  return {
    begin() {
      current = after;
      after += size;
      if (after > words.length) {
        const longer = new Int32Array(2 * words.length);
        longer.set(words);
        words = longer;
      }
    },
    setAddress(bytes, start, end) {
      hash.ascii(bytes, start, end, out);
      words[current] = out[0] as number;
      words[current + 1] = out[1] as number;
    },
    setBits(word, filled, marked) {
      words[current + HASH_WORDS + word] = filled;
      words[current + HASH_WORDS + further + word] = marked;
    },
    take() {
      const taken = words.slice(0, after);
      words.fill(0, 0, after);
      after = 0;
      return taken;
    },
  };
}
