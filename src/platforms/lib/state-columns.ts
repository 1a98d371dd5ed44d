import { memoize } from '../../base/lib/memoize.ts';
import { isFilledCell } from './blank-cells.ts';
import { findHeader, headerOrNumber } from './headers.ts';
import type { TableReading } from './platform.ts';
import { rankOf, type StatusReading } from './states.ts';
import {
  createWordReader,
  isDeniedAnswer,
  markReadColumns,
  NONE,
  readBoolean,
  readNoState,
  type StatusWords,
  UNSUBSCRIBED,
  yesNoWords,
} from './status-words.ts';

/** How svc reads the state of a row in a table. */
type StateRule = Pick<TableReading, 'stateSource' | 'stateOf' | 'statusWordOf' | 'words'>;

/** The rule of a table without a state. */
export const NO_STATE_RULE: StateRule = { stateSource: undefined, stateOf: readNoState };

/**
 * The rule of a table with one column of status words: the first of `names` that the table has. A word that `known`
 * does not contain stops the run (C4).
 */
export function stateByWord(header: readonly string[], known: StatusWords, ...names: readonly string[]): StateRule {
  return { words: known, ...ruleOfColumn(header, known, names) };
}

function ruleOfColumn(header: readonly string[], known: StatusWords, names: readonly string[]): StateRule {
  const index = findHeader(header, ...names);
  const stateOf = createWordReader(known);
  return {
    stateSource: describeColumns(header, [index]),
    stateOf: index < 0 ? readNoState : markReadColumns([index], (cells) => stateOf(cells[index] ?? '')),
    statusWordOf: (cells) => (index < 0 ? undefined : (cells[index] ?? '')),
  };
}

/** The meanings of yes, no and a blank cell. Any other word is unknown and stops the run. */
interface YesNoReadings {
  readonly yes: StatusReading;
  readonly no: StatusReading;
  readonly blank?: StatusReading;
}

/**
 * The rule of a table with one column of yes and no: the first of `names` that the table has. A blank cell is an
 * unknown word unless `blank` gives it a meaning. The rule has no `words`, because `words` also apply to a column that
 * the user names as the status. A yes in that column may mean the contrary.
 */
export function stateByYesOrNo(
  header: readonly string[],
  { yes, no, blank }: YesNoReadings,
  ...names: readonly string[]
): StateRule {
  const words = yesNoWords(yes, no);
  return ruleOfColumn(header, blank ? new Map([...words, ['', blank]]) : words, names);
}

/**
 * The rule of a table that shows only the date of an opt-out. A row with a date is unsubscribed; a row without a date
 * has no state.
 */
export function stateByDate(header: readonly string[], ...names: readonly string[]): StateRule {
  const index = findHeader(header, ...names);
  const stateOf = (cells: readonly string[]) => (isFilledCell(cells[index] ?? '') ? UNSUBSCRIBED : NONE);
  return {
    stateSource: describeColumns(header, [index]),
    stateOf: index < 0 ? readNoState : markReadColumns([index], stateOf),
  };
}

/** The names of columns for messages, such as `column "Status"`. Undefined if the table has none of them. */
export function describeColumns(header: readonly string[], indexes: readonly number[]): string | undefined {
  const names = indexes.filter((index) => index >= 0).map((index) => JSON.stringify(headerOrNumber(header, index)));
  return names.length === 0 ? undefined : `${names.length === 1 ? 'column' : 'columns'} ${names.join(' and ')}`;
}

/** A column that says something about the state: its header, and the meaning of each cell. */
export interface StateColumn {
  readonly header: string;
  readingOf(cell: string): StatusReading;
}

/**
 * A column of status words. If `known` does not contain the blank, other columns decide about a blank cell, and svc
 * asks if none does. A word that `known` does not contain stops the run (C4).
 */
export function statusWordColumn(header: string, known: StatusWords): StateColumn {
  return { header, readingOf: createWordReader(known) };
}

/** A column of yes and no. A blank cell has the meaning `blank`, by default none. */
export function yesNoColumn(header: string, { yes, no, blank = NONE }: YesNoReadings): StateColumn {
  const readingOf = memoize((cell: string): StatusReading => {
    const answer = answerIn(cell);
    return answer === 'unknown' ? { state: 'none', unknown: cell.trim() } : { yes, no, blank }[answer];
  });
  return { header, readingOf };
}

/** The answer in a cell of a column of yes and no. It is unknown if a symbol denies it: `❌ yes`, `~~no~~`. */
export function answerIn(cell: string): 'yes' | 'no' | 'blank' | 'unknown' {
  const isYes = readBoolean(cell);
  if (isYes === undefined || isDeniedAnswer(cell, { isNo: !isYes })) {
    return cell.trim() === '' ? 'blank' : 'unknown';
  }
  return isYes ? 'yes' : 'no';
}

/** A column that is filled only for people in one state, such as the date of an opt-out. A blank cell has no state. */
export function filledColumn(header: string, reading: StatusReading = UNSUBSCRIBED): StateColumn {
  return { header, readingOf: (cell) => (isFilledCell(cell) ? reading : NONE) };
}

/**
 * The rule of a table with several state columns, of which some may be missing. The most restrictive state of a row
 * wins, and `skip` counts as more restrictive than subscribed. svc always asks about an unknown word. It asks about a
 * blank only if no other column gives a state.
 */
export function stateByColumns(header: readonly string[], columns: readonly StateColumn[]): StateRule {
  const found = columns.flatMap((column) => {
    const index = findHeader(header, column.header);
    return index < 0 ? [] : [{ ...column, index }];
  });
  const indexes = found.map(({ index }) => index);
  return {
    stateSource: describeColumns(header, indexes),
    stateOf: markReadColumns(indexes, (cells) =>
      found.map(({ index, readingOf }) => readingOf(cells[index] ?? '')).reduce(moreRestrictive, NONE),
    ),
  };
}

function moreRestrictive(first: StatusReading, second: StatusReading): StatusReading {
  return weightOf(second) > weightOf(first) ? second : first;
}

// The weight of a reading; the heavier of two readings wins. Unknown words weigh most, then states from the most
// restrictive one, then an unknown blank.
function weightOf({ state, unknown }: StatusReading): number {
  if (unknown !== undefined) {
    return unknown === '' ? 1 : 100;
  }
  return state === 'none' ? 0 : state === 'skip' ? 20 - rankOf('subscribed') + 0.5 : 20 - rankOf(state);
}

/** Where the states of a table come from, for messages: its own status, and the answers of `--status-map`. */
export function stateSourceOf({
  stateSource,
  answeredSource,
}: Pick<TableReading, 'stateSource' | 'answeredSource'>): string | undefined {
  return [stateSource, answeredSource].filter((text) => text !== undefined).join(' and ') || undefined;
}
