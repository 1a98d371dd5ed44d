import { codeUnitAt, letterSize } from '../../../encoding/utf8.ts';
import { isNumberByte, isSeparatorByte } from './byte-kinds.ts';
import {
  AFTER_COLON_STATE,
  BRACKET_KIND,
  COLON_KIND,
  CROSS_KIND,
  createFilterSteps,
  DASH_KIND,
  DEAD_STATE,
  type FilterSteps,
  FOUND_STATE,
  OTHER_KIND,
  SEPARATOR_KIND,
  START_STATE,
  stepFrom,
} from './filter-steps.ts';
import { createFirstLetterTest, TESTED_BYTES } from './first-letters.ts';

/**
 * A quick test for many words: true for each cell with an item that begins like one of the words, and for few other
 * cells.
 */
interface WordFilter {
  text(cell: string): boolean;
  /** Like `text`, for a cell in bytes (valid UTF-8). Doubled quotes don't change the result. */
  bytes(bytes: Uint8Array, start: number, end: number): boolean;
  /** Like `bytes`, for a cell without separators. */
  item(bytes: Uint8Array, start: number, end: number): boolean;
}

/**
 * Makes the quick test for these words, which are keys of `wordLookupKey`. It runs for nearly each character of a list,
 * so it uses a table of steps. A number or a day can stand before a word (`2 - Unsubscribed`,
 * `20210501_bounces.csv`). After a colon or an equals sign an answer or a digit counts too (`optin=no`).
 */
export function createWordFilter(words: readonly string[], answers: readonly string[] = []): WordFilter {
  const table = createFilterSteps(words, answers);
  return { text: textFilter(table), ...byteFilter(table) };
}

const BLANK = 0x20;
const [FIRST_DIGIT, LAST_DIGIT] = [0x30, 0x39];

// The state of the test after one more character, which is of this kind. `before` is the code of the character before
// it.
function nextState(table: FilterSteps, state: number, kind: number, before: number): number {
  if (separates(kind, before)) {
    return START_STATE;
  }
  return kind === COLON_KIND ? stateAfterColon(before) : stepFrom(table, state, kind);
}

function textFilter(table: FilterSteps): WordFilter['text'] {
  const { charKind } = table;
  const kindAt = (cell: string, position: number): number => charKind(cell.charCodeAt(position));
  // The start of the next item. The rest of an item that does not begin like a word is skipped.
  const afterSeparator = (cell: string, from: number, end: number): number => {
    let position = from;
    for (; position < end; position++) {
      const kind = kindAt(cell, position);
      if (kind === COLON_KIND || kind === CROSS_KIND) {
        return position;
      }
      if (kind === BRACKET_KIND || separates(kind, position > 0 ? cell.charCodeAt(position - 1) : 0)) {
        return position + 1;
      }
    }
    return end;
  };
  return (cell) => {
    // The length is read only once, because V8 reads it slowly if strings have different internal forms.
    const end = cell.length;
    for (let position = 0; position < end; position = afterSeparator(cell, position, end)) {
      let state = START_STATE;
      for (; position < end && state !== DEAD_STATE; position++) {
        const before = position > 0 ? cell.charCodeAt(position - 1) : 0;
        state = nextState(table, state, kindAt(cell, position), before);
        if (state === FOUND_STATE) {
          return true;
        }
      }
    }
    return false;
  };
}

const MATCH_FOUND = -1;
const ASCII_END = 0x80;
/** All separators beyond ASCII have three bytes in UTF-8. */
const SYMBOL_BYTES = 3;

interface CellRange {
  readonly first: number;
  readonly end: number;
}

