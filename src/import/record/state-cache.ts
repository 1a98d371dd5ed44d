import { reasonOf, type StatusReading } from '../../platforms/lib/states.ts';
import type { Table } from '../mapping/table.ts';
import { effectiveReading } from './parse-record.ts';

/** The state of a row. `isOrdinary` is true if the state is known and is no suppression. */
interface RowState {
  readonly statusReading: StatusReading;
  readonly isOrdinary: boolean;
}

/** A state, and the texts of the deciding cells that gave it. */
interface CachedState extends RowState {
  readonly texts: readonly string[];
}

/** The key of a row that is not in the cache, because the text of one of its cells is not cached. */
export const NO_CACHE_KEY = -1;
const KEY_BITS = 20;
const SLOTS = 1_024;
/** Tables with more columns have no cache, because it would take too much memory. */
const MAX_COLUMNS = 200;

/**
 * Makes a function that gives the state of a row, and caches it by the cells. The caller blanks all cells that can't
 * change the state. So most rows have the same cells as an earlier row. `key` comes from `addToCacheKey`.
 */
export function createStateCache(table: Table): (cells: readonly string[], key: number) => RowState {
  const slots: (CachedState | undefined)[] = Array(SLOTS).fill(undefined);
  return (cells, key) => {
    if (key === NO_CACHE_KEY || table.width > MAX_COLUMNS) {
      return stateOf(table, cells);
    }
    const slot = key & (SLOTS - 1);
    const cached = slots[slot];
    if (cached !== undefined && areEqual(cached.texts, cells)) {
      return cached;
    }
    const state = stateOf(table, cells);
    slots[slot] = { ...state, texts: [...cells] };
    return state;
  };
}

/**
 * Adds one cell to the key of a row. Start with the key 0, which is that of a blank row. `text` is undefined if the
 * text of the cell is not cached.
 */
export function addToCacheKey(key: number, index: number, text: string | undefined): number {
  if (key === NO_CACHE_KEY || text === undefined) {
    return NO_CACHE_KEY;
  }
  const letter = text.charCodeAt(text.length >> 1);
  // The factor is large and odd. So a small difference changes the upper bits, which are the key.
  return Math.imul(key ^ (index << 16) ^ (letter << 8) ^ text.length, 0x9e3779b1) >>> (32 - KEY_BITS);
}

function stateOf(table: Table, cells: readonly string[]): RowState {
  const statusReading = table.stateOf(cells, '');
  const suppresses = reasonOf(effectiveReading(table, statusReading).state) !== undefined;
  return { statusReading, isOrdinary: !suppresses && statusReading.unknown === undefined };
}

// Equal cells are the same string object, so this comparison is fast.
function areEqual(texts: readonly string[], cells: readonly string[]): boolean {
  for (let index = 0; index < texts.length; index++) {
    if (texts[index] !== cells[index]) {
      return false;
    }
  }
  return true;
}
