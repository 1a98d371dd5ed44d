import { withLastResult } from '../../../base/lib/memoize.ts';

const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ı: 'i',
  ё: 'е',
  // Persian letters, and the Arabic letters that people often type in their place.
  ی: 'ي',
  ى: 'ي',
  ک: 'ك',
};

// Matches accents. The voicing marks of Japanese kana are no accents, because they make other letters: は and ば.
const ACCENTS = /[^\P{M}\u3099\u309a]+/gu;

/**
 * A header or a cell as plain words: without case, accents, punctuation and invisible characters, with one blank
 * between words. `HasOptedOutOfEmail` and `Has Opted-Out of Email` both become `has opted out of email`.
 */
export const wordsOf = withLastResult((text) =>
  withoutDigraphs(ASCII.test(text) ? asciiWordsOf(text) : anyWordsOf(text)),
);

// Matches roots of opt-out words that are written without umlauts: `geloescht`, `Kuendigung`. Only in these roots is
// `oe` read as `ö`, because in other words it is usually two letters: `shoes`, `Noemi`.
const SPELLED_OUT =
  /loesch|kuend|gueltig|wuensch|moecht|zurueck|rueckl(?:ae|a)u|empfaeng|bestaet|aufgehoert|frueher|abgaeng|haeufig|oensk|phoer|(?<!\S)(?:af|av)?doed(?=s?dat|sdag|e?(?!\S))|uttraed|avboej|avanmael|aaterkall|maa(?= ikke)/g;

function withoutDigraphs(words: string): string {
  return DIGRAPH.test(words)
    ? words.replace(SPELLED_OUT, (root) => root.replace(/([aou])e/g, '$1').replace('aa', 'a'))
    : words;
}

const DIGRAPH = /[aou]e|aa/;

/** True for a word that is written without its umlauts, such as `Ruecklaeufer`. */
export function isSpelledOut(text: string): boolean {
  return text.toLowerCase().search(SPELLED_OUT) >= 0;
}

/** The words in both spellings, with and without umlauts, so that a quick test by letters also finds `geloescht`. */
export function inBothSpellings(words: readonly string[]): readonly string[] {
  const spell = (word: string) => SPELLINGS.reduce((text, [right, spelled]) => text.replace(right, spelled), word);
  return [...words, ...words.map(spell)];
}

const SPELLINGS = [
  [/losch(?=e|t|u)/, 'loesch'],
  ['kundig', 'kuendig'],
  ['ungultig', 'ungueltig'],
  ['wunsch', 'wuensch'],
  ['mocht', 'moecht'],
  ['empfang', 'empfaeng'],
  ['rucklaufer', 'ruecklaeufer'],
  ['ruckl', 'rueckl'],
  ['abgang', 'abgaeng'],
  ['onsk', 'oensk'],
  ['ophort', 'ophoert'],
  ['afdod', 'afdoed'],
  ['avdod', 'avdoed'],
  ['maikke', 'maaikke'],
] as const;

const ASCII = /^[\x20-\x7e]*$/;

// Does the work of `wordsOf` for ASCII text. Most cells are ASCII, and need no slow steps for other letters.
function asciiWordsOf(text: string): string {
  return ALREADY_WORDS.test(text) ? text : spelledWordsOf(text);
}

// Matches text that `wordsOf` would not change.
const ALREADY_WORDS = /^[a-z\d]+(?: [a-z\d]+)*$/;

function spelledWordsOf(text: string): string {
  const small = /[A-Z]/.test(text)
    ? text
        .replace(/([a-z\d])([A-Z])/g, '$1 $2')
        .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
        .toLowerCase()
    : text;
  return small
    .replaceAll("'", '')
    .replace(/[^a-z\d]+/g, ' ')
    .trim();
}

function anyWordsOf(text: string): string {
  const separated = text
    .normalize('NFKC')
    .replace(/\p{Cf}+/gu, '')
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2');
  return withoutAccents(separated)
    .toLowerCase()
    .replace(/[ßæœøłđıёیىک]/gu, (letter) => PLAIN_LETTERS[letter] ?? letter)
    .replace(/[’'ʼ]/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

const TAG = /<\/?[a-z][^<>]*>/giu;
// Matches an HTML entity for a letter with an accent, such as `&eacute;`.
const LETTER_ENTITY = /&([a-z])(?:acute|grave|circ|uml|tilde|cedil|ring|slash|caron);/giu;
const ENTITY = /&(?:[a-z]{2,8}|#\d{1,5}|#x[\da-f]{1,4});/giu;

/** A cell without HTML markup: `<b>Opted&nbsp;out</b>` becomes `Opted out`. */
export function withoutMarkup(text: string): string {
  return /[<&]/.test(text) ? text.replace(TAG, ' ').replace(LETTER_ENTITY, '$1').replace(ENTITY, ' ').trim() : text;
}

/** Removes the blanks between words, so that `optout` and `opt out` are equal. */
export function withoutBlanks(words: string): string {
  return words.replaceAll(' ', '');
}

/** The text without accents. */
export function withoutAccents(text: string): string {
  return text.normalize('NFD').replace(ACCENTS, '').normalize('NFC');
}