// Makes the tests for the bytes of a cell, with the step table that the test for text uses. A character beyond ASCII is
// read as its UTF-16 unit.
function byteFilter(table: FilterSteps): Omit<WordFilter, 'text'> {
  const { charKind } = table;
  const mayBegin = createFirstLetterTest(table);
  const ascii = Uint16Array.from({ length: ASCII_END }, (_, byte) => charKind(byte));
  // Reads an item. Returns `MATCH_FOUND` if it may be a word. Otherwise returns the index at which it stopped reading.
  const findItemEnd = (bytes: Uint8Array, start: number, range: CellRange) => {
    let state = START_STATE;
    let position = start;
    while (position < range.end && state !== DEAD_STATE) {
      const byte = bytes[position] as number;
      const before = position > range.first ? (bytes[position - 1] as number) : 0;
      state = nextState(table, state, charKind(byte < ASCII_END ? byte : codeUnitAt(bytes, position)), before);
      if (state === FOUND_STATE) {
        return MATCH_FOUND;
      }
      position += byte < ASCII_END ? 1 : letterSize(byte);
    }
    return position;
  };
  const afterSeparator = (bytes: Uint8Array, from: number, { first, end }: CellRange): number => {
    for (let position = from; position < end; position++) {
      if (isSeparatorByte(bytes[position] as number)) {
        const symbol = (bytes[position] as number) < ASCII_END ? position : position + 1 - SYMBOL_BYTES;
        const kind = symbol === position ? charKind(bytes[position] as number) : symbolKind(bytes, symbol, first);
        if (kind === COLON_KIND || kind === CROSS_KIND) {
          return symbol;
        }
        if (kind === BRACKET_KIND || separates(kind, symbol > first ? (bytes[symbol - 1] as number) : 0)) {
          return position + 1;
        }
      }
    }
    return end;
  };
  // The kind of a symbol beyond ASCII. The function reads all bytes of the symbol, because a letter can end with the
  // same byte.
  const symbolKind = (bytes: Uint8Array, symbol: number, first: number): number =>
    symbol >= first && letterSize(bytes[symbol] as number) === SYMBOL_BYTES
      ? charKind(codeUnitAt(bytes, symbol))
      : OTHER_KIND;
  return {
    bytes: (bytes, first, end) => {
      const range = { first, end };
      for (let position = first; position < end; position = afterSeparator(bytes, position, range)) {
        position = findItemEnd(bytes, position, range);
        if (position === MATCH_FOUND) {
          return true;
        }
      }
      return false;
    },
    item: (bytes, first, end) => {
      if (end - first >= TESTED_BYTES && !mayBegin(bytes, first)) {
        return false;
      }
      let state = START_STATE;
      for (let position = first; position < end; ) {
        const byte = bytes[position] as number;
        const isWide = byte >= ASCII_END;
        const kind = isWide ? charKind(codeUnitAt(bytes, position)) : (ascii[byte] as number);
        state = stepFrom(table, state, kind);
        if (state === DEAD_STATE || state === FOUND_STATE) {
          return state === FOUND_STATE;
        }
        position += isWide ? letterSize(byte) : 1;
      }
      return false;
    },
  };
}

function separates(kind: number, before: number): boolean {
  return kind === SEPARATOR_KIND || (kind === DASH_KIND && before === BLANK);
}

// The state after a colon. The colon of a time such as `10:00` is skipped, because no answer follows it.
function stateAfterColon(before: number): number {
  return before >= FIRST_DIGIT && before <= LAST_DIGIT ? START_STATE : AFTER_COLON_STATE;
}

const SHORTEST_NUMBER = 4;

/** A quick test for telephone numbers, identifiers and times. It looks at only five characters of the cell. */
export function isNumberLike(cell: string): boolean {
  const end = cell.length;
  return (
    end > SHORTEST_NUMBER &&
    isNumberByte(cell.charCodeAt(end - 1)) &&
    isNumberByte(cell.charCodeAt(end - 2)) &&
    isNumberByte(cell.charCodeAt(0)) &&
    isNumberByte(cell.charCodeAt(end >> 1)) &&
    isNumberByte(cell.charCodeAt(end >> 2))
  );
}
