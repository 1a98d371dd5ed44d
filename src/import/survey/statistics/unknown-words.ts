import { STATE_COLUMN_KINDS } from '../../mapping/table.ts';
import type { ParsedRecord } from '../../record/parse-record.ts';
import { addExample, createExamples, type Examples, exampleAt } from './examples.ts';

/** A word that svc does not understand, and the rows that have it. */
export interface UnknownWord {
  readonly word: string;
  /** The index of the column with the word. Undefined if the word is in no single column. */
  readonly index: number | undefined;
  /** True if the rows with the word are too short, so that the word may belong to a later column. */
  readonly misplaced: boolean;
  readonly examples: Examples;
}

export interface UnknownWords {
  /**
   * The unknown words. A key has the column index, `misplaced` and the word: `3:false:cold`. For a blank the word is
   * empty.
   */
  readonly words: Map<string, UnknownWord>;
  /**
   * How many words to subtract from the sum of all words to get the number of rows. A row with three unknown words adds
   * 2 (L5).
   */
  repeated: number;
}

const MAX_DISTINCT_WORDS = 1_000;
const OTHER_WORDS = { word: 'other words', index: undefined, misplaced: false } as const;

export function createUnknownWords(): UnknownWords {
  return { words: new Map(), repeated: 0 };
}

/** Counts a row whose status has a word that svc does not understand, once for each such word. */
export function collectUnknownWords(unknown: UnknownWords, record: ParsedRecord): void {
  const { furtherUnknowns = [] } = record.statusReading;
  unknown.repeated += furtherUnknowns.length;
  for (const reading of [record.statusReading, ...furtherUnknowns]) {
    const { unknown: word = '', unknownIndex: index = stateColumn(record), misplaced = false } = reading;
    addExample(entryOf(unknown, { word, index, misplaced }), () =>
      exampleAt(record, index === undefined ? undefined : record.table.header[index], word),
    );
  }
}

// The examples of rows with this word. All words after the thousandth share one entry, so that memory is bounded.
function entryOf({ words }: UnknownWords, found: Omit<UnknownWord, 'examples'>): Examples {
  const counted = words.size < MAX_DISTINCT_WORDS || words.has(keyOf(found)) ? found : OTHER_WORDS;
  const entry = words.get(keyOf(counted)) ?? { ...counted, examples: createExamples() };
  words.set(keyOf(counted), entry);
  return entry.examples;
}

function keyOf({ word, index, misplaced }: Omit<UnknownWord, 'examples'>): string {
  return `${index}:${misplaced}:${word}`;
}

// The index of the column that contains the unknown word. Undefined if no column does, because a platform can read
// several columns together.
function stateColumn({ table, cells, statusReading }: ParsedRecord): number | undefined {
  const word = (statusReading.unknown ?? '').trim();
  const stateIndex = table.columns.findIndex(
    ({ kind }, index) =>
      kind !== 'unsubscribed_at' && STATE_COLUMN_KINDS.has(kind) && (cells[index] ?? '').includes(word),
  );
  // If no status column has the word, a column that is sent as an attribute may have it.
  const columnIndex = stateIndex >= 0 ? stateIndex : cells.findIndex((cell) => word !== '' && cell.trim() === word);
  return columnIndex < 0 ? undefined : columnIndex;
}
