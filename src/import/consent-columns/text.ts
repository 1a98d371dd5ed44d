const SPELLED: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ı: 'i',
  ё: 'е',
};

// Not the voicing marks of kana, which make other letters; Hangul is put together again.
const ACCENTS = /[^\P{M}\u3099\u309a]+/gu;

/**
 * A header or a cell as words: no case, accents, punctuation or invisible characters, one blank between words.
 * `HasOptedOutOfEmail`, `has_opted_out_of_email` and `Has Opted-Out of Email` are all `has opted out of email`.
 */
export function wordsOf(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Cf}+/gu, '')
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .normalize('NFD')
    .replace(ACCENTS, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[ßæœøłđıё]/gu, (letter) => SPELLED[letter] ?? letter)
    .replace(/[’'ʼ]/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** The same without blanks, so that `optout`, `opt out` and `OPTOUT` are one word. */
export function squashed(words: string): string {
  return words.replaceAll(' ', '');
}

/** A regular expression for any of these, given as lines of words; a blank in a word may be missing or there. */
export function anyOf(...lines: readonly string[]): RegExp {
  return new RegExp(
    lines
      // Written here as people write them, `й` for instance, and looked for in text without accents.
      .map((line) => line.normalize('NFD').replace(ACCENTS, '').normalize('NFC'))
      .flatMap((line) => line.split(/[\s,]+/))
      .filter(Boolean)
      .join('|'),
    'u',
  );
}
