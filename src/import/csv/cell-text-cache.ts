import { type ByteBlock, type ByteRow, cellEnd, cellMarkBits, cellStart, textOfBytes } from './row-types.ts';

/**
 * Returns the text of a cell of one column. Equal cells give the same string object, which makes look-ups fast.
 * Undefined if the cell is long, or if most cells of the column differ. The caller must then decode the cell itself.
 */
export type CellTextReader = (row: ByteRow, position: number) => string | undefined;

/** Like `CellTextReader`, for the bytes from `start` to `end` of a cell that has these marks. */
type TextReader = (block: ByteBlock, start: number, end: number, marks: number) => string | undefined;

interface CachedText {
  readonly bytes: Uint8Array;
  readonly marks: number;
  readonly text: string;
}

/** A column begins with few slots, because a table may have 100,000 columns and few rows. */
const FIRST_SLOTS = 16;
const SLOTS = 256;
const CELLS_BEFORE_GROWTH = 64;
const LONGEST_CACHED_TEXT = 64;
/**
 * After this many cells svc stops caching the column if fewer than half of them were in the cache. Addresses, for
 * example, nearly all differ.
 */
const CELLS_BEFORE_DECISION = 512;

/** Makes the reader of one column, with an empty cache. */
export function createCellTexts(): CellTextReader {
  const textOf = createTextCache();
  return ({ block, first }, position) => {
    const { offsets } = block;
    return textOf(
      block,
      cellStart(offsets, first + position),
      cellEnd(offsets, first + position),
      cellMarkBits(offsets, first + position),
    );
  };
}

/**
 * Makes a reader of texts, with an empty cache. The reader returns undefined for a long text, or if most texts differ.
 */
export function createTextCache(): TextReader {
  // The slots are made at first use: a table may have 100,000 columns, and only a few need the text of their cells.
  let slots: (CachedText | undefined)[] | undefined;
  let tries = 0;
  let hits = 0;
  return (block, start, end, marks) => {
    const { bytes } = block;
    const size = end - start;
    if (size > LONGEST_CACHED_TEXT || (tries >= CELLS_BEFORE_DECISION && 2 * hits < tries)) {
      return undefined;
    }
    tries++;
    if (slots === undefined || tries === CELLS_BEFORE_GROWTH) {
      slots = Array(slots === undefined ? FIRST_SLOTS : SLOTS).fill(undefined);
    }
    const middle = bytes[start + (size >> 1)] as number;
    const slot =
      (31 * size + 67 * (bytes[start] as number) + 11 * middle + (bytes[end - 1] as number)) & (slots.length - 1);
    const cached = slots[slot];
    if (cached !== undefined && cached.marks === marks && equals(cached.bytes, bytes, start, size)) {
      hits++;
      return cached.text;
    }
    // A copy, because a slice would keep the whole block in memory.
    const copy = new Uint8Array(bytes.subarray(start, end));
    const text = Buffer.from(textOfBytes(block, start, end, marks)).toString();
    slots[slot] = { bytes: copy, marks, text };
    return text;
  };
}

function equals(cached: Uint8Array, bytes: Uint8Array, start: number, size: number): boolean {
  if (cached.length !== size) {
    return false;
  }
  for (let position = 0; position < size; position++) {
    if (cached[position] !== bytes[start + position]) {
      return false;
    }
  }
  return true;
}
