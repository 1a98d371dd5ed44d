import type { Table } from '../mapping/table.ts';
import { show } from '../record/address.ts';
import type { FindingExample } from './survey-types.ts';

/** Things counted, with the first five of them to show. */
export interface Examples {
  total: number;
  readonly shown: FindingExample[];
}

/** Where a row is. */
export interface RowPlace {
  readonly table: Table;
  readonly line: number;
}

const SHOWN = 5;

/** Examples of nothing yet. */
export function createExamples(): Examples {
  return { total: 0, shown: [] };
}

/** A row in a table, as findings show it. */
export function exampleAt({ table, line }: RowPlace, column?: string, value?: string): FindingExample {
  return {
    file: table.source.entry ?? table.source.name,
    line,
    ...(column !== undefined && column !== '' && { column }),
    ...(value !== undefined && { value: show(value) }),
  };
}

/** Counts one, and keeps it while there is room to show it. */
export function addExample(examples: Examples, example: () => FindingExample): void {
  examples.total++;
  if (examples.shown.length < SHOWN) {
    examples.shown.push(example());
  }
}

/** What findings carry of them. */
export function shownOf(examples: Examples): { readonly examples: readonly FindingExample[]; readonly total: number } {
  return { examples: examples.shown, total: examples.total };
}
