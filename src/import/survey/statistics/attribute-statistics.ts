import { headerOrNumber } from '../../../platforms/lib/headers.ts';
import { collidingValuesOf, differentValues, type PersonCollision } from '../../mapping/collisions.ts';
import type { KeyCollision, Table } from '../../mapping/table.ts';
import type { ParsedRecord } from '../../record/parse-record.ts';
import { addExample, createExamples, type Examples, exampleAt, type RowInTable } from './examples.ts';

/**
 * Columns that share an attribute key, and the rows and people with two different values for it. One value would be
 * lost.
 */
export interface CountedCollision extends KeyCollision {
  readonly lostValues: Examples;
}

export type AttributeStatistics = ReturnType<typeof createAttributeStatistics>;

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

/** Counts a row that would lose a value. */
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
