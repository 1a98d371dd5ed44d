import type { Finding } from '../../../../base/finding.ts';
import { memoize } from '../../../../base/lib/memoize.ts';
import { ADDRESS_COLUMN_KINDS, STATE_COLUMN_KINDS } from '../../../../platforms/lib/platform.ts';
import { LISTS_DISAGREE } from '../../../consent-columns/several-columns/list-columns.ts';
import { answerColumns, listedValues, textKey } from '../../../mapping/answers/answer-keys.ts';
import { readingsOfColons } from '../../../mapping/answers/exact-answers.ts';
import { readTables } from '../../../mapping/open-tables.ts';
import type { ReadingOptions } from '../../../mapping/reading-answers.ts';
import type { Table } from '../../../mapping/table.ts';
import { wholeDomain } from '../../../values/domains.ts';
import { valuesInColumn } from '../../statistics/value-counts.ts';
import { isAnswered, type TableWithStatistics } from '../list-check.ts';
import { ALL_OTHER_WORDS, type AnswerMeaning, type OpenAnswer, unusedAnswerFinding } from './unused-answer-finding.ts';

/**
 * Warns about typed answers of `--status-map` that count for no row. Stops if such an answer keeps mail away, but its
 * word stands in a column that it does not name. Throws SvcError (exit 2) for an answer that names a column which no
 * input has, unless it is the word of a cell. Otherwise people whom the user calls opted out could be signed up without
 * a word (C1). Answers of a mapping file are not checked, because they are for the lists of each day.
 */
export async function findUnusedAnswers(
  read: readonly TableWithStatistics[],
  { statusMap }: Pick<ReadingOptions, 'statusMap'>,
  typedAnswers: readonly string[],
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const tables = read.map(({ table }) => table);
  // A rejects file is read with the answers of its original run, which may be about other inputs of that run.
  if (tables.every(({ svcColumns }) => svcColumns > 0)) {
    return [];
  }
  // An answer at the terminal can replace a typed one.
  const pairs = new Set(Object.entries(statusMap).map(([subject, state]) => `${subject}=${state}`));
  const open = [...new Set(typedAnswers)]
    .filter((pair) => pairs.has(pair))
    .map(
      (pair): OpenAnswer => ({
        pair,
        meanings: tables.flatMap((table) => meaningsIn(table, pair)),
        elsewhere: undefined,
        isOutranked: false,
      }),
    );
  const uncounted = open.filter(({ meanings }) => !meanings.some(mayMeanMore) && !isCounted(meanings, read));
  const unread = uncounted.length === 0 ? [] : await searchRows(uncounted, tables, signal);
  return unread
    .filter(({ isOutranked, elsewhere }) => elsewhere !== undefined || !isOutranked)
    .map((answer) => unusedAnswerFinding(answer, tables));
}

function meaningsIn(table: Table, pair: string): readonly AnswerMeaning[] {
  const columnsOf = answerColumns(table.header);
  const answers = table.answers.words.filter((answer) => answer.pair === pair);
  return answers.flatMap(({ subject, mayBeWord, reading: { state } }): AnswerMeaning[] => [
    ...(mayBeWord ? [{ table, columns: undefined, word: subject, state }] : []),
    ...readingsOfColons(subject).flatMap(({ name, word }) => {
      const columns = columnsOf(name);
      return columns.length > 0 ? [{ table, columns, word, state }] : [];
    }),
  ]);
}

// True for an answer that is not about the text of a cell: for blanks, for all other words, for a domain, or for
// columns that contradict each other. In a column that svc does not read, an answer for all words counts for no row; if
// it says subscribed, it only calls the words harmless.
function mayMeanMore({ table, columns, word, state }: AnswerMeaning): boolean {
  if (word.trim() === ALL_OTHER_WORDS) {
    return columns === undefined || state === 'subscribed' || columns.some((index) => isStatusColumn(table, index));
  }
  return word.trim() === '' || word === LISTS_DISAGREE || (word.startsWith('@') && wholeDomain(word) !== undefined);
}

// True for a column in which answers for all words count: one about the status, or one with addresses of other people.
function isStatusColumn({ columns, consentColumns, addressColumns }: Table, index: number): boolean {
  return (
    [...STATE_COLUMN_KINDS, ...ADDRESS_COLUMN_KINDS].includes(columns[index]?.kind ?? 'ignore') ||
    [...consentColumns, ...addressColumns.found].some((column) => column.index === index)
  );
}

// True if the counted values of a status column have the word. Then the rows need not be read again.
function isCounted(meanings: readonly AnswerMeaning[], read: readonly TableWithStatistics[]): boolean {
  return meanings.some((meaning) => {
    const { values } = read.find(({ table }) => table === meaning.table)?.statistics.status ?? { values: new Map() };
    return [...values.keys()].some(
      (index) =>
        (meaning.columns?.includes(index) ?? true) &&
        valuesInColumn(values, index).some(({ value }) => useOf(meaning, index, value) === 'counts'),
    );
  });
}

type Use = 'counts' | 'outranked' | 'elsewhere' | undefined;

// What an answer does for one cell. It is outranked by an answer that names more, and its word stands elsewhere if the
// column is one that the answer must name. Undefined if the cell does not have the word.
function useOf({ table, columns, word, state }: AnswerMeaning, index: number, cell: string): Use {
  if (word === ALL_OTHER_WORDS) {
    return table.readsAnswer(index, cell) ? 'counts' : undefined;
  }
  const isWord = cell !== '' && keyOf(cell) === keyOf(word);
  if (!(isWord || LIST_MARKS.test(cell))) {
    return undefined;
  }
  const isListed = isWord || listedValues(cell).some((value) => keyOf(value) === keyOf(word));
  if (columns !== undefined && isListed) {
    return 'counts';
  }
  if (!(isListed || cell.split(LIST_MARKS).some((part) => keyOf(part) === keyOf(word)))) {
    return undefined;
  }
  const general = table.answers.states.anywhere.get(keyOf(word));
  if (columns === undefined && (isAnswered(table, index, [cell, word]) || general?.state !== state)) {
    return 'outranked';
  }
  return table.readsAnswer(index, cell) ? 'counts' : isListed ? 'elsewhere' : undefined;
}

const keyOf = memoize(textKey);

// Matches what stands between the words of a cell with several: `["new","left"]`, `VIP, left`, `opt-in: no`.
const LIST_MARKS = /[[\]{}",;|:=]+/;

// Reads the rows until each answer has counted for one. Returns the answers that counted for none.
async function searchRows(
  answers: readonly OpenAnswer[],
  tables: readonly Table[],
  signal: AbortSignal,
): Promise<readonly OpenAnswer[]> {
  let open = answers;
  for await (const { table, rows } of readTables(tables, { signal })) {
    for (const { cells } of rows) {
      const own = table.svcColumns > 0 ? cells.slice(table.svcColumns) : cells;
      open = open.filter((answer) => !countsInRow(answer, table, own));
    }
    if (open.length === 0) {
      return [];
    }
  }
  return open;
}

function countsInRow(answer: OpenAnswer, table: Table, cells: readonly string[]): boolean {
  return answer.meanings.some((meaning) => {
    const indexes = meaning.table === table ? (meaning.columns ?? cells.keys()) : [];
    return [...indexes].some((index) => {
      const use = useOf(meaning, index, cells[index] ?? '');
      answer.isOutranked ||= use === 'outranked';
      answer.elsewhere ??= use === 'elsewhere' ? { table, index, word: meaning.word } : undefined;
      return use === 'counts';
    });
  });
}
