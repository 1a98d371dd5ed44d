import { NONE, remember } from '../../vendors/words.ts';
import type { StateVerdict } from '../types.ts';
import { keepsMailAway, strictest } from './combine.ts';
import { readJson } from './json-cell.ts';
import { readCell } from './read-cell.ts';
import { CLEAR_WORDS, keyOf } from './value-words.ts';

const LONGEST_LIST = 200;
const LONGEST_PHRASE = 40;
const LONGEST_JSON = 20_000;
const SHORTEST = 3;
const PREFIX = 6;
const PREFIXES: ReadonlySet<string> = new Set([...CLEAR_WORDS.keys()].map((word) => word.slice(0, PREFIX)));

/**
 * The state that a cell gives its row under a header that says nothing of consent: only what keeps mail away counts, and
 * only where the cell, or one item of a list in it, is nothing but a word for it. Nearly every cell is done with at once.
 */
export function strayState(cell: string): StateVerdict {
  if (cell.length < SHORTEST || !mayStartAWord(cell)) {
    return NONE;
  }
  if (OPENS_JSON.test(cell)) {
    return cell.length <= LONGEST_JSON ? jsonState(cell) : NONE;
  }
  if (cell.length > LONGEST_LIST) {
    return NONE;
  }
  return SEPARATOR.test(cell)
    ? cell.split(SEPARATOR).reduce((state, part) => strictest(state, wordState(part)), NONE)
    : wordState(cell);
}

const CODES: ReadonlySet<number> = new Set(
  [...PREFIXES].map((prefix) => [...prefix].reduce((code, letter) => code * 256 + letter.charCodeAt(0), 0)),
);
const SEPARATORS: ReadonlySet<string> = new Set(',;|()');
const ENDS: ReadonlySet<string> = new Set(',;|() \t"\'.!:');
const MARKS: ReadonlySet<string> = new Set(' \t_"\'-.!:');

// One look at every character: the first letters of the cell, or of an item of a list in it, are those of a word. Cells with
// other letters than plain ones, and JSON, are looked at closely.
function mayStartAWord(cell: string): boolean {
  let code = 0;
  let letters = 0;
  for (let at = 0; at < cell.length; at++) {
    const letter = cell.charCodeAt(at);
    if (letter > 0x7f || letter === 0x5b || letter === 0x7b) {
      return true;
    }
    const character = cell[at] as string;
    if (letters < PREFIX && CODES.has(code) && ENDS.has(character)) {
      return true;
    }
    if (SEPARATORS.has(character) || ((character === '-' || character === '/') && cell[at - 1] === ' ')) {
      code = 0;
      letters = 0;
    } else if (letters < PREFIX && !MARKS.has(character)) {
      code = code * 256 + (letter >= 0x41 && letter <= 0x5a ? letter + 0x20 : letter);
      letters++;
      if (letters === PREFIX && CODES.has(code)) {
        return true;
      }
    }
  }
  return letters < PREFIX && CODES.has(code);
}

const SEPARATOR = /[,;|()]| [-–/] /;
const OPENS_JSON = /^\s*[[{]/;

// Text between words may be left out, as in `do not contact` and `Do-Not-Contact`: the first letters are enough to go by.
function wordState(text: string): StateVerdict {
  const start = text.trimStart().slice(0, PREFIX * 2);
  const plain = /^[\x00-\x7f]*$/.test(start);
  const letters = (plain ? start : start.normalize('NFKD').replace(/[\p{M}\p{Cf}]/gu, ''))
    .toLowerCase()
    .replace(/[\s_"'.!:-]/g, '');
  return PREFIXES.has(letters.slice(0, PREFIX)) ? clearState(text) : NONE;
}

const clearState = remember((text: string): StateVerdict => {
  // `Unsubscribed by phone`, `Unsubscribed contacts`.
  const phrase = text.length <= LONGEST_PHRASE && /^\W*unsubscribed\s/i.test(text);
  const state = CLEAR_WORDS.get(phrase ? 'unsubscribed' : keyOf(text));
  return state && keepsMailAway(state) ? state : NONE;
});

const jsonState = remember((cell: string): StateVerdict => {
  const inside = readJson(cell, { meaning: 'status', sure: false, detail: false, permits: false }, readStray);
  return inside && (keepsMailAway(inside) || inside.unknown !== undefined) ? inside : NONE;
});

const readStray: typeof readCell = (cell, column) =>
  column.meaning === 'status' && !column.sure ? clearState(cell) : readCell(cell, column);
