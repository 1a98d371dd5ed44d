import type { Finding } from '../../../../base/finding.ts';
import { LISTS_DISAGREE } from '../../../consent-columns/several-columns/list-columns.ts';
import type { TypedAnswers } from '../../../mapping/answers/outranked-answers.ts';
import type { ReadingOptions } from '../../../mapping/reading-answers.ts';
import { valuesInColumn } from '../../statistics/value-counts.ts';
import type { TableWithStatistics } from '../check-context.ts';
import { type AnswerMeaning, meaningsIn, namesOnlyLostColumns } from './answer-meanings.ts';
import { isSameWord, isStatusColumn, useOf } from './answer-use.ts';
import { type CellWithPart, type OpenAnswer, openAnswer, searchRows } from './search-rows.ts';
import { mayThrow, partlyUsedFinding, unusedAnswerFinding } from './unused-answer-finding.ts';

/**
 * Warns about typed answers of `--status-map` that count for no row, or that miss cells with more text. Stops if an
 * answer keeps mail away and counts for no row, but its word stands in another column or among other words. Otherwise
 * people whom the user calls opted out could be signed up (C1). Throws SvcError (exit 2) for an answer that names a
 * column which no input has, unless its text is the word of a cell. A mapping file is for the lists of each day, so
 * words of its answers may be missing today. Of its answers svc checks only those whose column is gone, because that
 * column was probably renamed.
 */
export async function findUnusedAnswers(
  read: readonly TableWithStatistics[],
  { statusMap }: Pick<ReadingOptions, 'statusMap'>,
  typed: Pick<TypedAnswers, 'statusMap'>,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const tables = read.map(({ table }) => table);
  // If all inputs are rejects files, svc looks for no unused answers. The answers are those of the original run, and
  // may be about its other inputs.
  if (tables.every(({ svcColumns }) => svcColumns > 0)) {
    return [];
  }
  // `statusMap` has the answers that count in the end: an answer at the terminal may have replaced a typed one.
  const pairs = [...new Set(Object.entries(statusMap).map(([subject, state]) => `${subject}=${state}`))];
  const answers = pairs
    .map((pair) => {
      const meanings = tables.flatMap((table) => meaningsIn(table, pair));
      return openAnswer(pair, typed.statusMap.includes(pair), meanings);
    })
    .filter(({ pair, isTyped, meanings }) => isTyped || namesOnlyLostColumns(pair, meanings, tables));
  const uncounted = answers.filter(({ meanings }) => !meanings.some(mayMeanMore) && !isCounted(meanings, read));
  await searchRows(uncounted, tables, signal);
  const open = uncounted.filter((answer) => !isAskedAnyway(answer, read));
  const unused = open
    .filter(({ isUsed }) => !isUsed)
    .filter(({ isOutranked, elsewhere, parts }) => elsewhere !== undefined || parts.length > 0 || !isOutranked)
    .filter((answer) => answer.isTyped || mayThrow(answer, tables));
  return [
    ...unused.map((answer) => unusedAnswerFinding(answer, tables)),
    ...open.filter(({ isUsed, parts }) => isUsed && parts.length > 0).map(partlyUsedFinding),
  ];
}

// True for an answer whose word svc does not search for in the cells: one for all other words (`Plan:*`), or one for
// lists that disagree. False for `Plan:*` if `Plan` is no status column and the answer does not subscribe: such an
// answer counts for no row, so svc must report it.
function mayMeanMore({ table, columns, word, isForAll, state }: AnswerMeaning): boolean {
  if (isForAll) {
    return columns === undefined || state === 'subscribed' || columns.some((index) => isStatusColumn(table, index));
  }
  return word === LISTS_DISAGREE;
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

// True if svc already asks about a cell that has the word and says more. The user's next answer then counts for this
// cell, or this check finds that it does not.
function isAskedAnyway({ elsewhere, parts }: OpenAnswer, read: readonly TableWithStatistics[]): boolean {
  return elsewhere === undefined && parts.some((part) => isAsked(part, read));
}

function isAsked({ table, index, cell }: CellWithPart, read: readonly TableWithStatistics[]): boolean {
  const { statistics } = read.find((one) => one.table === table) ?? {};
  const asked = [...(statistics?.status.unknown.words.values() ?? [])];
  return asked.some((one) => one.index === index && isSameWord(one.word, cell));
}
