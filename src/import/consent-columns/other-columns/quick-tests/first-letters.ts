import { letterNumber } from './byte-kinds.ts';
import { DEAD_STATE, type FilterSteps, FOUND_STATE, START_STATE, stepFrom } from './filter-steps.ts';

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
export function createFirstLetterTest(steps: FilterSteps): (bytes: Uint8Array, position: number) => boolean {
  const next = (state: number, letter: number): number =>
    state === DEAD_STATE || state === FOUND_STATE ? state : stepFrom(steps, state, steps.charKind(letter));
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
