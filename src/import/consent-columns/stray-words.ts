import { NONE, remember } from '../../platforms/lib/words.ts';
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
const [LETTER, MARK, DASH, SEPARATOR_SIGN, ODD] = [0, 1, 2, 3, 4];
const [BLANK, SLASH] = [0x20, 0x2f];
// What each character is. Cells with other letters than plain ones, and JSON, are looked at closely.
const KINDS = new Uint8Array(0x10000).fill(ODD, 0x80);
setKind(' \t_"\'.!:', MARK);
setKind('-/', DASH);
setKind(',;|()', SEPARATOR_SIGN);
setKind('[{', ODD);
const ENDS = new Uint8Array(0x10000);
for (const character of ',;|() \t"\'.!:') {
  ENDS[character.charCodeAt(0)] = 1;
}

function setKind(characters: string, kind: number): void {
  for (const character of characters) {
    KINDS[character.charCodeAt(0)] = kind;
  }
}

function withLetter(code: number, letter: number): number {
  return (Math.imul(code, 31) + letter) | 0;
}

// The first letters of the cell, or of an item of a list in it, are those of a word. Behind them only the next item matters.
function mayStartAWord(cell: string): boolean {
  const end = cell.length;
  for (let at = 0; at < end; ) {
    let code = 0;
    let kind = LETTER;
    for (let letters = 0; at < end && letters < PREFIX; at++) {
      const letter = cell.charCodeAt(at);
      kind = KINDS[letter] as number;
      if (kind === ODD || (ENDS[letter] === 1 && CODES[code & PLACES] === 1)) {
        return true;
      }
      if (kind === SEPARATOR_SIGN || (kind === DASH && at > 0 && cell.charCodeAt(at - 1) === BLANK)) {
        break;
      }
      if (kind === LETTER || letter === SLASH) {
        code = withLetter(code, letter >= 0x41 && letter <= 0x5a ? letter + 0x20 : letter);
        letters++;
      }
    }
    if (CODES[code & PLACES] === 1) {
      return true;
    }
    for (; at < end; at++) {
      kind = KINDS[cell.charCodeAt(at)] as number;
      if (kind === SEPARATOR_SIGN || (kind === DASH && at > 0 && cell.charCodeAt(at - 1) === BLANK)) {
        at++;
        break;
      }
      if (kind === ODD) {
        return true;
      }
    }
  }
  return false;
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
