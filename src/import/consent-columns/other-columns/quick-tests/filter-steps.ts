import { withoutBlanks, wordsOf } from '../../words/plain-words.ts';
import { BRACKETS, COLONS, CROSSES, DASHES, SEPARATORS } from './byte-kinds.ts';

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
    steps: stepsOf(starts.map(kindsOf), answerStarts.map(kindsOf), width),
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

/** The first letters of each word. Each letter is a number: its kind of character. */
type Starts = readonly (readonly number[])[];

/** A step table that grows. A kind without a step leads to `DEAD_STATE`. */
interface GrowingTable {
  /** Room for more states than there are. */
  steps: Uint16Array;
  states: number;
  readonly width: number;
}

// Builds the table in place, because it is built at each start: a map of steps for each state would take ten times as
// long.
function stepsOf(starts: Starts, answerStarts: Starts, width: number): Uint16Array {
  const table: GrowingTable = { steps: new Uint16Array(FIRST_SIZE * width), states: SEEN, width };
  addStarts(table, START_STATE, starts);
  copyState(table, START_STATE, AFTER_COLON_STATE);
  addStarts(table, AFTER_COLON_STATE, answerStarts);
  const { steps, states } = table;
  for (const [index, state] of FIRST_DIGITS.entries()) {
    copyState(table, START_STATE, state);
    steps[state * width + DIGIT] = FIRST_DIGITS[index + 1] ?? state;
  }
  steps[START_STATE * width + DIGIT] = FIRST_DIGITS[0] as number;
  steps[AFTER_COLON_STATE * width + DIGIT] = FOUND_STATE;
  for (let state = START_STATE; state < states; state++) {
    const row = state * width;
    const canBegin = state === START_STATE || state === AFTER_COLON_STATE;
    // A hyphen or the like inside a word does not change the state: `un-subscribed` is read like `unsubscribed`.
    steps[row + SKIPPED] = state;
    steps[row + DASH_KIND] = state;
    steps[row + BRACKET_KIND] = canBegin ? FOUND_STATE : state;
    steps[row + PARTIAL] = FOUND_STATE;
    steps[row + CROSS_KIND] = FOUND_STATE;
  }
  return steps.subarray(0, states * width);
}

const FIRST_SIZE = 4096;

/**
 * Adds words that may follow the state `from`. It copies states that words of an earlier call use, so that these words
 * stay as they are.
 */
function addStarts(table: GrowingTable, from: number, starts: Starts): void {
  const firstNewState = table.states;
  for (const start of starts) {
    let state = from;
    for (const [index, kind] of start.entries()) {
      const step = state * table.width + kind;
      const known = table.steps[step] as number;
      if (known === FOUND_STATE) {
        break;
      }
      if (index === start.length - 1) {
        table.steps[step] = FOUND_STATE;
      } else if (known < firstNewState) {
        const added = addState(table, known);
        table.steps[step] = added;
      }
      state = table.steps[step] as number;
    }
  }
}

// Adds a state with the steps of the state `from`.
function addState(table: GrowingTable, from: number): number {
  const state = table.states++;
  if (table.states * table.width > table.steps.length) {
    const larger = new Uint16Array(2 * table.steps.length);
    larger.set(table.steps);
    table.steps = larger;
  }
  if (from !== DEAD_STATE) {
    copyState(table, from, state);
  }
  return state;
}

function copyState({ steps, width }: GrowingTable, from: number, to: number): void {
  steps.copyWithin(to * width, from * width, (from + 1) * width);
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
