import { withoutBlanks, wordsOf } from '../../words/plain-words.ts';
import { BRACKETS, COLONS, CROSSES, DASHES, SEPARATORS } from './byte-kinds.ts';

// The kinds of characters. Each letter of the words is a kind of its own: first `a` to `z`, then all other letters.
export const SEPARATOR_KIND = 1;
export const DASH_KIND = 2;
export const BRACKET_KIND = 5;
export const COLON_KIND = 8;
export const CROSS_KIND = 9;
export const OTHER_KIND = 7;
const [UNKNOWN, SKIPPED, DIGIT, PARTIAL, FIRST_LETTER] = [0, 3, 4, 6, 10];
const COMMON_LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const COMMON_KINDS = FIRST_LETTER + COMMON_LETTERS.length;

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
 * The steps of a word filter. A kind without a step leads to `DEAD_STATE`. The words of all scripts have some 600
 * different letters. A table with all of them would have 5 MB, so the table has only the common kinds.
 */
export interface FilterSteps {
  /** The state that follows `state` at a common kind is at `state * COMMON_KINDS + kind`. */
  readonly steps: Uint16Array;
  /** For each state: its steps for the rare kinds, which are all letters except `a` to `z`. */
  readonly rareSteps: readonly RareSteps[];
  charKind(code: number): number;
}

type RareSteps = ReadonlyMap<number, number> | undefined;

/** The state that follows `state` at a character of this kind. */
export function stepFrom({ steps, rareSteps }: FilterSteps, state: number, kind: number): number {
  return kind < COMMON_KINDS
    ? (steps[state * COMMON_KINDS + kind] as number)
    : (rareSteps[state]?.get(kind) ?? DEAD_STATE);
}

/** Makes the steps for these words. After a colon the filter accepts `answers` too. */
export function createFilterSteps(words: readonly string[], answers: readonly string[]): FilterSteps {
  const [starts, answerStarts] = [firstLetters(words), firstLetters(answers)];
  const all = new Set([COMMON_LETTERS.split(''), ...starts, ...answerStarts].flat());
  const letters = new Map([...all].map((letter, index) => [letter, FIRST_LETTER + index]));
  const kindsOf = (start: readonly string[]) => start.map((letter) => letters.get(letter) as number);
  // Two bytes for each kind: the words of all scripts have more than 256 different letters.
  const kinds = new Uint16Array(0x10000);
  return {
    ...buildSteps(starts.map(kindsOf), answerStarts.map(kindsOf)),
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

/** Steps to which words are added, in the form of `FilterSteps`. */
interface GrowingSteps {
  readonly steps: number[];
  readonly rareSteps: (Map<number, number> | undefined)[];
}

function buildSteps(starts: Starts, answerStarts: Starts): Pick<FilterSteps, 'steps' | 'rareSteps'> {
  const growing: GrowingSteps = { steps: [], rareSteps: [] };
  for (let state = DEAD_STATE; state < SEEN; state++) {
    addState(growing, DEAD_STATE);
  }
  addStarts(growing, START_STATE, starts);
  for (const state of [AFTER_COLON_STATE, ...FIRST_DIGITS]) {
    copyState(growing, START_STATE, state);
  }
  addStarts(growing, AFTER_COLON_STATE, answerStarts);
  const { steps, rareSteps } = growing;
  for (let state = START_STATE; state < rareSteps.length; state++) {
    const row = state * COMMON_KINDS;
    // A hyphen or the like inside a word does not change the state: `un-subscribed` is read like `unsubscribed`.
    steps[row + SKIPPED] = state;
    steps[row + DASH_KIND] = state;
    steps[row + BRACKET_KIND] = state === START_STATE || state === AFTER_COLON_STATE ? FOUND_STATE : state;
    steps[row + PARTIAL] = FOUND_STATE;
    steps[row + CROSS_KIND] = FOUND_STATE;
  }
  for (const [index, state] of [START_STATE, ...FIRST_DIGITS].entries()) {
    steps[state * COMMON_KINDS + DIGIT] = FIRST_DIGITS[index] ?? state;
  }
  steps[AFTER_COLON_STATE * COMMON_KINDS + DIGIT] = FOUND_STATE;
  return { steps: Uint16Array.from(steps), rareSteps };
}

/**
 * Adds words that the filter may read from its state `from` on. Before it changes a state that an earlier call made, it
 * copies that state. So the words of the earlier call are still read as before.
 */
function addStarts(growing: GrowingSteps, from: number, starts: Starts): void {
  const firstNewState = growing.rareSteps.length;
  for (const start of starts) {
    let state = from;
    for (const [index, kind] of start.entries()) {
      const known = knownStep(growing, state, kind);
      if (known === FOUND_STATE) {
        break;
      }
      const isLast = index === start.length - 1;
      const next = isLast ? FOUND_STATE : known < firstNewState ? addState(growing, known) : known;
      setStep(growing, state, { kind, next });
      state = next;
    }
  }
}

function knownStep({ steps, rareSteps }: GrowingSteps, state: number, kind: number): number {
  return (kind < COMMON_KINDS ? steps[state * COMMON_KINDS + kind] : rareSteps[state]?.get(kind)) ?? DEAD_STATE;
}

function setStep({ steps, rareSteps }: GrowingSteps, state: number, { kind, next }: { kind: number; next: number }) {
  if (kind < COMMON_KINDS) {
    steps[state * COMMON_KINDS + kind] = next;
  } else {
    const rare = rareSteps[state] ?? new Map();
    rareSteps[state] = rare.set(kind, next);
  }
}

// Adds a state with the steps of the state `from`.
function addState(growing: GrowingSteps, from: number): number {
  const state = growing.rareSteps.length;
  growing.rareSteps.push(undefined);
  for (let kind = 0; kind < COMMON_KINDS; kind++) {
    growing.steps.push(DEAD_STATE);
  }
  copyState(growing, from, state);
  return state;
}

function copyState({ steps, rareSteps }: GrowingSteps, from: number, to: number): void {
  steps.copyWithin(to * COMMON_KINDS, from * COMMON_KINDS, (from + 1) * COMMON_KINDS);
  rareSteps[to] = rareSteps[from] && new Map(rareSteps[from]);
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
