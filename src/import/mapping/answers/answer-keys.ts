import { headerOrNumber } from '../../../platforms/lib/headers.ts';
import { bareWord, wordKey } from '../../../platforms/lib/status-words.ts';

/**
 * Makes a function that gives the indexes of the columns that a name means. The exact header counts first, then the
 * header without case and outer blanks, then without accents and punctuation, then a number from 1. So `Mail+:x` is not
 * about `Mail-`, and a number that is a header means only the columns with this header.
 */
export function answerColumns(header: readonly string[]): (name: string) => readonly number[] {
  const indexesBy = KEYS_OF_COLUMNS.map((keyOf) => ({
    keyOf,
    indexes: Map.groupBy(header.keys(), (index) => keyOf(headerOrNumber(header, index))),
  }));
  return (name) => {
    const number = /^[1-9]\d*$/.test(name.trim()) ? Number(name) : 0;
    const [found] = indexesBy.flatMap(({ keyOf, indexes }) => {
      const named = indexes.get(keyOf(name));
      return named === undefined ? [] : [named];
    });
    return found ?? (number > 0 && number <= header.length ? [number - 1] : []);
  };
}

const KEYS_OF_COLUMNS: readonly ((column: string) => string)[] = [
  (column) => column.normalize(),
  (column) => column.normalize().trim().toLowerCase(),
  columnKey,
];

/**
 * The key of a column in answers: its name without case, accents and punctuation, unless it has only symbols (`★:no`).
 */
function columnKey(column: string): string {
  return column
    .split(':')
    .map((name) => bareWord(name) || name.trim())
    .join(':');
}

/**
 * The key of an answer, without differences that never matter: the case of a column name and the spelling of a word. So
 * `status:Left` replaces `Status:left` of a mapping file. The name of a file counts as typed.
 */
export function spellingKey(subject: string): string {
  const parts = subject.split(':');
  const columns = parts.slice(0, -1).map((part) => (FILE_NAME.test(part) ? part : part.trim().toLowerCase()));
  return [...columns, textKey(parts.at(-1) ?? '')].join(':');
}

/** Matches the name of a file that svc reads. */
export const FILE_NAME = /\.(?:csv|tsv|tab|txt|json|zip|gz)$/i;

/**
 * The key by which a cell is compared with an answer. In a word, case, accents, blanks, hyphens, dots and quotes do not
 * count: `opt-out` is `Opt out`. In numbers, dates, addresses, short codes and words with another symbol, each
 * character counts. So `1.5` is not 15, `A+` is not A, and neither `Pro+` nor `Pro-` is Pro. Marks count in scripts
 * where a mark makes a different letter, such as `バ` from `ハ`. In a text with colons, each part has a key of its own,
 * so `A+:x` is not `A-:x`, and `Mail:no` is not `mail-no`.
 */
export function textKey(text: string): string {
  return text.includes(':') ? text.split(':').map(partKey).join(':') : partKey(text);
}

/**
 * The values of a cell that has several, such as tags: `VIP, Gold`, `["VIP","Gold"]`, or one value in each line. Any
 * other cell has one value, its whole text. A comma before a digit is part of a number. Blank values are left out.
 */
export function listedValues(cell: string): readonly string[] {
  const list = WHOLE_LIST.exec(cell)?.[1] ?? cell;
  const values = list.replace(LIST_TAGS, '\n').split(VALUE_SEPARATOR);
  return values.map((value) => QUOTED.exec(value)?.[2] ?? value.trim()).filter((value) => value !== '');
}

/** True if a cell is a list of values, perhaps of only one: `["Gold"]`. */
export function isList(cell: string, values: readonly string[]): boolean {
  return values.length > 1 || (values.length === 1 && values[0] !== cell.trim());
}

// Matches a list in JSON or in a similar form: `["VIP","Gold"]`, `{VIP,Gold}`.
const WHOLE_LIST = /^\s*[[{]([^[\]{}]*)[\]}]\s*$/;
const LIST_TAGS = /<\/?(?:li|ul|ol|br|p|div)\b[^<>]*>/gi;
// Matches what stands between two values. Other characters, such as a blank or a hyphen, may be inside a value.
const VALUE_SEPARATOR = /[;|\r\n\t;、，；｜•·]|\s\/\s|,(?!\d)/;
const QUOTED = /^\s*(["'])(.*)\1\s*$/s;

/** The word of an answer for all other words: `Notes:*=skip`. */
export const ALL_OTHER_WORDS = '*';

// The key of the answer `*`. No cell has this key, because a `textKey` is in lower case.
const ALL_OTHER_KEY = 'ALL';

/** True for `*`, the word of an answer that counts for all other words. */
export function isForAllWords(word: string): boolean {
  return answeredKey(word) === ALL_OTHER_KEY;
}

/**
 * The key of the word of an answer. It is the `textKey` of the cells that the answer means. `*` means all other words,
 * and `\*` the cell `*`.
 */
export function answeredKey(word: string): string {
  const key = textKey(answeredWord(word));
  return key === ALL_OTHER_WORDS && !isMarked(word) ? ALL_OTHER_KEY : key;
}

/** The word that an answer means: `*` for `\*`. */
export function answeredWord(word: string): string {
  return isMarked(word) ? word.trim().slice(1) : word;
}

/**
 * True for a word of an answer with a backslash that marks the rest as a plain word: `\*`. Before a word without a
 * special meaning, the backslash is a part of the word, as in `\N`.
 */
function isMarked(word: string): boolean {
  const text = word.trim();
  const plain = text.replace(/^\\+/, '');
  return plain !== text && isSpecial(plain);
}

/**
 * A word of the input as an answer must write it. A word with a special meaning in answers gets a backslash: `*`, and
 * in an answer without a column also `@example.org` and `3:left`.
 */
export function plainWord(word: string, hasColumn: boolean): string {
  const isOther = hasColumn ? textKey(word) === ALL_OTHER_WORDS : isSpecial(word);
  return isOther || isMarked(word) ? `\\${word.trim()}` : word;
}

function isSpecial(word: string): boolean {
  return textKey(word) === ALL_OTHER_WORDS || word.trim().startsWith('@') || word.includes(':');
}

// The maximum number of colons at which svc divides a text. It reads the whole text once for each colon, and a huge
// cell may have very many colons.
const MAX_COLONS = 20;

/** True for a text with so many colons that svc does not test which of them ends the name of a column. */
export function hasManyColons(text: string): boolean {
  return text.split(':', MAX_COLONS + 2).length > MAX_COLONS + 1;
}

/**
 * The ways to divide an answer into column and word: `Status:10:30` may be the word `10:30` of the column `Status`, or
 * the word `30` of the column `Status:10`. A word that is marked as plain is not divided: `Status:\10:30`.
 */
export function readingsOfColons(subject: string): readonly { readonly name: string; readonly word: string }[] {
  const parts = subject.split(':');
  const marked = parts.findIndex((_, index) => isMarked(parts.slice(index).join(':')));
  return parts
    .slice(1, marked < 0 ? undefined : marked + 1)
    .map((_, index) => ({ name: parts.slice(0, index + 1).join(':'), word: parts.slice(index + 1).join(':') }));
}

function partKey(text: string): string {
  const isWord = !OTHER_CHARACTER.test(text) && !OUTER_DASH.test(text) && WORD.test(bareWord(text));
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
// Matches a character that is no letter, and that does more than separate or end words, such as a digit or `+`.
const OTHER_CHARACTER = /[^\p{L}\p{M}\p{Cf}\p{Pd}\p{Pi}\p{Pf}\s_.,;'"„‚]/u;
