import { findHeader } from './headers.ts';
import type { TableReading } from './platform.ts';
import { rankOf, type StatusReading } from './states.ts';
import {
  createWordReader,
  NONE,
  noState,
  readBoolean,
  readingOnly,
  remember,
  truthWords,
  UNSUBSCRIBED,
  type Words,
} from './status-words.ts';

/** How svc reads the state of a row in a table. */
type StateRule = Pick<TableReading, 'stateFrom' | 'stateOf' | 'wordOf' | 'words'>;

/** The rule of a table that holds no state. */
export const NO_STATE: StateRule = { stateFrom: undefined, stateOf: noState };

/**
 * The rule of a column of words: the first of these that the table has. An unlisted word is unknown and stops the run
 * (C4).
 */
export function byWord(header: readonly string[], known: Words, ...names: readonly string[]): StateRule {
  const at = findHeader(header, ...names);
  const stateOf = createWordReader(known);
  return {
    words: known,
    stateFrom: fromColumns(header, [at]),
    stateOf: at < 0 ? noState : readingOnly([at], (cells) => stateOf(cells[at] ?? '')),
    wordOf: (cells) => (at < 0 ? undefined : (cells[at] ?? '')),
  };
}

/** The meanings of yes, no and a blank in a column of truth values. Any other word is unknown. */
interface Truth {
  readonly yes: StatusReading;
  readonly no: StatusReading;
  readonly blank?: StatusReading;
}

/** The rule of a column of truth values. Without a meaning, a blank is unknown, as in any column of words. */
export function byTruth(header: readonly string[], { yes, no, blank }: Truth, ...names: readonly string[]): StateRule {
  const known = truthWords(yes, no);
  return byWord(header, blank ? new Map([...known, ['', blank]]) : known, ...names);
}

/**
 * The rule of a table that shows a state only by an opt-out date. A date means unsubscribed. Other rows have no state.
 */
export function byDate(header: readonly string[], ...names: readonly string[]): StateRule {
  const at = findHeader(header, ...names);
  const stateOf = (cells: readonly string[]) => ((cells[at] ?? '').trim() === '' ? NONE : UNSUBSCRIBED);
  return { stateFrom: fromColumns(header, [at]), stateOf: at < 0 ? noState : readingOnly([at], stateOf) };
}

/** Columns in messages, `column "Status"`; undefined if the table has none of them. */
export function fromColumns(header: readonly string[], indexes: readonly number[]): string | undefined {
  const names = indexes.filter((at) => at >= 0).map((at) => JSON.stringify(header[at]));
  return names.length === 0 ? undefined : `column ${names.join(' and ')}`;
}

/** A column of a platform that holds a state: its header, and the meaning of a cell. */
export interface StateColumn {
  readonly header: string;
  says(cell: string): StatusReading;
}

/**
 * A column of words. A blank leaves the decision to the other columns. An unlisted word is unknown and stops the run
 * (C4).
 */
export function wordColumn(header: string, known: Words): StateColumn {
  return { header, says: createWordReader(known) };
}

/** A column of yes and no. A blank cell means `blank`, which is nothing by default. */
export function flagColumn(header: string, { yes, no, blank = NONE }: Truth): StateColumn {
  const says = remember((cell: string): StatusReading => {
    const answer = readBoolean(cell);
    return answer === true
      ? yes
      : answer === false
        ? no
        : cell.trim() === ''
          ? blank
          : { state: 'none', unknown: cell.trim() };
  });
  return { header, says };
}

/** A column that is filled for people in this state, such as an opt-out date, and blank for others. */
export function filledColumn(header: string, reading: StatusReading = UNSUBSCRIBED): StateColumn {
  return { header, says: (cell) => (cell.trim() === '' ? NONE : reading) };
}

/**
 * The state rule for those of these columns that the table has. The most restrictive state of a row wins. A row to be
 * skipped counts as more restrictive than subscribed. An unknown word always leads to a question to the user. An
 * unknown blank does so only if no other column states more.
 */
export function byColumns(header: readonly string[], columns: readonly StateColumn[]): StateRule {
  const found = columns.flatMap((column) => {
    const at = findHeader(header, column.header);
    return at < 0 ? [] : [{ ...column, at }];
  });
  const indexes = found.map(({ at }) => at);
  return {
    stateFrom: fromColumns(header, indexes),
    stateOf: readingOnly(indexes, (cells) =>
      found.map(({ at, says }) => says(cells[at] ?? '')).reduce(stricterReading, NONE),
    ),
  };
}

function stricterReading(one: StatusReading, other: StatusReading): StatusReading {
  return weightOf(other) > weightOf(one) ? other : one;
}

// The order is: unknown words, states from the most restrictive on, an unknown blank, and no state.
function weightOf({ state, unknown }: StatusReading): number {
  if (unknown !== undefined) {
    return unknown === '' ? 1 : 100;
  }
  return state === 'none' ? 0 : state === 'skip' ? 20 - rankOf('subscribed') + 0.5 : 20 - rankOf(state);
}
