import type { FindingExample } from '../../../base/finding.ts';
import { shortenForMessage } from '../../../base/lib/text.ts';
import type { Table } from '../../mapping/table.ts';

/** A number of rows, and the first five as examples. */
export interface Examples {
  total: number;
  readonly shown: FindingExample[];
}

/** The table and the line of a row. */
export interface RowInTable {
  readonly table: Table;
  readonly line: number;
}

const MAX_SHOWN = 5;

export function createExamples(): Examples {
  return { total: 0, shown: [] };
}

/** A row as an example, with the column and the value that matter. */
export function exampleAt({ table, line }: RowInTable, column?: string, value?: string): FindingExample {
  return {
    file: table.source.entry ?? table.source.name,
    line,
    ...(column !== undefined && column !== '' && { column }),
    ...(value !== undefined && { value: shortenForMessage(value) }),
  };
}

/** A row as an example, with its address column. */
export function exampleAtAddress(place: RowInTable, value?: string): FindingExample {
  const { header, columnIndexes } = place.table;
  return exampleAt(place, header[columnIndexes.email], value);
}

/** Counts one more row, and stores it as an example if there are fewer than five. */
export function addExample(examples: Examples, makeExample: () => FindingExample): void {
  examples.total++;
  if (examples.shown.length < MAX_SHOWN) {
    examples.shown.push(makeExample());
  }
}

/** Moves all examples of `from` into `into`. */
export function moveExamples(from: Examples, into: Examples): void {
  into.total += from.total;
  for (const example of from.shown.splice(0).slice(0, MAX_SHOWN - into.shown.length)) {
    into.shown.push(example);
  }
  from.total = 0;
}

export function examplesForFinding(examples: Examples): {
  readonly examples: readonly FindingExample[];
  readonly total: number;
} {
  return { examples: examples.shown, total: examples.total };
}
