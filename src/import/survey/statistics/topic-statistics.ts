import { addToCount } from '../../../base/lib/rows.ts';
import { shortenForMessage } from '../../../base/lib/text.ts';
import type { Table, TopicColumn } from '../../mapping/table.ts';
import { effectiveReading, type ParsedRecord } from '../../record/parse-record.ts';
import { addExample, createExamples, type Examples, exampleAt } from './examples.ts';

/** The rows in which a cell of a topic column refuses the topic or can't be read. */
export interface TopicCounts {
  readonly column: TopicColumn;
  /** Rows of subscribed people whose cell refuses the topic, and the number of rows with each word. */
  readonly refused: WordRows;
  /** Rows of subscribed people with a text that svc reads neither as a yes nor as a no. */
  readonly unread: WordRows;
  /** Rows that have no state, and whose cell refuses the topic or can't be read. */
  readonly withoutState: WordRows;
}

/** Rows with one of several words. `words` has the number of rows by word. */
export interface WordRows {
  readonly rows: Examples;
  readonly words: Map<string, number>;
}

const MAX_WORDS = 50;
const OTHER_WORDS = '\u2026';

/** Makes empty counts for the topic columns of a table. */
export function createTopicCounts({ topics }: Table): readonly TopicCounts[] {
  const noRows = (): WordRows => ({ rows: createExamples(), words: new Map() });
  return topics.map((column) => ({ column, refused: noRows(), unread: noRows(), withoutState: noRows() }));
}

/** Counts a row for each topic that it refuses, or whose cell svc can't read. */
export function collectTopics(counts: readonly TopicCounts[], record: ParsedRecord): void {
  if (counts.length === 0 || record.problem !== undefined) {
    return;
  }
  const { state } = effectiveReading(record.table, record.statusReading);
  for (const { column, refused, unread, withoutState } of counts) {
    const cell = record.cells[column.index] ?? '';
    const choice = column.choiceOf(cell);
    if (choice === 'refused' || choice === 'unread') {
      const counted = state === 'subscribed' ? (choice === 'refused' ? refused : unread) : withoutState;
      if (state === 'subscribed' || state === 'none') {
        addWord(counted, record, column.index);
      }
    }
  }
}

function addWord({ rows, words }: WordRows, record: ParsedRecord, index: number): void {
  const { header } = record.table;
  const text = shortenForMessage((record.cells[index] ?? '').trim());
  addExample(rows, () => exampleAt(record, header[index], text));
  addToCount(words, words.size < MAX_WORDS || words.has(text) ? text : OTHER_WORDS, 1);
}
