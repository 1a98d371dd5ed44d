import { bareWord, wordKey } from '../../../platforms/lib/status-words.ts';

/**
 * The keys of an answer, under each reading of its colons: a word of any column, or a word of a column. `Status:10:30`
 * may be that word, `10:30` of the column `Status`, or `30` of the column `Status:10`.
 */
export function answerKeys(subject: string): readonly string[] {
  const parts = subject.split(':');
  const inColumns = parts
    .slice(1)
    .map((_, index) => columnWordKey(parts.slice(0, index + 1).join(':'), parts.slice(index + 1).join(':')));
  return [textKey(subject), ...inColumns];
}

/** The key of an answer for a word of one column. */
export function columnWordKey(column: string, word: string): string {
  return `${columnKey(column)}\n${textKey(word)}`;
}

/** The key of a column in answers: its name without case, accents and punctuation, unless it is only signs (`★:no`). */
export function columnKey(column: string): string {
  return column
    .split(':')
    .map((name) => bareWord(name) || name.trim())
    .join(':');
}

/**
 * The key of an answer without the differences of spelling that never matter: the case of a column and the spelling of
 * a word. So `status:Left` replaces `Status:left` of a mapping file. The name of a file counts as typed.
 */
export function spellingKey(subject: string): string {
  const parts = subject.split(':');
  const columns = parts.slice(0, -1).map((part) => (FILE_NAME.test(part) ? part : part.trim().toLowerCase()));
  return [...columns, textKey(parts.at(-1) ?? '')].join(':');
}

/** Matches the name of a file that svc reads. */
export const FILE_NAME = /\.(?:csv|tsv|tab|txt|json|zip|gz)$/i;

/**
 * The key by which a cell is compared with an answer. A word counts like the word in another case and with other
 * accents, blanks, hyphens, dots and quotes: `opt-out`. In numbers, dates, addresses, short codes and words with
 * another sign each sign counts: `1.5` is not 15, `A+` is not A, and neither `Pro+` nor `Pro-` is Pro. In scripts in
 * which marks make other letters, such as `ハ` and `バ`, they count too. In a text with colons, each part has a key of
 * its own, so `A+:x` is not `A-:x`, and `Mail:no` is not `mail-no`.
 */
export function textKey(text: string): string {
  return text.includes(':') ? text.split(':').map(partKey).join(':') : partKey(text);
}

function partKey(text: string): string {
  const isWord = !OTHER_SIGN.test(text) && !OUTER_DASH.test(text) && WORD.test(bareWord(text));
  return isWord
    ? wordKey(text)
    : text
        .normalize('NFKC')
        .replace(/(?:\p{Cf}|\uFE0F)+/gu, '')
        .replace(/\s+/g, ' ')
        .trim()
        .toLowerCase();
}

// Matches a word in a script in which a letter with an accent counts like the letter without it.
const WORD =
  /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Georgian}\p{Script=Hebrew}\p{Script=Arabic}]{3,}$/u;
// Matches a dash before or after a word, which may be a minus: `Pro-`, `-Pro`.
const OUTER_DASH = /^\s*\p{Pd}|\p{Pd}\s*$/u;
// Matches a sign that does not only separate or end words.
const OTHER_SIGN = /[^\p{L}\p{M}\p{Cf}\p{Pd}\p{Pi}\p{Pf}\s_.,;'"„‚]/u;
