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
  return text
    .normalize('NFKC')
    .replace(/\p{Cf}+/gu, '')
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .normalize('NFD')
    .replace(ACCENTS, '')
    .normalize('NFC')
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

/**
 * True if the text contains a stem when its blanks are removed: `opt out` contains `optout`. A stem that begins inside
 * a word must end in the same word: `casino newsletter` does not contain `nonewsletter`.
 */
export function containsStem(stem: RegExp, words: string): boolean {
  const text = withoutBlanks(words);
  if (!stem.test(text) || text === words) {
    return stem.test(text);
  }
  const starts = startsOf(words);
  // `de suscripción` is about a subscription, `desuscripción` about its end.
  const isWhole = ({ index, 0: matched }: RegExpExecArray) =>
    (starts.has(index) && !(matched.startsWith('desuscr') && starts.has(index + 2))) ||
    !matched.split('').some((_, position) => position > 0 && starts.has(index + position));
  const next = globalCopyOf(stem);
  next.lastIndex = 0;
  // A match that does not count may overlap with the next one, so the search continues one letter later.
  for (let match = next.exec(text); match; match = next.exec(text)) {
    if (isWhole(match)) {
      return true;
    }
    next.lastIndex = match.index + 1;
  }
  return false;
}

/** The pattern with the flag `g`. Each has only one copy, because V8 takes milliseconds to compile a long pattern. */
export function globalCopyOf(pattern: RegExp): RegExp {
  const copy = globalCopies.get(pattern) ?? new RegExp(pattern, `${pattern.flags}g`);
  globalCopies.set(pattern, copy);
  return copy;
}

const globalCopies = new WeakMap<RegExp, RegExp>();

// The index of each word's first letter in the text without blanks.
function startsOf(words: string): ReadonlySet<number> {
  const starts = new Set<number>();
  let position = 0;
  for (const word of words.split(' ')) {
    starts.add(position);
    position += word.length;
  }
  return starts;
}

/** Matches any of these stems in text without blanks. Each line has several stems. */
export function stemPattern(...lines: readonly string[]): RegExp {
  return compileWords(stemsOf(lines));
}

/** Matches any of these stems as a whole word, in any script. `_` stands for a blank. */
export function wordPattern(...lines: readonly string[]): RegExp {
  return compileWords(`(?:^| )(?:${stemsOf(lines).replaceAll('_', ' ')})(?= |$)`);
}

/** Matches words that begin with any of these stems. `_` stands for a blank. */
export function wordStartPattern(...lines: readonly string[]): RegExp {
  return compileWords(`(?:^| )(?:${stemsOf(lines).replaceAll('_', ' ')})`);
}

/**
 * Makes a pattern for texts from `wordsOf`. They have only letters, digits and blanks, so a letter is any character
 * that is neither digit nor blank. This pattern is faster: V8 takes ten times longer to compile `\p{L}` with its flag
 * `u`.
 */
export function compileWords(source: string): RegExp {
  // `\p{L}` inside a class such as `[\p{L}\d]` stays unchanged.
  const simple = source.replace(/\[[^[\]]{0,300}\]|\\p\{L\}/g, (found) => (found === '\\p{L}' ? '[^\\d ]' : found));
  const pattern = new RegExp(simple, simple.includes('\\p{') ? 'u' : '');
  newPatterns.push(pattern);
  return pattern;
}

const newPatterns: RegExp[] = [];

/**
 * Makes V8 compile the patterns now, to machine code. By default V8 compiles a pattern to bytecode for its first text
 * and to machine code for its second. For a long first text it compiles only once, which halves the time.
 */
export function prepareWordPatterns(): void {
  for (const pattern of newPatterns.splice(0)) {
    pattern.test(LONG_TEXT);
  }
}

// V8 counts texts of 1,000 characters and more as long. No pattern matches this text, so the search is quick.
const LONG_TEXT = '~'.repeat(1_000);

// The stems as alternatives of a regular expression, without accents, because the searched text has none. The limits
// such as `{0,60}` keep the time linear, because a header can have thousands of letters.
function stemsOf(lines: readonly string[]): string {
  return lines
    .map((line) => line.normalize('NFD').replace(ACCENTS, '').normalize('NFC'))
    .flatMap((line) => line.split(/[\s,]+/))
    .filter(Boolean)
    .map((stem) => stem.replaceAll('.*', '.{0,60}').replaceAll(/(?<=\\p\{L\}|\\w)\*/gu, '{0,40}'))
    .join('|');
}
