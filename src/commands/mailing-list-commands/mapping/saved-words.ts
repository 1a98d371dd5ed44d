import { readingsOfWords } from '../../../import/consent-columns/several-columns/combine-readings.ts';
import { isForAllWords } from '../../../import/mapping/answers/answer-keys.ts';
import { splitPair, valuesNotReplaced } from '../../../import/mapping/answers/answer-pairs.ts';
import { withInputName, wordInColumn } from '../../../import/mapping/column-names.ts';
import type { ReadingOptions } from '../../../import/mapping/reading-answers.ts';
import type { TableSource } from '../../../import/source/source.ts';
import { openTables, readTables } from '../../../import/tables/open-tables.ts';

/** True for an answer that says that all other words mean subscribed: `Notes:*=subscribed`. */
export function subscribesAllWords(pair: string): boolean {
  const [subject = '', state] = splitPair(pair);
  const word = subject.slice(subject.lastIndexOf(':') + 1);
  return state.trim().toLowerCase() === 'subscribed' && isForAllWords(word);
}

/**
 * An answer for each word of this list that may mean that a person left, if only an answer for all other words covers
 * it. A saved `Notes:*=subscribed` does not count for such words, because later lists have other ones. So the words
 * that the user saw are saved one by one. Undefined if there are too many of them.
 */
export async function answersForSeenWords(
  sources: readonly TableSource[],
  reading: ReadingOptions,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const pairs = Object.entries(reading.statusMap).map(([subject, state]) => `${subject}=${state}`);
  const { tables } = await openTables(sources, { ...reading, savedForAllWords: pairs.filter(subscribesAllWords) });
  const found = new Set<string>();
  for await (const { table, rows } of readTables(tables, { signal })) {
    for (const { cells } of rows) {
      const own = table.svcColumns > 0 ? cells.slice(table.svcColumns) : cells;
      for (const { unknown = '', unknownIndex = -1 } of readingsOfWords(table.stateOf(own, ''))) {
        unknown !== '' &&
          unknownIndex >= 0 &&
          found.add(`${withInputName(table, wordInColumn(table.header, unknownIndex, unknown))}=subscribed`);
      }
      if (found.size > MAX_SEEN_WORDS) {
        return undefined;
      }
    }
  }
  return valuesNotReplaced('statusMap', [...found], pairs);
}

const MAX_SEEN_WORDS = 1000;
