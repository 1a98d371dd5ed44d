import { addToCount, sumOf } from '../../../../base/lib/rows.ts';
import { plural } from '../../../../base/lib/text.ts';
import { attributeKey } from '../../../../platforms/lib/attribute-keys.ts';
import { headerOrNumber } from '../../../../platforms/lib/headers.ts';
import type { State } from '../../../../platforms/lib/states.ts';
import { NONE } from '../../../../platforms/lib/status-words.ts';
import { isDate } from '../../../consent-columns/cells/days.ts';
import { meansOptOut, namesOptOutDate } from '../../../consent-columns/headers/date-headers.ts';
import { optOutReader } from '../../../consent-columns/other-columns/read-words.ts';
import { isBusinessWord } from '../../../consent-columns/words/value-words.ts';
import { ALL_OTHER_WORDS, plainWord } from '../../../mapping/answers/answer-keys.ts';
import {
  allWordsOf,
  columnName,
  mapFlag,
  statusMapFlag,
  withInputName,
  wordInColumn,
} from '../../../mapping/column-names.ts';
import type { Table } from '../../../mapping/table.ts';
import type { UnknownWord } from '../../statistics/status-statistics.ts';
import { type ValueCounts, valuesInColumn } from '../../statistics/value-counts.ts';
import { MAX_ANSWERS } from '../check-context.ts';
import { likelyState, type UnknownColumn } from './likely-state.ts';

interface AskedColumn extends UnknownColumn {
  /** True if the answers must name the column (`Status:cold`), because svc asks about another column too. */
  readonly namesColumn: boolean;
}

/** The most likely answers for the unknown words of a column. */
export interface ColumnAnswers {
  readonly flags: readonly string[];
  /** The effects of the flags, each with its number of rows. */
  readonly effects: readonly (readonly [what: string, rows: number])[];
  /** The most likely state of each word, with its rows. Empty if the flags answer for the whole column. */
  readonly states: readonly (readonly [word: string, state: State, rows: number])[];
  /** `column` is the header; `ignore` is the value of `--map` with which svc ignores the column. */
  readonly column: string | undefined;
  readonly ignore: string | undefined;
  /** The word in the form that `--status-map` takes: `cold`, or `Status:cold` for one column. */
  answerTo(word: string): string;
  /** The flag that gives a state to a word. */
  flagFor(word: string, state: State): string;
}

/**
 * The most likely answers for the unknown words of one column. By default a word is skipped, so that it causes no mail.
 * An opt-out word keeps its state. A yes beside a no can count as subscribed. A column of sales or order states becomes
 * an attribute, and a column of opt-out dates becomes the opt-out date.
 */
export function answersFor(column: AskedColumn, words: readonly UnknownWord[]): ColumnAnswers {
  const { table, index } = column;
  const formOf = answerForm(column, words);
  return {
    ...(answerForWholeColumn(column, words) ?? answersForWords(column, words, formOf)),
    column: index === undefined ? undefined : headerOrNumber(table.header, index),
    ignore: index === undefined ? undefined : `${withInputName(table, columnName(table, index))}=ignore`,
    answerTo: (word) => withInputName(table, formOf(word)),
    flagFor: (word, state) => statusMapFlag(table, formOf(word), state),
  };
}

type Answers = Pick<ColumnAnswers, 'flags' | 'effects' | 'states'>;

// The answer for all words of the column at once. Undefined if each word needs its own.
function answerForWholeColumn(column: UnknownColumn, words: readonly UnknownWord[]): Answers | undefined {
  const { table, values, index } = column;
  if (index === undefined) {
    return undefined;
  }
  const filled = words.filter(({ word }) => word !== '');
  // A column without any value says nothing about a person, so the other columns decide.
  if (filled.length === 0 && valuesInColumn(values, index).every(({ value }) => value === '')) {
    const flags = [mapFlag(table, columnName(table, index), 'ignore')];
    return { flags, effects: [['leaves the status to other columns in', countRowsWithWords(words)]], states: [] };
  }
  // `closed` under `Closed` is no state of an order.
  const isBusiness =
    filled.length > 0 && filled.every(({ word }) => isBusinessWord(word)) && !meansOptOut(table.header[index]);
  if (isBusiness && isAllUnknown(values, index, filled)) {
    const key = attributeKey(table.header[index] ?? '') || `column_${index + 1}`;
    const flags = [mapFlag(table, columnName(table, index), `attributes.${key}`)];
    return { flags, effects: [['keeps as an attribute', countRowsWithWords(filled)]], states: [] };
  }
  if (isOptOutDateColumn(column, filled)) {
    const flags = [mapFlag(table, columnName(table, index), 'unsubscribed_at')];
    return { flags, effects: [['unsubscribes', countRowsWithWords(filled)]], states: [] };
  }
  if (table.consentColumns.some((other) => other.index === index && other.isPreviousStatus)) {
    const answered =
      words.length > MAX_ANSWERS
        ? [allWordsOf(table.header, index)]
        : words.map(({ word }) => wordInColumn(table.header, index, word));
    const flags = answered.map((word) => statusMapFlag(table, word, 'skip'));
    return { flags, effects: [['skips', countRowsWithWords(words)]], states: [] };
  }
  return undefined;
}

