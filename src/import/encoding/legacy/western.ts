import iconv from 'iconv-lite';

/** windows-1252 or macintosh, and whether the user must confirm it (`ambiguous`). */
interface WesternReading {
  readonly encoding: 'windows-1252' | 'macintosh';
  readonly certainty: 'guessed' | 'ambiguous';
}

/**
 * Chooses between windows-1252 and macintosh: the one in which more letters fit into their words. The user must always
 * confirm macintosh.
 */
export function westernOrMac(foreign: Buffer): WesternReading {
  const western = readability(iconv.decode(foreign, 'windows-1252'));
  const mac = readability(iconv.decode(foreign, 'macintosh'));
  if (western.isForeign || western.isBroken || standsInRuns(foreign)) {
    return { encoding: 'windows-1252', certainty: 'ambiguous' };
  }
  const isMac = mac.score > western.score || (mac.score === western.score && hasLoneReturns(foreign));
  return isMac ? { encoding: 'macintosh', certainty: 'ambiguous' } : { encoding: 'windows-1252', certainty: 'guessed' };
}

// True if most bytes beyond ASCII, and at least six, stand beside another such byte. Then the encoding has two bytes
// for a character, because letters beyond ASCII rarely stand side by side in Western words.
function standsInRuns(bytes: Buffer): boolean {
  let total = 0;
  let inRuns = 0;
  bytes.forEach((byte, position) => {
    const isForeign = byte > 0x7f;
    const isBesideForeign = (bytes[position - 1] ?? 0) > 0x7f || (bytes[position + 1] ?? 0) > 0x7f;
    total += isForeign ? 1 : 0;
    inRuns += isForeign && isBesideForeign ? 1 : 0;
  });
  return inRuns >= 6 && inRuns * 2 > total;
}

function hasLoneReturns(bytes: Buffer): boolean {
  return bytes.includes(13) && !bytes.includes(10);
}

/** How much a decoded text looks like a Western language. */
interface Readability {
  /** The number of letters that fit between their neighbors, minus those that don't fit. */
  readonly score: number;
  /** True if whole words consist of letters beyond ASCII. The text is then in another script, such as Cyrillic. */
  readonly isForeign: boolean;
  /**
   * True if symbols stand inside words, as in `Pawe³` and `D¹browski`. The text is then in the encoding of a Latin
   * alphabet that is not Western, such as Polish.
   */
  readonly isBroken: boolean;
}

/** Rates a decoded text. Only its characters beyond ASCII count. */
function readability(text: string): Readability {
  let score = 0;
  let lettersInLongRuns = 0;
  let letters = 0;
  let characters = 0;
  for (const { 0: run, index } of text.matchAll(/[^\0-\x7f]+/g)) {
    const neighbors = { before: text[index - 1] ?? ' ', after: text[index + run.length] ?? ' ' };
    const lettersInRun = [...run].filter((character) => /\p{L}/u.test(character)).length;
    letters += lettersInRun;
    characters += run.length;
    lettersInLongRuns += lettersInRun > 2 ? lettersInRun : 0;
    score += fitOfRun(run, neighbors);
  }
  const symbols = text.match(SYMBOL_IN_WORD)?.length ?? 0;
  const isForeign = lettersInLongRuns >= 3 && lettersInLongRuns > letters / 2;
  return { score, isForeign, isBroken: symbols >= 2 && symbols * 5 >= characters };
}

// Matches symbols inside words, such as `³` in `Pawe³`. No Western word has them, but encodings of neighboring
// languages have letters with the same bytes.
const SYMBOL_IN_WORD = /(?<=\p{L})[¢£¤¥¯³¹¼½¾¿¡](?=\p{L})|(?<=\p{Ll})[¢£¥¯³¹¼¾¿¡](?![\p{L}\d])/gu;

function fitOfRun(run: string, { before, after }: { readonly before: string; readonly after: string }): number {
  const characters = [before, ...run, after];
  return [...run].reduce((sum, character, index) => {
    const left = characters[index] ?? ' ';
    const right = characters[index + 2] ?? ' ';
    return sum + fitOf(character, left, right);
  }, 0);
}

function fitOf(character: string, left: string, right: string): number {
  if (/[\u0080-\u009f\ufffd]/.test(character)) {
    return -2;
  }
  if (isLower(character)) {
    return (isLetter(left) && !isUpper(right)) || (!isLetter(left) && isLower(right)) ? 1 : -1;
  }
  if (isUpper(character)) {
    return isLower(left) ? -1 : isLetter(right) ? 1 : 0;
  }
  return punctuationFit(character, isLetter(left), isLetter(right));
}

// Rates a punctuation mark. Typographic quotes open before a letter and close after one. Of the marks only apostrophe
// and hyphen join two letters.
function punctuationFit(character: string, isAfterLetter: boolean, isBeforeLetter: boolean): number {
  if (/[“‘«]/.test(character)) {
    return isBeforeLetter && !isAfterLetter ? 1 : 0;
  }
  if (/[”»’…]/.test(character)) {
    return isAfterLetter && (character === '’' || !isBeforeLetter) ? 1 : 0;
  }
  return isAfterLetter && isBeforeLetter && !/[\u2010-\u2013]/.test(character) ? -1 : 0;
}

function isLetter(character: string): boolean {
  return /\p{L}/u.test(character);
}

function isLower(character: string): boolean {
  return /\p{Ll}/u.test(character);
}

function isUpper(character: string): boolean {
  return /\p{Lu}/u.test(character);
}
