import type { StatusReading } from '../../platforms/lib/states.ts';
import { NONE, remember } from '../../platforms/lib/words.ts';
import { keepsMailAway, strictest } from './combine.ts';
import { readJsonCell } from './json-cell.ts';
import { readCell } from './read-cell.ts';
import { CLEAR_WORDS, keyOf } from './value-words.ts';
import { createWordGate } from './word-gate.ts';

const LONGEST_LIST = 200;
const LONGEST_PHRASE = 40;
const LONGEST_JSON = 20_000;

/** Words that keep mail away, and the prefixes that `keyOf` removes before the lookup. */
const LEAVING = [...CLEAR_WORDS].flatMap(([word, state]) => (keepsMailAway(state) ? [word] : []));
const BEFORE_A_WORD = ['status', 'state', 'subscription'];
const mayHoldAWord = createWordGate([...LEAVING, ...BEFORE_A_WORD]);

/**
 * The state that a cell gives its row under a header that isn't about consent. Only a word that keeps mail away counts,
 * as the whole cell or a whole list item. The word gate rules out nearly every cell quickly.
 */
export function strayState(cell: string): StatusReading {
  if (cell.length > LONGEST_LIST ? !OPENS_JSON.test(cell) : !mayHoldAWord(cell)) {
    return NONE;
  }
  const inside = OPENS_JSON.test(cell) && cell.length <= LONGEST_JSON ? jsonState(cell) : NO_JSON;
  return inside !== NO_JSON ? inside : cell.length > LONGEST_LIST ? NONE : listState(cell);
}

// Marks stand around a word as well: `Berg *** DO NOT EMAIL ***`.
const SEPARATOR = /[,;|()*!]| [-–/] /;
// Text in brackets that isn't JSON.
const NO_JSON: StatusReading = { state: 'none' };
const OPENS_JSON = /^\s*[[{]/;

function listState(cell: string): StatusReading {
  return SEPARATOR.test(cell)
    ? cell.split(SEPARATOR).reduce((state, part) => strictest(state, clearState(part)), NONE)
    : clearState(cell);
}

const clearState = remember((text: string): StatusReading => {
  // Matches `Unsubscribed by phone`, `Unsubscribed contacts`.
  const phrase = text.length <= LONGEST_PHRASE && /^\W*unsubscribed\s/i.test(text);
  const state = CLEAR_WORDS.get(phrase ? 'unsubscribed' : keyOf(text));
  return state && keepsMailAway(state) ? state : NONE;
});

const jsonState = remember((cell: string): StatusReading => {
  const inside = readJsonCell(cell, { meaning: 'status', sure: false, detail: false, permits: false }, readStray);
  return inside === undefined ? NO_JSON : keepsMailAway(inside) || inside.unknown !== undefined ? inside : NONE;
});

const readStray: typeof readCell = (cell, column) =>
  column.meaning === 'status' && !column.sure ? clearState(cell) : readCell(cell, column);
