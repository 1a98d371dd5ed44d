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

// Small tables, because every character of every list is looked up here. A prefix that only shares its place with that of a
// word costs a closer look.
const PLACES = 0xffff;
const CODES = new Uint8Array(PLACES + 1);
for (const prefix of PREFIXES) {
  CODES[[...prefix].reduce((code, letter) => withLetter(code, letter.charCodeAt(0)), 0) & PLACES] = 1;
}
const PLAIN = 0x80;
const SEPARATORS = charactersOf(',;|()');
const ENDS = charactersOf(',;|() \t"\'.!:');
const MARKS = charactersOf(' \t_"\'-.!:');
const [BLANK, DASH, SLASH] = [0x20, 0x2d, 0x2f];

function withLetter(code: number, letter: number): number {
  return (Math.imul(code, 31) + letter) | 0;
}

function charactersOf(text: string): Uint8Array {
  const table = new Uint8Array(PLAIN);
  for (const character of text) {
    table[character.charCodeAt(0)] = 1;
  }
  return table;
}

// One look at every character: the first letters of the cell, or of an item of a list in it, are those of a word. Cells with
// other letters than plain ones, and JSON, are looked at closely.
function mayStartAWord(cell: string): boolean {
  let code = 0;
  let letters = 0;
  let before = 0;
  for (let at = 0; at < cell.length; at++) {
    const letter = cell.charCodeAt(at);
    if (letter >= PLAIN || letter === 0x5b || letter === 0x7b) {
      return true;
    }
    if (letters < PREFIX && ENDS[letter] === 1 && CODES[code & PLACES] === 1) {
      return true;
    }
    if (SEPARATORS[letter] === 1 || ((letter === DASH || letter === SLASH) && before === BLANK)) {
      code = 0;
      letters = 0;
    } else if (letters < PREFIX && MARKS[letter] === 0) {
      code = withLetter(code, letter >= 0x41 && letter <= 0x5a ? letter + 0x20 : letter);
      letters++;
      if (letters === PREFIX && CODES[code & PLACES] === 1) {
        return true;
      }
    }
    before = letter;
  }
  return letters < PREFIX && CODES[code & PLACES] === 1;
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
