import { bareWord, isBlankMark, isDeniedAnswer, readBoolean } from './status-words.ts';

const EMPTY_WORDS: ReadonlySet<string> = new Set(
  'null none na nil undefined nan blank empty unset leer vide vacio'.split(' '),
);

// Matches what programs write for no date: the first or last day of a calendar, without its punctuation (`19700101`).
const NO_DAY =
  /^(?:0{4,}.*|(?:0001|1753|1900|1970)0101|(?:01){2}(?:0001|1753|1900|1970)|1899123[01]|3[01]121899|123[01]1899|19000100|00011900|99991231|31129999|12319999)(?:t?\d{4,9}z?)?$/;

// A quick test: words for an empty cell never begin with one of these letters or digits.
const FILLED_START = /^[acdf-kmo-tw-z24-8]/i;

/** For each first byte of a cell: 1 if `isEmptyValue` can be true for the cell. */
export const EMPTY_STARTS: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) =>
  FILLED_START.test(String.fromCharCode(byte)) ? 0 : 1,
);

/** True for a cell without content: blank, a dash, `NULL`, `n/a`, a date of zeros. Symbols such as `*` are content. */
export function isEmptyValue(text: string): boolean {
  const word = FILLED_START.test(text) ? text : bareWord(text);
  return word === '' ? isBlankMark(text) : EMPTY_WORDS.has(word) || NO_DAY.test(word) || ZERO_DAY.test(text);
}

// Matches the number 0 as spreadsheets show it in a column of dates: `1/0/1900`, `0-Jan-00`.
const ZERO_DAY =
  /^\s*(?:0?1[/.-]00?[/.-]1900|00?[/.-]0?1[/.-]1900|00?-jan-(?:19)?00)(?:,?\s+(?:0?0:00|12:00)(?::00)?(?:\s*am)?)?\s*$/i;

/** True for what programs write for a missing time: a negative number, `NaT`, `infinity`, a year such as 2999. */
export function isMissingTime(text: string): boolean {
  return MISSING_TIME.test(text) || FAR_YEAR.test(text);
}

// Matches texts for a missing time. The Unix time 0 is the evening before 1970 in American time zones: `1969-12-31
// 19:00`.
const MISSING_TIME =
  /^(?:-\d+(?:\.0+)?|nat|invalid date|1969-12-31[ T].*|12\/31\/1969 .*|31[./]12[./]1969 .*|[-+]?inf(?:inity)?|\u221e)$/iu;
const FAR_YEAR = /^(?:(?:2[1-9]|[3-9]\d)\d\d-\d\d-\d\d(?!\d).*|\d\d[./]\d\d[./](?:2[1-9]|[3-9]\d)\d\d(?!\d).*)$/u;

/** True for the time 0. Programs write it for a day that never came, so as an answer it means no. */
export function isNoTime(cell: string): boolean {
  const first = cell.charCodeAt(0);
  // Most cells begin with a visible ASCII character other than 0, and need no search.
  return (first === ZERO || first <= 0x20 || first > 0x7e) && NO_TIME.test(cell);
}

const ZERO = '0'.charCodeAt(0);

const NO_TIME = /^\s*0(?:\.0+)?\s*$/;

/**
 * True for a cell that is filled only because something happened, such as the date of an opt-out or the reason of a
 * bounce. False for all that programs write for a blank: `NULL`, `N/A`, `0000-00-00`, a plain no. A year such as 2999
 * counts as filled, because it may also be a typing error, or the year of another calendar.
 */
export function isFilledCell(cell: string): boolean {
  const isNo = readBoolean(cell) === false && !isDeniedAnswer(cell, { isNo: true });
  const isMissing = MISSING_TIME.test(cell.trim()) && !SHORT_NEGATIVE.test(cell);
  const isEmpty = isEmptyValue(cell) && !(BEGINS_WITH_ZEROS.test(cell) && !DATE_OF_ZEROS.test(cell));
  return !isNo && !isMissing && !isEmpty && !isNoTime(cell);
}

// Zeros are a blank only as a whole date. `00:00.0` is a time as spreadsheets save it.
const BEGINS_WITH_ZEROS = /^\W*0\W*0\W*0\W*0/u;
const DATE_OF_ZEROS =
  /^\s*["'(]?0{4}[-/.]?0?0[-/.]?0?0(?:[T\s]+0?0:00(?::00(?:\.0+)?)?)?(?:Z|[-+]00:?00)?["')]?\s*$|^\s*0?0[-/.]0?0[-/.]0{4}(?:[T\s].*)?$/iu;

// A short negative number may be a code, and `-1` also means true, as in Microsoft Access.
const SHORT_NEGATIVE = /^\s*-\d{1,4}(?!\d)/;
