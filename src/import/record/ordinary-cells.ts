import { type CellTextReader, createCellTexts } from '../csv/cell-text-cache.ts';
import { type ByteRow, cellEnd, cellMarkBits, cellStart, cellText, STATE_MARK, TRIM_MARK } from '../csv/row-types.ts';
import type { Table } from '../mapping/table.ts';
import { bitWords, COLUMNS_A_WORD, HASH_WORDS, type RowSummaries, summaryStart } from '../rows/row-summaries.ts';
import { hasBlankEdge } from '../values/cell-values.ts';
import { addToCacheKey } from './state-cache.ts';

/** Reads the cells of ordinary rows into arrays that all rows share, because new arrays cost time. */
interface OrdinaryCells {
  /** The cells of the row, without its address. A filled cell whose text is not needed is `NOT_DECODED`. */
  readonly cells: string[];
  /** Like `cells`, but cells that can't change the state are blank. */
  readonly deciding: string[];
  /** Fills in both arrays. Returns the key of the row for the state cache. Undefined if a cell needs trimming. */
  read(row: ByteRow): number | undefined;
}

/**
 * Stands for the text of a filled cell that svc does not need. No code takes `x` for an opt-out word, or for a mark of
 * a blank such as `n/a`.
 */
const NOT_DECODED = 'x';

/**
 * Makes a reader of cells. The rows must have a summary and all their cells. The reader looks only at cells that the
 * summary names, and at those that are needed. `further` has the indexes of more columns whose text is needed.
 */
export function createOrdinaryCells(table: Table, further: readonly number[]): OrdinaryCells {
  const { width } = table;
  const emailIndex = table.columnIndexes.email;
  const texts = Array.from({ length: width }, createCellTexts);
  const [cells, deciding] = [Array<string>(width).fill(''), Array<string>(width).fill('')];
  const words = bitWords(width);
  const needed = bitsOf(neededColumns(table, further), words);
  const filledBefore = new Int32Array(words);
  /** The columns whose texts are in the arrays. */
  const decoded: number[] = [];
  const forgetTexts = () => {
    cells[emailIndex] = NOT_DECODED;
    while (decoded.length > 0) {
      const index = decoded.pop() as number;
      deciding[index] = '';
      cells[index] = NOT_DECODED;
    }
  };
  const setFilled = (word: number, filled: number) => {
    const changed = filled ^ (filledBefore[word] as number);
    filledBefore[word] = filled;
    for (let bits = changed; bits !== 0; bits &= bits - 1) {
      const bit = lowestBit(bits);
      cells[COLUMNS_A_WORD * word + bit] = (filled & (1 << bit)) === 0 ? '' : NOT_DECODED;
    }
  };

  const read = (row: ByteRow): number | undefined => {
    const { bytes, offsets } = row.block;
    const summaries = row.block.summaries as RowSummaries;
    const start = summaryStart(row) + HASH_WORDS;
    let key = 0;
    forgetTexts();
    for (let word = 0; word < words; word++) {
      const filled = summaries[start + word] as number;
      const marked = summaries[start + words + word] as number;
      setFilled(word, filled);
      for (let bits = filled & (marked | (needed[word] as number)); bits !== 0; bits &= bits - 1) {
        const index = COLUMNS_A_WORD * word + lowestBit(bits);
        const cell = row.first + index;
        const marks = cellMarkBits(offsets, cell);
        if ((marks & TRIM_MARK) !== 0) {
          return undefined;
        }
        if (index === emailIndex) {
          continue;
        }
        if (hasBlankEdge(bytes, cellStart(offsets, cell), cellEnd(offsets, cell))) {
          return undefined;
        }
        const cached = (texts[index] as CellTextReader)(row, index);
        const text = cached ?? cellText(row, index);
        cells[index] = text;
        decoded.push(index);
        if ((marks & STATE_MARK) !== 0) {
          deciding[index] = text;
          key = addToCacheKey(key, index, cached);
        }
      }
    }
    return key;
  };
  return { cells, deciding, read };
}

/** The indexes of the columns whose text is needed for something else than the state. */
function neededColumns({ collisions, keylessColumns }: Table, further: readonly number[]): readonly number[] {
  const colliding = collisions.flatMap((collision) => collision.columns.map(({ index }) => index));
  return [...colliding, ...keylessColumns.map(({ index }) => index), ...further].filter((index) => index >= 0);
}

function bitsOf(columns: readonly number[], words: number): Int32Array {
  const bits = new Int32Array(words);
  for (const index of columns) {
    const word = Math.floor(index / COLUMNS_A_WORD);
    bits[word] = (bits[word] as number) | (1 << index);
  }
  return bits;
}

/** The index of the lowest bit that is set, from 0. */
function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}
