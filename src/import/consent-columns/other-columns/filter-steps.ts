import { withoutBlanks, wordsOf } from '../words-and-stems.ts';
import { BRACKETS, COLONS, CROSSES, DASHES, SEPARATORS } from './byte-kinds.ts';

// Kinds of characters. Each letter of the words has its own number, from FIRST_LETTER on.
export const SEPARATOR = 1;
export const DASH = 2;
export const BRACKET = 5;
export const COLON = 8;
export const CROSS = 9;
export const OTHER = 7;
const [UNKNOWN, SKIPPED, DIGIT, PARTIAL, FIRST_LETTER] = [0, 3, 4, 6, 10];

// States of the automaton that reads one item of a list. After a colon, an answer may follow instead of a word. A state
// from `SEEN` on means that some first letters of a word were read.
export const DEAD = 0;
export const START = 1;
export const FOUND = 2;
export const AFTER_COLON = 3;
const [FIRST_DIGITS, SEEN] = [[4, 5, 6], 7];

/** The number of letters that are compared. Few cells begin like one of the words. A slower check handles them. */
const DEPTH = 8;

/** The step table of a word filter: the next state is at `state * width + kind`. */
export interface FilterSteps {
  readonly steps: Uint16Array;
  readonly width: number;
  kindOf(code: number): number;
}

export function createFilterSteps(words: readonly string[], answers: readonly string[]): FilterSteps {
  const [starts, answerStarts] = [firstLetters(words), firstLetters(answers)];
  const all = new Set([...starts, ...answerStarts].flat());
  const letters = new Map([...all].map((letter, index) => [letter, FIRST_LETTER + index]));
  // A byte is too small: the words of all scripts have more than 256 letters.
  const kinds = new Uint16Array(0x10000);
  return {
    steps: createSteps(starts, answerStarts, letters),
    width: FIRST_LETTER + letters.size,
    kindOf: (code) => {
      if (kinds[code] === UNKNOWN) {
        kinds[code] = readKind(code, letters);
      }
      return kinds[code] as number;
    },
  };
}

function firstLetters(words: readonly string[]): readonly (readonly string[])[] {
  return [...new Set(words)].map((word) => [...word.replaceAll('ς', 'σ')].slice(0, DEPTH));
}

type Starts = readonly (readonly string[])[];

function createSteps(starts: Starts, answers: Starts, letters: ReadonlyMap<string, number>): Uint16Array {
  const width = FIRST_LETTER + letters.size;
  const steps = new Uint16Array(width * (SEEN + (2 * starts.length + answers.length) * DEPTH));
  let stands = addStarts(steps, { starts, letters, from: START, stands: SEEN });
  stands = addStarts(steps, { starts: [...starts, ...answers], letters, from: AFTER_COLON, stands });
  addOtherSteps(steps, width, stands);
  return steps.slice(0, stands * width);
}

interface StartWords {
  readonly starts: Starts;
  readonly letters: ReadonlyMap<string, number>;
  readonly from: number;
  readonly stands: number;
}

function addStarts(steps: Uint16Array, { starts, letters, from, stands: first }: StartWords): number {
  const width = FIRST_LETTER + letters.size;
  let stands = first;
  for (const start of starts) {
    let stand = from;
    for (const [index, letter] of start.entries()) {
      const step = stand * width + (letters.get(letter) as number);
      if (steps[step] === FOUND) {
        break;
      }
      steps[step] = index === start.length - 1 ? FOUND : steps[step] || stands++;
      stand = steps[step] as number;
    }
  }
  return stands;
}

function addOtherSteps(steps: Uint16Array, width: number, stands: number): void {
  for (const [index, stand] of FIRST_DIGITS.entries()) {
    steps.copyWithin(stand * width, START * width, (START + 1) * width);
    steps[stand * width + DIGIT] = FIRST_DIGITS[index + 1] ?? DEAD;
  }
  steps[START * width + DIGIT] = FIRST_DIGITS[0] as number;
  steps[START * width + BRACKET] = FOUND;
  steps[AFTER_COLON * width + BRACKET] = FOUND;
  steps[AFTER_COLON * width + DIGIT] = FOUND;
  for (let stand = START; stand < stands; stand++) {
    for (const kind of [SKIPPED, DASH, BRACKET]) {
      steps[stand * width + kind] ||= stand;
    }
    steps[stand * width + PARTIAL] = FOUND;
    steps[stand * width + CROSS] = FOUND;
  }
}

// Matches half of a surrogate pair, or a part of a letter. Alone it has no kind.
const PART = /[\ud800-\udfff\u1100-\u11ff\u3099\u309a]/;
const VOICING_MARKS = ['\u3099', '\u309a'];

function readKind(code: number, letters: ReadonlyMap<string, number>): number {
  const character = String.fromCharCode(code);
  if (SEPARATORS.includes(character)) {
    return SEPARATOR;
  }
  if (DASHES.includes(character)) {
    return DASH;
  }
  if (BRACKETS.includes(character)) {
    return BRACKET;
  }
  if (COLONS.includes(character)) {
    return COLON;
  }
  if (CROSSES.includes(character)) {
    return CROSS;
  }
  if (/[0-9]/.test(character)) {
    return DIGIT;
  }
  const word = withoutBlanks(wordsOf(character)).replace('ς', 'σ');
  const voiced = VOICING_MARKS.some((mark) => letters.has((word + mark).normalize('NFC')));
  if (PART.test(character.normalize('NFKC')) || word.length > 1 || voiced) {
    return PARTIAL;
  }
  return word === '' ? SKIPPED : (letters.get(word) ?? OTHER);
}
