import type { State } from '../../platforms/lib/states.ts';
import type { BatchContact, Timestamp } from '../../wire/shapes.ts';
import type { ReadingOptions } from '../mapping/reading-answers.ts';
import type { Table } from '../mapping/table.ts';
import { type TopicFields, topicFieldsOf } from './topic-fields.ts';

/** The fields of a contact as they are sent, except address and status. */
export interface ContactFields extends TopicFields {
  readonly first_name?: string;
  readonly last_name?: string;
  readonly unsubscribed_at?: Timestamp;
  readonly attributes?: Readonly<Record<string, string>>;
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
    ...(table.topics.length > 0 && topicFieldsOf(table, cells)),
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

interface NameParts {
  readonly first_name?: string | undefined;
  readonly last_name?: string | undefined;
}

/**
 * Splits a full name at its first blank: `Ana Maria Berg` into `Ana` and `Maria Berg`. If there is a comma, the last
 * name comes first: `Berg, Britt`. In `, Britt` the last name is missing.
 */
export function splitName(text: string): NameParts & { readonly first_name: string } {
  const name = withoutComma(text);
  const comma = /^([^,]+),\s*(\S[^,]*)$/u.exec(name);
  if (comma) {
    return { first_name: comma[2] as string, last_name: (comma[1] as string).trim() };
  }
  const cut = name.search(/\s/u);
  return cut < 0 ? { first_name: name } : { first_name: name.slice(0, cut), last_name: name.slice(cut).trim() };
}

// Removes a comma at the start. Lists with `surname, name` write one if the surname is missing.
function withoutComma(text: string): string {
  return text.trim().replace(/^,\s*/u, '');
}

/**
 * The name parts that a row lacks, taken from its full name: `Ana` for a row with the full name `Ana Berg` and the last
 * name `Berg`.
 */
function fillMissingNames(full: string, { first_name: first = '', last_name: last = '' }: NameParts): NameParts {
  const name = withoutComma(full);
  if (first === '' && last === '') {
    return splitName(name);
  }
  if (first === '') {
    const endsWithLast = name.toLowerCase().endsWith(` ${last.toLowerCase()}`);
    return { first_name: endsWithLast ? name.slice(0, -last.length).trim() : name };
  }
  const startsWithFirst = last === '' && name.toLowerCase().startsWith(`${first.toLowerCase()} `);
  return startsWithFirst ? { last_name: name.slice(first.length).trim() } : {};
}
