import { memoize } from '../../base/lib/memoize.ts';
import type { State } from '../../platforms/lib/states.ts';
import type { BatchContact, Timestamp } from '../../wire/shapes.ts';
import { readCell } from '../consent-columns/read-cell.ts';
import { keepsMailAway } from '../consent-columns/several-columns/combine-readings.ts';
import { isEmptyValue, isPlainYesNo, readYesNo } from '../consent-columns/value-words.ts';
import type { ReadingOptions } from '../mapping/reading-answers.ts';
import type { Table } from '../mapping/table.ts';
import { fillMissingNames } from './full-name.ts';

/** The fields of a contact as they are sent, except address and status. */
export interface ContactFields {
  readonly first_name?: string;
  readonly last_name?: string;
  readonly unsubscribed_at?: Timestamp;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly topics?: Readonly<Record<string, string>>;
}

/**
 * The fields of a row as they are sent. Texts are unchanged (F1); blank cells are left out, or sent as `""` if `empty`
 * is `clear` (F2). The opt-out date is not included, because it belongs to the state.
 */
export function readContactFields(
  table: Table,
  cells: readonly string[],
  empty: ReadingOptions['empty'],
): ContactFields {
  const { columnIndexes } = table;
  const fields: { first_name?: string; last_name?: string } = {};
  for (const field of ['first_name', 'last_name'] as const) {
    const cell = cells[columnIndexes[field]];
    if (cell !== undefined && (cell !== '' || empty === 'clear')) {
      fields[field] = cell;
    }
  }
  const full = cells[columnIndexes.name];
  if (full !== undefined && full.trim() !== '') {
    Object.assign(fields, fillMissingNames(full, fields));
  }
  return {
    ...fields,
    ...(table.attributes.length > 0 && attributesOf(table, cells, empty)),
    ...(table.topics.length > 0 && topicsOf(table, cells)),
  };
}

/** The contact of a person as it is sent. Subscribed people have no status (C1), and only opt-outs have a date (C2). */
export function buildContact({ email, state, optOutDate: date }: PersonState, fields: ContactFields): BatchContact {
  const { first_name, last_name, attributes, topics } = fields;
  return {
    email,
    ...(first_name !== undefined && { first_name }),
    ...(last_name !== undefined && { last_name }),
    ...(state === 'unsubscribed' && {
      status: 'unsubscribed' as const,
      ...(date !== undefined && { unsubscribed_at: date }),
    }),
    ...(attributes && { attributes }),
    ...(topics && { topics }),
  };
}

interface PersonState {
  readonly email: string;
  readonly state: State;
  /** The time of the opt-out, if it is known. */
  readonly optOutDate: Timestamp | undefined;
}

function attributesOf(
  table: Table,
  cells: readonly string[],
  empty: ReadingOptions['empty'],
): Pick<ContactFields, 'attributes'> {
  const attributes: Record<string, string> = {};
  let hasAttributes = false;
  for (const { index, key } of table.attributes) {
    const cell = cells[index];
    if (cell === undefined || (cell === '' && (empty === 'keep' || Object.hasOwn(attributes, key)))) {
      continue;
    }
    attributes[key] = cell;
    hasAttributes = true;
  }
  return hasAttributes ? { attributes } : {};
}

function topicsOf(table: Table, cells: readonly string[]): Pick<ContactFields, 'topics'> {
  const chosen = table.topics.filter(({ index, value }) => choosesTopic(cells[index] ?? '', value));
  return chosen.length > 0 ? { topics: Object.fromEntries(chosen.map(({ topic, value }) => [topic, value])) } : {};
}

// True if a cell chooses a topic. A blank or a plain `no` never does. A refusing word such as `opt_out` chooses only a
// topic whose value is a refusal too (C10).
function choosesTopic(cell: string, value: string): boolean {
  const isPlainNo = isPlainYesNo(cell) && readYesNo(cell) === false;
  return !isEmptyValue(cell) && !isPlainNo && (!saysNo(cell) || saysNo(value));
}

const saysNo = memoize((text: string): boolean => {
  const status = readCell(text, {
    meaning: 'agreed',
    asksAboutUnknown: false,
    filledMeansHappened: false,
    mayMeanSubscribed: false,
  });
  return status.unknown !== undefined || keepsMailAway(status);
});
