import { memoize } from '../../../base/lib/memoize.ts';
import { isEmptyValue } from '../../../platforms/lib/blank-cells.ts';
import type { State } from '../../../platforms/lib/states.ts';
import { NONE } from '../../../platforms/lib/status-words.ts';
import { DATE_VALUE, isDate } from '../../consent-columns/cells/days.ts';
import { isOrderWord } from '../../consent-columns/cells/other-subjects.ts';
import type { ConsentColumn } from '../../consent-columns/find-consent-columns.ts';
import { STATE_WORDS, wordLookupKey } from '../../consent-columns/words/value-words.ts';
import { statusColumns, type Table } from '../../mapping/table.ts';

/** How often one value occurs in a status column, and with which states. */
export interface ValueCount {
  /** The value as in its first row; empty for blanks. */
  readonly value: string;
  rows: number;
  /** The number of rows by state. The state is that of the whole row; `none` if it has none. */
  readonly states: Map<State, number>;
}

/** The values of the status columns, by column index. */
export type ValueCounts = ReadonlyMap<number, Map<string, ValueCount>>;

/**
 * The value for all dates and reasons. Dates are all different, and reasons can contain personal text, so neither is
 * counted by its text.
 */
export const FILLED = '(filled)';

const MAX_DISTINCT_VALUES = 50;
const LONGEST_VALUE = 200;
const OTHER_VALUES = '\u2026';

export function createValueCounts({ columns, consentColumns }: Pick<Table, 'columns' | 'consentColumns'>): ValueCounts {
  const indexes = statusColumns({ columns, consentColumns });
  const details = new Set(
    consentColumns.filter(({ filledMeansHappened }) => filledMeansHappened).map(({ index }) => index),
  );
  const isDetail = (index: number) => details.has(index) || columns[index]?.kind === 'unsubscribed_at';
  return new Map(indexes.map((index) => [index, new Map(isDetail(index) ? [[FILLED, noRows(FILLED)]] : [])]));
}

function noRows(value: string): ValueCount {
  return { value, rows: 0, states: new Map() };
}

/**
 * Counts the values of a row with this state. A column counts fifty different values one by one, or up to a thousand if
 * they are words for states; all others count together. In a column of dates or reasons only filled and blank cells are
 * counted.
 */
export function countValues(counts: ValueCounts, cells: readonly string[], state: State): void {
  for (const [index, values] of counts) {
    const value = (cells[index] ?? '').trim().slice(0, LONGEST_VALUE);
    const key = value === '' || values.has(value) ? value : isBlankCell(value) ? '' : countedText(values, value);
    const count = values.get(key) ?? noRows(key);
    count.rows++;
    count.states.set(state, (count.states.get(state) ?? 0) + 1);
    values.set(key, count);
  }
}

/** The values of one column with their counts. Empty for a column in which no values are counted. */
export function valuesInColumn(counts: ValueCounts, index: number): readonly ValueCount[] {
  return [...(counts.get(index)?.values() ?? [])];
}

/** Like `valuesInColumn`, without blanks. `FILLED` is left out if no row is filled. */
export function filledValuesInColumn(counts: ValueCounts, index: number): readonly ValueCount[] {
  return valuesInColumn(counts, index).filter(({ value, rows }) => value !== '' && rows > 0);
}

export const isBlankCell = memoize(isEmptyValue);

/**
 * The text by which a value is counted: the value itself, `FILLED` in a column of dates or reasons, or `…` if the
 * column has too many values.
 */
export function countedText(values: ReadonlyMap<string, unknown>, value: string): string {
  if (values.has(FILLED)) {
    return FILLED;
  }
  const hasRoom = values.size < MAX_DISTINCT_VALUES || (values.size < MAX_DISTINCT_STATES && isStateOrOrderWord(value));
  return hasRoom || values.has(value) ? value : OTHER_VALUES;
}

// True for the state of a person or an order. Checks need these words, so each is counted alone even among many values.
const isStateOrOrderWord = memoize((value: string) => STATE_WORDS.has(wordLookupKey(value)) || isOrderWord(value));

const MAX_DISTINCT_STATES = 1_000;

/**
 * The different cells of each column of notes. At most a thousand are stored. It is no map, because a loop over a map
 * makes an object for each row.
 */
type NoteValues = readonly { readonly index: number; readonly values: Set<string> }[];

/** A column of notes, and the number of different cells in which svc found nothing about consent. */
export interface NoteCount {
  readonly index: number;
  readonly values: number;
}

/** The columns of a table that may hold notes. */
interface NoteColumns {
  readonly consentColumns: readonly ConsentColumn[];
}

const MAX_DISTINCT_NOTES = 1_000;

/**
 * Makes an empty collection. A column of tags is no column of notes: it has few values, and svc shows these elsewhere.
 */
export function createNoteValues({ consentColumns }: NoteColumns): NoteValues {
  return consentColumns.flatMap(({ index, meaning, holdsGroups }) =>
    meaning === 'text' && !holdsGroups ? [{ index, values: new Set<string>() }] : [],
  );
}

export function collectNotes(notes: NoteValues, cells: readonly string[]): void {
  for (const { index, values } of notes) {
    if (values.size < MAX_DISTINCT_NOTES) {
      values.add(cells[index] ?? '');
    }
  }
}

/** The columns of notes with cells in which svc found nothing about consent. Only the user can judge these cells. */
export function notesWithoutConsent(notes: NoteValues, { consentColumns }: NoteColumns): readonly NoteCount[] {
  return consentColumns.flatMap(({ index, stateOf }) => {
    const cells = [...(notes.find((column) => column.index === index)?.values ?? [])];
    const values = cells.filter((cell) => /\p{L}/u.test(cell) && stateOf(cell) === NONE).length;
    return values > 0 ? [{ index, values }] : [];
  });
}

/** The values of one column that may say who is subscribed. */
export interface CandidateValues {
  /** The number of rows by value. It is in an object, because setting an entry of a map for each row costs more. */
  readonly values: Map<string, { rows: number }>;
  blanks: number;
}

/**
 * By column index: the values of columns that may say who is subscribed, although svc does not recognize them. svc
 * shows these columns before it offers `subscribed` (C11).
 */
type Candidates = Map<number, CandidateValues>;

/** With more different values than this, a column contains data of people, not a state. */
const MAX_VALUES = 20;

export function createCandidates({ statusCandidates }: Pick<Table, 'statusCandidates'>): Candidates {
  return new Map(statusCandidates.map((index) => [index, { values: new Map(), blanks: 0 }]));
}

/**
 * Counts the cells of a row that has no state of its own. A column that turns out to have too many values is dropped.
 */
export function countCandidates(candidates: Candidates, cells: readonly string[]): void {
  for (const [index, column] of candidates) {
    const text = cells[index] ?? '';
    const counted = column.values.get(text);
    if (counted !== undefined) {
      counted.rows++;
      continue;
    }
    const cell = text.trim();
    // A date of zeros is a blank: programs write it for a day that never came.
    const value = !isDate(cell) ? cell.slice(0, LONGEST_VALUE) : isBlankCell(cell) ? '' : DATE_VALUE;
    if (value === '') {
      column.blanks++;
      continue;
    }
    const count = column.values.get(value) ?? { rows: 0 };
    count.rows++;
    column.values.set(value, count);
    if (column.values.size > MAX_VALUES) {
      candidates.delete(index);
    }
  }
}
