import { withoutBlanks, wordsOf } from '../../words/plain-words.ts';
import { BRACKETS, COLONS, CROSSES, DASHES, letterNumber, SEPARATORS } from './byte-kinds.ts';

// The kinds of characters in the step table. Each letter of the words is a kind of its own, numbered from FIRST_LETTER.
export const SEPARATOR_KIND = 1;
export const DASH_KIND = 2;
export const BRACKET_KIND = 5;
export const COLON_KIND = 8;
export const CROSS_KIND = 9;
export const OTHER_KIND = 7;
const [UNKNOWN, SKIPPED, DIGIT, PARTIAL, FIRST_LETTER] = [0, 3, 4, 6, 10];

// The states of the automaton that reads one item of a list. `AFTER_COLON_STATE` accepts an answer too. In a state from
// `SEEN` on, the automaton has read some first letters of a word.
export const DEAD_STATE = 0;
export const START_STATE = 1;
export const FOUND_STATE = 2;
export const AFTER_COLON_STATE = 3;
const [FIRST_DIGITS, SEEN] = [[4, 5, 6, 7, 8, 9, 10, 11], 12];

/**
 * How many first letters of a word the filter compares. Few cells begin like one of the words, and a slower check reads
 * these cells.
 */
const MAX_LETTERS = 6;

/**
 * The step table of a word filter. The state that follows `state` at a character of `kind` is at `state * width +
 * kind`.
 */
export interface FilterSteps {
  readonly steps: Uint16Array;
  readonly width: number;
  charKind(code: number): number;
}

/** Makes the step table for these words. After a colon it accepts `answers` too. */
export function createFilterSteps(words: readonly string[], answers: readonly string[]): FilterSteps {
  const [starts, answerStarts] = [firstLetters(words), firstLetters(answers)];
  const all = new Set([...starts, ...answerStarts].flat());
  const letters = new Map([...all].map((letter, index) => [letter, FIRST_LETTER + index]));
  const width = FIRST_LETTER + letters.size;
  const kindsOf = (start: readonly string[]) => start.map((letter) => letters.get(letter) as number);
  // Two bytes for each kind: the words of all scripts have more than 256 different letters.
  const kinds = new Uint16Array(0x10000);
  return {
    steps: tableOf(createStates(starts.map(kindsOf), answerStarts.map(kindsOf)), width),
    width,
    charKind: (code) => {
      if (kinds[code] === UNKNOWN) {
        kinds[code] = readKind(code, letters);
      }
      return kinds[code] as number;
    },
  };
}

function firstLetters(words: readonly string[]): readonly (readonly string[])[] {
  return [...new Set(words)].map((word) => [...word.replaceAll('ς', 'σ')].slice(0, MAX_LETTERS));
}

/** The steps from one state: the next state for each kind of character. A kind without a step leads to `DEAD_STATE`. */
type Steps = Map<number, number>;
/** The first letters of each word. Each letter is a number: its kind of character. */
type Starts = readonly (readonly number[])[];

function createStates(starts: Starts, answerStarts: Starts): readonly Steps[] {
  const states: Steps[] = Array.from({ length: SEEN }, () => new Map());
  addStarts(states, START_STATE, starts);
  const start = states[START_STATE] as Steps;
  states[AFTER_COLON_STATE] = new Map(start);
  addStarts(states, AFTER_COLON_STATE, answerStarts);
  for (const [index, state] of FIRST_DIGITS.entries()) {
    states[state] = new Map(start).set(DIGIT, FIRST_DIGITS[index + 1] ?? state);
  }
  start.set(DIGIT, FIRST_DIGITS[0] as number).set(BRACKET_KIND, FOUND_STATE);
  states[AFTER_COLON_STATE].set(DIGIT, FOUND_STATE).set(BRACKET_KIND, FOUND_STATE);
  return states;
}

/**
 * Adds words that may follow the state `from`. It copies states that words of an earlier call use, so that these words
 * stay as they are.
 */
function addStarts(states: Steps[], from: number, starts: Starts): void {
  const firstNewState = states.length;
  for (const start of starts) {
    let state = from;
    for (const [index, kind] of start.entries()) {
      const steps = states[state] as Steps;
      const known = steps.get(kind) ?? DEAD_STATE;
      if (known === FOUND_STATE) {
        break;
      }
      if (index === start.length - 1) {
        steps.set(kind, FOUND_STATE);
      } else if (known < firstNewState) {
        steps.set(kind, states.push(new Map(known === DEAD_STATE ? [] : states[known])) - 1);
      }
      state = steps.get(kind) as number;
    }
  }
}

