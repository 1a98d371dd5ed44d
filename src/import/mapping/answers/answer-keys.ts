import { bareWord, wordKey } from '../../../platforms/lib/status-words.ts';

/**
 * The look-up key of a status word. A colon stays, so that `Mail:no` differs from the word `mail-no`. The name of a
 * column counts without case, accents and punctuation, unless it is only signs (`★:no`).
 */
export function statusWordKey(word: string): string {
  const cut = word.lastIndexOf(':');
  const names = cut < 0 ? [] : word.slice(0, cut).split(':');
  return [...names.map((name) => bareWord(name) || name.trim()), textKey(word.slice(cut + 1))].join(':');
}

/**
 * The key by which a cell is compared with an answer. A word counts like the word in another case and with other
 * accents, blanks, hyphens, dots and quotes: `opt-out`. In numbers, dates, addresses, short codes and words with
 * another sign each sign counts: `1.5` is not 15, `A+` is not A, and `Pro+` is not Pro.
 */
export function textKey(text: string): string {
  const isWord = !OTHER_SIGN.test(text) && WORD.test(bareWord(text));
  return isWord
    ? wordKey(text)
    : text
        .normalize('NFKC')
        .replace(/(?:\p{Cf}|\uFE0F)+/gu, '')
        .replace(/\s+/g, ' ')
        .trim()
        .toLowerCase();
}

const WORD = /^\p{L}{3,}$/u;
// Matches a sign that does not only separate or end words.
const OTHER_SIGN = /[^\p{L}\p{M}\p{Cf}\p{Pd}\p{Pi}\p{Pf}\s_.,;'"„‚]/u;
