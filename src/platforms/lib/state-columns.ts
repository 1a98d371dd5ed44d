import { rankOf } from '../../import/status/states.ts';
import type { StatusReading, TableReading } from '../../import/types.ts';
import { findHeader } from './headers.ts';
import { createWordReader, NONE, readBoolean, remember, UNSUBSCRIBED, type Words } from './words.ts';

/** A column of a platform that tells something of a row's state: its header, and what a cell says. */
export interface StateColumn {
  readonly header: string;
  says(cell: string): StatusReading;
}

/** A column of words; a blank leaves the answer to the other columns, an unlisted word is unknown (rule C4). */
export function wordColumn(header: string, known: Words): StateColumn {
  return { header, says: createWordReader(known) };
}

/** A column of yes and no; a blank says `blank`, nothing where left out. */
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

/** A column that is filled for people in this state, such as a date of opting out, and blank for the others. */
export function filledColumn(header: string, verdict: StatusReading = UNSUBSCRIBED): StateColumn {
  return { header, says: (cell) => (cell.trim() === '' ? NONE : verdict) };
}

/**
 * The state rule of a table with these columns, as far as it has them. The most restrictive wins; within a row a person
 * who is to be skipped isn't subscribed. A word that is unknown is asked about, a blank only where no other column says more.
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
    stateOf: (cells) => found.map(({ at, says }) => says(cells[at] ?? '')).reduce(stricter, NONE),
  };
}

function stricter(one: StatusReading, other: StatusReading): StatusReading {
  return weightOf(other) > weightOf(one) ? other : one;
}

// Unknown words first, then states from the most restrictive, a blank, and nothing at all.
function weightOf({ state, unknown }: StatusReading): number {
  if (unknown !== undefined) {
    return unknown === '' ? 1 : 100;
  }
  return state === 'none' ? 0 : state === 'skip' ? 20 - rankOf('subscribed') + 0.5 : 20 - rankOf(state);
}
