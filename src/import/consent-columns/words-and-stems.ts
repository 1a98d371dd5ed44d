const SPELLED: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ı: 'i',
  ё: 'е',
  // The letters of Persian for those of Arabic, because many people type either.
  ی: 'ي',
  ى: 'ي',
  ک: 'ك',
};

// Matches accents, except the voicing marks of kana, which make other letters.
const ACCENTS = /[^\P{M}\u3099\u309a]+/gu;

/**
 * A header or a cell as words: no case, accents, punctuation or invisible characters, and one blank between words.
 * `HasOptedOutOfEmail`, `has_opted_out_of_email` and `Has Opted-Out of Email` all become `has opted out of email`.
 */
export function wordsOf(text: string): string {
  return ASCII.test(text) ? asciiWordsOf(text) : anyWordsOf(text);
}

const ASCII = /^[\x20-\x7e]*$/;

// The words of ASCII text, without the costly steps for other letters. Most cells are ASCII.
function asciiWordsOf(text: string): string {
  return ALREADY_WORDS.test(text) ? text : spelledWordsOf(text);
}

// Text that is already in the form of `wordsOf`.
const ALREADY_WORDS = /^[a-z\d]+(?: [a-z\d]+)*$/;

function spelledWordsOf(text: string): string {
  return text
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
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
    .replace(/[ßæœøłđıёیىک]/gu, (letter) => SPELLED[letter] ?? letter)
    .replace(/[’'ʼ]/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

// An HTML tag.
const TAG = /<\/?[a-z][^<>]*>/giu;
// An entity of HTML for a letter with an accent, such as `&eacute;`.
const LETTER_ENTITY = /&([a-z])(?:acute|grave|circ|uml|tilde|cedil|ring|slash|caron);/giu;
// Any other entity of HTML.
const ENTITY = /&(?:[a-z]{2,8}|#\d{1,5}|#x[\da-f]{1,4});/giu;

/** A cell without the HTML around its words: `<b>Opted&nbsp;out</b>` becomes `Opted out`. */
export function withoutMarkup(text: string): string {
  return /[<&]/.test(text) ? text.replace(TAG, ' ').replace(LETTER_ENTITY, '$1').replace(ENTITY, ' ').trim() : text;
}

/** Removes blanks too, so that `optout`, `opt out` and `OPTOUT` are one word. */
export function withoutBlanks(words: string): string {
  return words.replaceAll(' ', '');
}

/**
 * True if a word without blanks holds a stem, or several words do together: `opt out` holds `optout`. A stem that
 * begins inside a word and ends in a later one is none: `casino newsletter` holds no `nonewsletter`.
 */
export function findsStem(stem: RegExp, words: string): boolean {
  const text = withoutBlanks(words);
  if (!stem.test(text) || text === words) {
    return stem.test(text);
  }
  const starts = startsOf(words);
  const isWhole = ({ index, 0: found }: RegExpExecArray) =>
    starts.has(index) || !found.split('').some((_, at) => at > 0 && starts.has(index + at));
  const next = new RegExp(stem.source, 'gu');
  // After a match that is none, the next one may overlap with it: `like newsletter` holds no `enewsletter`.
  for (let found = next.exec(text); found; found = next.exec(text)) {
    if (isWhole(found)) {
      return true;
    }
    next.lastIndex = found.index + 1;
  }
  return false;
}

// The places at which a word begins once the blanks are removed.
function startsOf(words: string): ReadonlySet<number> {
  const starts = new Set<number>();
  let at = 0;
  for (const word of words.split(' ')) {
    starts.add(at);
    at += word.length;
  }
  return starts;
}

/** A regular expression for any of these stems, given as lines of stems, for text without blanks. */
export function anyOf(...lines: readonly string[]): RegExp {
  return new RegExp(stemsOf(lines), 'u');
}

/** A regular expression for any of these stems as a whole word, in any script; `_` stands for a blank. */
export function wordOf(...lines: readonly string[]): RegExp {
  return new RegExp(`(?:^| )(?:${stemsOf(lines).replaceAll('_', ' ')})(?= |$)`, 'u');
}

/** A regular expression for words that begin with any of these stems; `_` stands for a blank. */
export function startOf(...lines: readonly string[]): RegExp {
  return new RegExp(`(?:^| )(?:${stemsOf(lines).replaceAll('_', ' ')})`, 'u');
}

// Removes the accents of the stems, for example that of `й`, because the searched text has none.
function stemsOf(lines: readonly string[]): string {
  return lines
    .map((line) => line.normalize('NFD').replace(ACCENTS, '').normalize('NFC'))
    .flatMap((line) => line.split(/[\s,]+/))
    .filter(Boolean)
    .join('|');
}
