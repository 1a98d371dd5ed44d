/**
 * How much the characters beyond ASCII look like parts of words, from 0 to 1. Wrong encodings put signs and capitals
 * inside words (`Pawe³`, `GyŃri`), or mix letters of two scripts in one word (`Cantщ`).
 */
export function wordShape(text: string): number {
  let faults = 0;
  let characters = 0;
  for (const { 0: character, index } of text.matchAll(/[^\0-\x7f]/gu)) {
    const before = text[index - 1] ?? ' ';
    const after = text[index + character.length] ?? ' ';
    characters++;
    faults += faultOf(character, before, after);
  }
  return Math.max(0, 1 - faults / Math.max(characters, 1));
}

const UNWRITTEN = /[\u0080-\u009f\ufffd\p{Co}\p{Cn}]/u;
const CAPITAL = /\p{Lu}/u;
const SMALL = /\p{Ll}/u;
const LATIN = /\p{Script=Latin}/u;
const LETTER = /[\p{L}\p{M}]/u;
// Marks that join letters or stand anywhere between words: apostrophes, and Arabic and East Asian marks.
const JOINING = /[\u00a0’´·\u0640\u200c-\u200f、。・ー「」（）]/u;
const BESIDE_WORDS = /[ªº«»‘‚“”„–—…©®№§°¿¡]/u;
const AFTER_WORDS = /[ªº©®°…]/u;

function faultOf(character: string, before: string, after: string): number {
  if (UNWRITTEN.test(character)) {
    return 3;
  }
  return LETTER.test(character) ? faultOfLetter(character, before, after) : faultOfSign(character, before, after);
}

function faultOfSign(sign: string, before: string, after: string): number {
  if (JOINING.test(sign)) {
    return 0;
  }
  const inside = LETTER.test(before) && LETTER.test(after);
  const leads = AFTER_WORDS.test(sign) && LETTER.test(after);
  return BESIDE_WORDS.test(sign) && !inside && !leads ? 0 : 1;
}

function faultOfLetter(letter: string, before: string, after: string): number {
  if (scriptsDiffer(letter, before) || scriptsDiffer(letter, after)) {
    return 1;
  }
  if ((CAPITAL.test(letter) && SMALL.test(before)) || (SMALL.test(letter) && CAPITAL.test(after))) {
    return 1;
  }
  // Names begin with a capital; only a few words of a list don't.
  return SMALL.test(letter) && LATIN.test(letter) && !LETTER.test(before) ? 0.5 : 0;
}

const SCRIPTS = [
  LATIN,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Arabic}/u,
  /\p{Script=Thai}/u,
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u,
  /\p{Script=Hangul}/u,
];

function scriptsDiffer(one: string, other: string): boolean {
  const script = SCRIPTS.findIndex((pattern) => pattern.test(one));
  const beside = SCRIPTS.findIndex((pattern) => pattern.test(other));
  return script >= 0 && beside >= 0 && script !== beside;
}