// One answer for each word. Too many words, or words that are hard to type, are skipped together.
function answersForWords(
  column: UnknownColumn,
  words: readonly UnknownWord[],
  formOf: (word: string) => string,
): Answers {
  const { table, index } = column;
  const states = words
    .map((unknown) => [unknown.word, likelyState(unknown, column), unknown.examples.total] as const)
    .toSorted(([first], [second]) => Number(first === '') - Number(second === ''));
  const filled = words.filter(({ word }) => word !== '');
  if (filled.length > MAX_ANSWERS || filled.some(({ word }) => !isShortWord(word))) {
    const all = index === undefined ? ALL_OTHER_WORDS : allWordsOf(table.header, index);
    const answered = words.length > filled.length ? [all, formOf('')] : [all];
    const flags = answered.map((word) => statusMapFlag(table, word, 'skip'));
    return { flags, effects: states.map(([, , rows]) => ['skips', rows]), states: [] };
  }
  const flags = states.map(([word, state]) => statusMapFlag(table, formOf(word), state));
  return { flags, effects: states.map(([, state, rows]) => [EFFECTS[state], rows]), states };
}

// The form in which an answer names a word of the column: `cold`, or `Status:cold` if another column may have one of
// the words. svc does not count all cells of other columns. So it assumes that each other column about consent may have
// one.
function answerForm(column: AskedColumn, words: readonly UnknownWord[]): (word: string) => string {
  const { table, values, index, namesColumn } = column;
  const isOther = (other: number) => other !== index;
  const isAlone =
    !namesColumn &&
    ![...values.keys()].some(isOther) &&
    !table.consentColumns.some((other) => isOther(other.index)) &&
    !words.some(({ word }) => optOutReader('other')(word) !== NONE && hasOtherColumn(table)) &&
    !words.some(({ word }) => needsColumn(word));
  return (word) => (index === undefined || isAlone ? plainWord(word, false) : wordInColumn(table.header, index, word));
}

// True for a word that means something else without its column. `Plan: free` would answer for the column `Plan`, and
// `2: no` for the second column. `@example.org` would answer for all people of that domain.
function needsColumn(word: string): boolean {
  return word.includes(':') || word.startsWith('@');
}

// True if a column about something else may have an opt-out word. The address column is no such column.
function hasOtherColumn({ otherColumns, columnIndexes }: Table): boolean {
  return [...otherColumns].some((index) => index !== columnIndexes.email);
}

// True for dates under a header such as `newsletter_end`, if no other column has the opt-out date. False if the values
// of the column are not counted: it may then have other texts too, which the answer would turn into opt-outs.
function isOptOutDateColumn({ table, values, index = -1 }: UnknownColumn, filled: readonly UnknownWord[]): boolean {
  const isFree = filled.length > 0 && table.columnIndexes.unsubscribed_at < 0 && namesOptOutDate(table.header[index]);
  return isFree && values.has(index) && filled.every(({ word }) => isDate(word)) && isAllUnknown(values, index, filled);
}

// False for a long note or one of several lines: it is hard to read and to type.
export const isShortWord = (word: string) => word.length <= 80 && !word.includes('\n');

export function countRowsWithWords(words: readonly UnknownWord[]): number {
  return sumOf(words.map(({ examples: { total } }) => total));
}

const EFFECTS: Readonly<Record<State, string>> = {
  subscribed: 'subscribes',
  unsubscribed: 'unsubscribes',
  pending: 'skips',
  skip: 'skips',
  none: 'skips',
  bounced: 'suppresses',
  complained: 'suppresses',
  suppressed: 'suppresses',
};

/**
 * A text such as `This subscribes 2 rows, skips 3 rows`. A row with words in several columns counts once. If its words
 * have different effects, each number is an upper limit: `up to 2 rows`.
 */
export function effectText(effects: ColumnAnswers['effects'], repeated: number): string {
  const sums = new Map<string, number>();
  for (const [what, rows] of effects) {
    addToCount(sums, what, rows);
  }
  const isOne = sums.size === 1;
  const upTo = repeated > 0 && !isOne ? 'up to ' : '';
  const text = [...sums]
    .map(([what, rows]) => `${what} ${upTo}${plural(rows - (isOne ? repeated : 0), 'row')}`)
    .join(', ');
  return `This ${text}`;
}

function isAllUnknown(values: ValueCounts, index: number, words: readonly UnknownWord[]): boolean {
  const unknown = new Set(words.map(({ word }) => word));
  return [...(values.get(index)?.keys() ?? [])].every((value) => value === '' || unknown.has(value));
}
