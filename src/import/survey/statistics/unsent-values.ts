import { headerOrNumber } from '../../../platforms/lib/headers.ts';
import { personKey } from '../../../wire/person-key.ts';
import type { FoundMention } from '../../dedupe/merge-rows.ts';
import { collidingValuesOf, differentValues, type PersonCollision } from '../../mapping/collisions.ts';
import type { KeyCollision, Table } from '../../mapping/table.ts';
import type { ParsedRecord } from '../../record/parse-record.ts';
import { addExample, createExamples, type Examples, exampleAt, type RowInTable } from './examples.ts';

// Counts the values that svc does not send: those of columns without an attribute key or with a shared one, and further
// addresses.

/**
 * Columns that share an attribute key, and the rows and people with two different values for it. One value would be
 * lost.
 */
export interface CountedCollision extends KeyCollision {
  readonly lostValues: Examples;
}

type AttributeStatistics = ReturnType<typeof createAttributeStatistics>;

/**
 * Makes empty counts of attribute values that would be lost: in columns with the same key, and in columns without a
 * valid key.
 */
export function createAttributeStatistics({ collisions, keylessColumns }: Table) {
  return {
    collisions: collisions.map((collision): CountedCollision => ({ ...collision, lostValues: createExamples() })),
    /** By column index: the rows that fill a column which can't be sent, because it has no valid key. */
    keyless: new Map(keylessColumns.map(({ index }) => [index, createExamples()])),
  };
}

/** Counts a row with a value that svc can't send: its column has no valid key, or shares its key with another value. */
export function collectAttributes({ collisions, keyless }: AttributeStatistics, record: ParsedRecord): void {
  const { table, cells } = record;
  for (const collision of collisions) {
    addCollision(collision, record, differentValues(collidingValuesOf(collision, cells)));
  }
  for (const [index, examples] of keyless) {
    if (cells[index] !== undefined && cells[index] !== '') {
      addExample(examples, () => exampleAt(record, headerOrNumber(table.header, index), cells[index]));
    }
  }
}

/**
 * Counts a person whose merged rows have two different values for columns with the same key. Only the merge finds such
 * people.
 */
export function collectPersonCollision(
  { collisions }: AttributeStatistics,
  table: Table,
  { line, key, values }: PersonCollision,
): void {
  const collision = collisions.find((other) => other.key === key);
  collision && addCollision(collision, { table, line }, values);
}

function addCollision(
  { columns, key, lostValues }: CountedCollision,
  place: RowInTable,
  values: readonly string[],
): void {
  if (values.length > 0) {
    addExample(lostValues, () => exampleAt(place, columns[0]?.header || key, values.join(' | ')));
  }
}

type FurtherAddresses = ReturnType<typeof createFurtherAddresses>;

/** Makes empty counts of rows that have further addresses besides that of their person. */
export function createFurtherAddresses({ addressColumns: { found } }: Table) {
  const createByColumn = () => new Map(found.map(({ index }) => [index, createExamples()]));
  return {
    /** Rows with several addresses of one person. svc uses one of them and does not send the others. */
    unused: createExamples(),
    /** By column index: the rows in which the column has the address of a second person. */
    secondPeople: createByColumn(),
    /**
     * By column index: the people whose state was decided by a mention in this column. For a column about other people
     * (`Referred by`): the people whose state it would have decided.
     */
    mentions: createByColumn(),
  };
}

/** Counts a row if it has further addresses. */
export function collectFurtherAddresses(addresses: FurtherAddresses, record: ParsedRecord): void {
  if (record.warning || record.others?.found) {
    collectFound(addresses, record);
  }
}

function collectFound({ unused, secondPeople }: FurtherAddresses, record: ParsedRecord): void {
  const { table, email, others, warning } = record;
  if (warning) {
    addExample(unused, () => exampleAt(record, warning.column, warning.detail));
  }
  const keyOfPerson = personKey(email ?? '');
  for (const { email: other, column } of others?.found ?? []) {
    const rows = personKey(other) === keyOfPerson ? undefined : secondPeople.get(column.index);
    rows && addExample(rows, () => exampleAt(record, table.header[column.index], other));
  }
}

/**
 * Counts a person whose state was decided, or would have been, by a mention in another row. The merge finds these
 * people.
 */
export function collectMention({ mentions }: FurtherAddresses, table: Table, mention: FoundMention): void {
  const { line, email, column } = mention;
  const people = mentions.get(column.index);
  people && addExample(people, () => exampleAt({ table, line }, table.header[column.index], email));
}
