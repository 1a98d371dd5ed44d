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

/** Rows by their text; see `textOfCells`. */
export type ExamplesByText = Map<string, Examples>;

const MAX_TEXTS = 1_000;
/** The key that all texts after the thousandth share, so that memory is bounded. */
export const OTHER_TEXTS = '';

/** The text of a row, as an answer names it: its different filled cells, with a blank between them. */
export function textOfCells(cells: readonly string[]): string {
  const filled = cells.map((cell) => cell.replace(/[\s\p{Cc}]+/gu, ' ').trim()).filter((cell) => cell !== '');
  return [...new Set(filled)].join(' ');
}

/** Counts one more row with this text. */
export function addExampleOf(byText: ExamplesByText, text: string, makeExample: () => FindingExample): void {
  addExample(examplesOf(byText, text), makeExample);
}

function examplesOf(byText: ExamplesByText, text: string): Examples {
  const key = byText.has(text) || byText.size < MAX_TEXTS ? text : OTHER_TEXTS;
  const examples = byText.get(key) ?? createExamples();
  byText.set(key, examples);
  return examples;
}

/** Moves all examples of `from` into `into`. */
export function moveExamples(from: ExamplesByText, into: ExamplesByText): void {
  for (const [text, { total, shown }] of from) {
    const examples = examplesOf(into, text);
    examples.total += total;
    for (const example of shown.slice(0, MAX_SHOWN - examples.shown.length)) {
      examples.shown.push(example);
    }
  }
  from.clear();
}

export function examplesForFinding(examples: Examples): {
  readonly examples: readonly FindingExample[];
  readonly total: number;
} {
  return { examples: examples.shown, total: examples.total };
}
