import { memoize } from '../../../base/lib/memoize.ts';
import { splitPair } from '../../../import/mapping/answers/answer-pairs.ts';
import { prefixLength } from '../../../import/mapping/answers/unknown-names.ts';
import { answerName, withInputName, wordInColumn } from '../../../import/mapping/column-names.ts';
import type { ReadingOptions } from '../../../import/mapping/reading-answers.ts';
import type { Table } from '../../../import/mapping/table.ts';
import type { TableSource } from '../../../import/source/source.ts';
import { type AnswerMeaning, meaningsIn } from '../../../import/survey/checks/unused-answers/answer-meanings.ts';
import { useOf } from '../../../import/survey/checks/unused-answers/answer-use.ts';
import { openTables, readTables } from '../../../import/tables/open-tables.ts';

/**
 * True for an answer that says subscribed and may count in any column: `left=subscribed`. Also true for
 * `Status:left=subscribed`, because a word may contain a colon, so only the list shows whether `Status` is a column.
 */
export function maySubscribeAnywhere(pair: string): boolean {
  const [subject = '', state] = splitPair(pair);
  return state.trim().toLowerCase() === 'subscribed' && subject.trim() !== '' && !subject.startsWith('@');
}

/**
 * The answers to save. An answer such as `left=subscribed`, which names no column, becomes one answer for each column
 * in which the word counts in this list: `Status:left=subscribed`. So svc asks about the word when another column of a
 * later list has it, such as a new column `note` (C1). An answer whose word stands in no column stays as typed.
 */
export async function answersWithColumns(
  sources: readonly TableSource[],
  reading: ReadingOptions,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const pairs = Object.entries(reading.statusMap).map(([subject, state]) => `${subject}=${state}`);
  const { tables } = await openTables(sources, reading);
  const open = pairs.filter(maySubscribeAnywhere).flatMap((pair) => {
    const meanings = tables.flatMap((table) => meaningsIn(table, pair));
    const isOfAnyColumn = meanings.every(({ columns, isForAll }) => columns === undefined && !isForAll);
    return isOfAnyColumn ? [{ pair, finders: meanings.map(createColumnFinder) }] : [];
  });
  const finders = open.flatMap((answer) => answer.finders);
  if (finders.length === 0) {
    return pairs;
  }
  for await (const { table, rows } of readTables(tables, { signal })) {
    const ofTable = finders.filter((finder) => finder.meaning.table === table);
    for (const { cells } of rows) {
      const own = table.svcColumns > 0 ? cells.slice(table.svcColumns) : cells;
      ofTable.forEach((finder) => finder.add(own));
    }
  }
  const findersOf = new Map(open.map((answer) => [answer.pair, answer.finders]));
  const saved = pairs.flatMap((pair) => {
    const found = (findersOf.get(pair) ?? []).flatMap(({ meaning, columns }) =>
      [...columns].map((index) => answerWithColumn(pair, meaning, index, tables)),
    );
    return found.length > 0 ? found : [pair];
  });
  return [...new Set(saved)];
}

// Collects the columns in which an answer counts for at least one cell. Caches by cell, because most columns have few
// different cells.
function createColumnFinder(meaning: AnswerMeaning) {
  const { header } = meaning.table;
  const uses = header.map((_, index) => memoize((cell: string) => useOf(meaning, index, cell)));
  const columns = new Set<number>();
  const add = (cells: readonly string[]) =>
    uses.forEach((useOfCell, index) => {
      if (!columns.has(index) && useOfCell(cells[index] ?? '') === 'counts') {
        columns.add(index);
      }
    });
  return { meaning, columns, add };
}

// The answer for one column. It names the input if the typed answer names the input. It also names the input if the
// column has only a number, because that number means another column in another input.
function answerWithColumn(
  pair: string,
  { table, word }: AnswerMeaning,
  index: number,
  tables: readonly Table[],
): string {
  const [subject = '', state] = splitPair(pair);
  const input = subject.slice(0, prefixLength(tables, subject));
  const named = wordInColumn(table.header, index, word);
  const isNumber = /^\d+$/.test(answerName(table.header, index));
  return `${input === '' && isNumber ? withInputName(table, named) : input + named}=${state}`;
}
