import { findHeader } from './headers.ts';
import type { TableReading } from './platform.ts';
import { rankOf, type StatusReading } from './states.ts';
import { createWordReader, NONE, readBoolean, readingOnly, remember, UNSUBSCRIBED, type Words } from './words.ts';

/** A column of a platform that states something about a row's state: its header, and the meaning of a cell. */
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
export function flagColumn(
  header: string,
  {
    yes,
    no,
    blank = NONE,
  }: { readonly yes: StatusReading; readonly no: StatusReading; readonly blank?: StatusReading },
): StateColumn {
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
export function byColumns(
  header: readonly string[],
  columns: readonly StateColumn[],
): Pick<TableReading, 'stateOf' | 'stateFrom'> {
  const found = columns.flatMap((column) => {
    const at = findHeader(header, column.header);
    return at < 0 ? [] : [{ ...column, at }];
  });
  const names = found.map(({ at }) => JSON.stringify(header[at])).join(' and ');
  return {
    stateFrom: names === '' ? undefined : `column ${names}`,
    stateOf: readingOnly(
      found.map(({ at }) => at),
      (cells) => found.map(({ at, says }) => says(cells[at] ?? '')).reduce(stricter, NONE),
    ),
  };
}

function stricter(one: StatusReading, other: StatusReading): StatusReading {
  return weightOf(other) > weightOf(one) ? other : one;
}

// The order is: unknown words, states from the most restrictive on, an unknown blank, and no state.
function weightOf({ state, unknown }: StatusReading): number {
  if (unknown !== undefined) {
    return unknown === '' ? 1 : 100;
  }
  return state === 'none' ? 0 : state === 'skip' ? 20 - rankOf('subscribed') + 0.5 : 20 - rankOf(state);
}
