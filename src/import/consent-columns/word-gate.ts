import { squashed, wordsOf } from './text.ts';

/** True for every cell in which one of the words may be a list item, and for very few other cells. */
export type WordGate = (cell: string) => boolean;

// Kinds of characters. Each letter of the words has its own number, from FIRST_LETTER on.
const [UNKNOWN, SEPARATOR, DASH, SKIPPED, DIGIT, BRACKET, PARTIAL, OTHER, COLON, CROSS, FIRST_LETTER] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
];
// States of the automaton that reads an item. After a colon, an item may also be an answer. From `SEEN` on, the first
// letters of some word were read.
const [DEAD, START, FIRST_DIGITS, FOUND, AFTER_COLON, SEEN] = [0, 1, [2, 3, 4], 5, 6, 7];
const BLANK = 0x20;
/** The number of compared letters. Few cells begin like a word, and a closer check handles these. */
const DEPTH = 8;

/**
 * A gate for words in the form of `keyOf`. Every character of every list passes through it, so it uses a step table. A
 * number of up to three digits may come before a word, as in `2 - Unsubscribed`. After a colon or an equals sign, the
 * first letters of an answer pass too, as in `optin=no`, and each digit.
 */
export function createWordGate(words: readonly string[], answers: readonly string[] = []): WordGate {
  const [starts, answerStarts] = [firstLetters(words), firstLetters(answers)];
  const all = new Set([...starts, ...answerStarts].flat());
  const letters = new Map([...all].map((letter, index) => [letter, FIRST_LETTER + index]));
  const width = FIRST_LETTER + letters.size;
  const steps = createSteps(starts, answerStarts, letters);
  const kinds = new Uint16Array(0x10000);
  const kindAt = (cell: string, at: number): number => {
    const code = cell.charCodeAt(at);
    if (kinds[code] === UNKNOWN) {
      kinds[code] = kindOf(code, letters);
    }
    return kinds[code] as number;
  };
  // An item that doesn't begin like a word can't match, so skip to the next item.
  const afterSeparator = (cell: string, from: number, end: number): number => {
    let at = from;
    for (; at < end; at++) {
      const kind = kindAt(cell, at);
      if (kind === COLON || kind === CROSS) {
        return at;
      }
      if (kind === BRACKET || isSeparator(cell, at, kind)) {
        return at + 1;
      }
    }
    return end;
  };
  return (cell) => {
    // Read once, because strings of several internal kinds make each access to the length slow.
    const end = cell.length;
    for (let at = 0; at < end; at = afterSeparator(cell, at, end)) {
      let stand = START;
      for (; at < end && stand !== DEAD; at++) {
        const kind = kindAt(cell, at);
        stand = isSeparator(cell, at, kind)
          ? START
          : kind === COLON
            ? colonState(cell, at)
            : (steps[stand * width + kind] as number);
        if (stand === FOUND) {
          return true;
        }
      }
    }
    return false;
  };
}

function isSeparator(cell: string, at: number, kind: number): boolean {
  return kind === SEPARATOR || (kind === DASH && at > 0 && cell.charCodeAt(at - 1) === BLANK);
}

function firstLetters(words: readonly string[]): readonly (readonly string[])[] {
  return [...new Set(words)].map((word) => [...word.replaceAll('ς', 'σ')].slice(0, DEPTH));
}

// No answer follows the colon of a time such as `10:00`.
function colonState(cell: string, at: number): number {
  const before = at > 0 ? cell.charCodeAt(at - 1) : 0;
  return before >= FIRST_DIGIT && before <= LAST_DIGIT ? START : AFTER_COLON;
}

const [FIRST_DIGIT, LAST_DIGIT] = [0x30, 0x39];

type Starts = readonly (readonly string[])[];

function createSteps(starts: Starts, answers: Starts, letters: ReadonlyMap<string, number>): Uint16Array {
  const width = FIRST_LETTER + letters.size;
  const steps = new Uint16Array(width * (SEEN + (2 * starts.length + answers.length) * DEPTH));
  let stands = addStarts(steps, { starts, letters, from: START, stands: SEEN });
  stands = addStarts(steps, { starts: [...starts, ...answers], letters, from: AFTER_COLON, stands });
  addOtherSteps(steps, width, stands);
  return steps.slice(0, stands * width);
}

interface Added {
  readonly starts: Starts;
  readonly letters: ReadonlyMap<string, number>;
  readonly from: number;
  readonly stands: number;
}

function addStarts(steps: Uint16Array, { starts, letters, from, stands: first }: Added): number {
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

const SEPARATORS = ',;|()*!';
const DASHES = '-–/';
const BRACKETS = '[{';
const COLONS = ':=：＝';
const CROSSES = '†✝✞';
// Half of a surrogate pair, or a part of a letter. It can't be classified alone.
const PART = /[\ud800-\udfff\u1100-\u11ff\u3099\u309a]/;
const VOICING_MARKS = ['\u3099', '\u309a'];

function kindOf(code: number, letters: ReadonlyMap<string, number>): number {
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
  const word = squashed(wordsOf(character)).replace('ς', 'σ');
  const voiced = VOICING_MARKS.some((mark) => letters.has((word + mark).normalize('NFC')));
  if (PART.test(character.normalize('NFKC')) || word.length > 1 || voiced) {
    return PARTIAL;
  }
  return word === '' ? SKIPPED : (letters.get(word) ?? OTHER);
}