function tableOf(states: readonly Steps[], width: number): Uint16Array {
  const table = new Uint16Array(states.length * width);
  for (const [state, steps] of states.entries()) {
    const row = state * width;
    // A hyphen or the like inside a word does not change the state: `un-subscribed` is read like `unsubscribed`.
    table[row + SKIPPED] = state;
    table[row + DASH_KIND] = state;
    table[row + BRACKET_KIND] = state;
    for (const [kind, next] of steps) {
      table[row + kind] = next;
    }
    table[row + PARTIAL] = FOUND_STATE;
    table[row + CROSS_KIND] = FOUND_STATE;
  }
  // No step leads out of `DEAD_STATE`.
  table.fill(DEAD_STATE, DEAD_STATE * width, (DEAD_STATE + 1) * width);
  return table;
}

// Matches half of a surrogate pair, or a part of a letter. Its kind is `PARTIAL`: the filter finds each cell that has
// one, and a slower check reads the cell.
const PART = /[\ud800-\udfff\u1100-\u11ff\u3099\u309a]/;
const VOICING_MARKS = ['\u3099', '\u309a'];

function readKind(code: number, letters: ReadonlyMap<string, number>): number {
  const character = String.fromCharCode(code);
  if (SEPARATORS.includes(character)) {
    return SEPARATOR_KIND;
  }
  if (DASHES.includes(character)) {
    return DASH_KIND;
  }
  if (BRACKETS.includes(character)) {
    return BRACKET_KIND;
  }
  if (COLONS.includes(character)) {
    return COLON_KIND;
  }
  if (CROSSES.includes(character)) {
    return CROSS_KIND;
  }
  if (/[0-9]/.test(character)) {
    return DIGIT;
  }
  const word = withoutBlanks(wordsOf(character)).replace('ς', 'σ');
  const hasVoicedForm = VOICING_MARKS.some((mark) => letters.has((word + mark).normalize('NFC')));
  if (PART.test(character.normalize('NFKC')) || word.length > 1 || hasVoicedForm) {
    return PARTIAL;
  }
  return word === '' ? SKIPPED : (letters.get(word) ?? OTHER_KIND);
}

/** The number of bytes at the start of an item that `createFirstLetterTest` reads. */
export const TESTED_BYTES = 3;

const LETTER_BITS = 5;
const LETTERS = Uint8Array.from({ length: 256 }, (_, byte) => letterNumber(byte));
const SMALL_LETTERS = [...Buffer.from('abcdefghijklmnopqrstuvwxyz')];
const EVERY_BYTE = -1;
/** The bit for a byte that is no ASCII letter. */
const NO_LETTER = 1;

/**
 * Makes a quick test of an item: true if its first three bytes may begin a word, or if one of them is no ASCII letter.
 * One look-up is enough, and it rules out most cells.
 */
export function createFirstLetterTest({
  steps,
  width,
  charKind,
}: FilterSteps): (bytes: Uint8Array, position: number) => boolean {
  const next = (state: number, letter: number): number =>
    state === DEAD_STATE || state === FOUND_STATE ? state : (steps[state * width + charKind(letter)] as number);
  const bitsOfNextLetters = (state: number): number =>
    SMALL_LETTERS.reduce(
      (bits, letter) => (next(state, letter) === DEAD_STATE ? bits : bits | (1 << letterNumber(letter))),
      NO_LETTER,
    );
  // For each pair of first letters: a bit for each letter that can be the third letter of a word.
  const thirdLetters = new Int32Array(1 << (2 * LETTER_BITS)).fill(EVERY_BYTE);
  for (const first of SMALL_LETTERS) {
    for (const second of SMALL_LETTERS) {
      const pair = (letterNumber(first) << LETTER_BITS) | letterNumber(second);
      thirdLetters[pair] = bitsOfNextLetters(next(next(START_STATE, first), second));
    }
  }
  return (bytes, position) => {
    const first = LETTERS[bytes[position] as number] as number;
    const second = LETTERS[bytes[position + 1] as number] as number;
    const third = LETTERS[bytes[position + 2] as number] as number;
    return (((thirdLetters[(first << LETTER_BITS) | second] as number) >>> third) & 1) === 1;
  };
}
