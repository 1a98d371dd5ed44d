import type { Finding } from '../../../../base/finding.ts';
import { memoize } from '../../../../base/lib/memoize.ts';
import { ADDRESS_COLUMN_KINDS, STATE_COLUMN_KINDS } from '../../../../platforms/lib/platform.ts';
import { isBlankMark } from '../../../../platforms/lib/status-words.ts';
import { LISTS_DISAGREE } from '../../../consent-columns/several-columns/list-columns.ts';
import { answerColumns, listedValues, textKey } from '../../../mapping/answers/answer-keys.ts';
import { readingsOfColons } from '../../../mapping/answers/exact-answers.ts';
import type { TypedAnswers } from '../../../mapping/answers/outranked-answers.ts';
import { answerName } from '../../../mapping/column-names.ts';
import { readTables } from '../../../mapping/open-tables.ts';
import type { ReadingOptions } from '../../../mapping/reading-answers.ts';
import type { Table } from '../../../mapping/table.ts';
import { findDomainOf, wholeDomain } from '../../../values/domains.ts';
import { valuesInColumn } from '../../statistics/value-counts.ts';
import { isAnswered, MAX_ANSWERS, type TableWithStatistics } from '../list-check.ts';
import {
  ALL_OTHER_WORDS,
  type AnswerMeaning,
  type CellWithPart,
  mayThrow,
  type OpenAnswer,
  partlyUsedFinding,
  subjectWithoutInput,
  unusedAnswerFinding,
} from './unused-answer-finding.ts';

/**
 * Warns about typed answers of `--status-map` that count for no row. Stops if such an answer keeps mail away, but its
 * word stands in a column that it does not name. Throws SvcError (exit 2) for an answer that names a column which no
 * input has, unless it is the word of a cell. Otherwise people whom the user calls opted out could be signed up without
 * a warning (C1). Answers of a mapping file are for the lists of each day, so their words are not checked. But if their
 * column is gone, it was probably renamed.
 */
export async function findUnusedAnswers(
  read: readonly TableWithStatistics[],
  { statusMap }: Pick<ReadingOptions, 'statusMap'>,
  typed: Pick<TypedAnswers, 'statusMap'>,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const tables = read.map(({ table }) => table);
  // A rejects file is read with the answers of its original run, which may be about other inputs of that run.
  if (tables.every(({ svcColumns }) => svcColumns > 0)) {
    return [];
  }
  // An answer at the terminal can replace a typed one.
  const pairs = [...new Set(Object.entries(statusMap).map(([subject, state]) => `${subject}=${state}`))];
  const open = pairs
    .map(
      (pair): OpenAnswer => ({
        pair,
        isTyped: typed.statusMap.includes(pair),
        meanings: tables.flatMap((table) => meaningsIn(table, pair)),
        elsewhere: undefined,
        parts: [],
        holders: new Set(),
        isOutranked: false,
        isUsed: false,
      }),
    )
    .filter((answer) => answer.isTyped || namesOnlyLostColumns(answer, tables));
  const uncounted = open.filter(({ meanings }) => !meanings.some(mayMeanMore) && !isCounted(meanings, read));
  await searchRows(uncounted, tables, signal);
  const openHere = uncounted.filter(
    ({ elsewhere, parts }) => elsewhere !== undefined || !parts.some((part) => isAsked(part, read)),
  );
  const unused = openHere
    .filter(({ isUsed }) => !isUsed)
    .filter(({ isOutranked, elsewhere, parts }) => elsewhere !== undefined || parts.length > 0 || !isOutranked)
    .filter((answer) => answer.isTyped || mayThrow(answer, tables));
  return [
    ...unused.map((answer) => unusedAnswerFinding(answer, tables)),
    ...openHere.filter(({ isUsed, parts }) => isUsed && parts.length > 0).map(partlyUsedFinding),
  ];
}

// True for an answer that keeps mail away and names a column, but none that an input has. A text such as `Zone: free`
// is probably a word.
function namesOnlyLostColumns({ pair, meanings }: OpenAnswer, tables: readonly Table[]): boolean {
  const namesColumn = /:(?!\s)/.test(subjectWithoutInput(pair, tables));
  return namesColumn && meanings.every(({ columns, state }) => columns === undefined && state !== 'subscribed');
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

// True for an answer that is not about the text of a cell: for all other words, or for columns that contradict each
// other. In a column that svc does not read, an answer for all words counts for no row; if it says subscribed, it only
// calls the words harmless.
function mayMeanMore({ table, columns, word, state }: AnswerMeaning): boolean {
  if (word.trim() === ALL_OTHER_WORDS) {
    return columns === undefined || state === 'subscribed' || columns.some((index) => isStatusColumn(table, index));
  }
  return word === LISTS_DISAGREE;
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

type Use = 'counts' | 'outranked' | 'elsewhere' | 'part' | 'lost' | undefined;

// What an answer does for one cell. Undefined if the cell does not have the word. `outranked`: a more exact answer
// counts. `elsewhere`: the answer must name this column to count. `part`: the cell says more than that: `Pro (old)`.
// `lost`: the answer names a column that is gone, and the cell has the word.
function useOf({ table, columns, word, state }: AnswerMeaning, index: number, cell: string): Use {
  if (word === ALL_OTHER_WORDS) {
    return table.readsAnswer(index, cell, cell) ? 'counts' : undefined;
  }
  const domain = columns === undefined ? domainOf(word) : undefined;
  if (domain !== undefined) {
    return findDomainOf({ has: (other) => other === domain }, cell) === undefined ? undefined : 'counts';
  }
  if (keyOf(word) === '') {
    const isStatus = isStatusColumn(table, index);
    const isBlank = cell.trim() === '' || (isStatus && isBlankMark(cell));
    return isBlank && (columns !== undefined || isStatus) ? 'counts' : undefined;
  }
  const isListed = hasValue(cell, word);
  if (columns !== undefined && isListed) {
    return 'counts';
  }
  if (!(isListed || isPart(word, cell))) {
    const [lost] = columns === undefined ? readingsOfColons(word) : [];
    return lost !== undefined && hasValue(cell, lost.word) ? 'lost' : undefined;
  }
  const general = table.answers.states.anywhere.get(keyOf(word));
  if (columns === undefined && (isAnswered(table, index, [cell, word]) || general?.state !== state)) {
    return 'outranked';
  }
  if (table.readsAnswer(index, cell, word)) {
    return 'counts';
  }
  const mayMeanPart = columns !== undefined || isStatusColumn(table, index);
  const part = mayMeanPart && !isAnswered(table, index, [cell, ALL_OTHER_WORDS]) ? 'part' : undefined;
  return isListed ? 'elsewhere' : part;
}

const keyOf = memoize(textKey);

// True if a cell is this word, or a list with it.
function hasValue(cell: string, word: string): boolean {
  return cell !== '' && [cell, ...listedValues(cell)].some((value) => keyOf(value) === keyOf(word));
}

/** The domain of an answer for all people of a domain: `@example.org=skip`. */
const domainOf = memoize((word) => (word.startsWith('@') ? wholeDomain(word) : undefined));

// True if a cell has the words of an answer, and more: `vip Gold`, `Gold!`.
function isPart(word: string, cell: string): boolean {
  const words = plainWords(word);
  return mayBePart(words) && cell.length > word.length && plainWords(cell).includes(words);
}

// False for a single letter or number.
function mayBePart(words: string): boolean {
  return /\p{L}.|. ./u.test(words.trim());
}

// The words of a text between blanks, without accents and symbols: ` vip gold `.
const plainWords = memoize((text: string) => {
  const words = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return ` ${(words ?? []).join(' ')} `;
});

// Reads the rows until each answer has counted for one, and records what it found in the answers. Reads all rows for an
// answer that keeps mail away, because further cells may say more.
async function searchRows(
  answers: readonly OpenAnswer[],
  tables: readonly Table[],
  signal: AbortSignal,
): Promise<void> {
  let open = answers.map((answer) => ({ answer, record: createRecorder(answer) }));
  if (open.length === 0) {
    return;
  }
  for await (const { table, rows } of readTables(tables, { signal })) {
    for (const { cells } of rows) {
      const own = table.svcColumns > 0 ? cells.slice(table.svcColumns) : cells;
      open.forEach(({ record }) => record(table, own));
    }
    open = open.filter(({ answer }) => !answer.isUsed || mayHaveFurtherParts(answer));
    if (open.length === 0) {
      return;
    }
  }
}

// True if a cell that says more than the word may be that of a person whom the user wants to opt out, but svc mails.
function mayHaveFurtherParts({ isTyped, meanings, parts }: OpenAnswer): boolean {
  const mayHaveParts = meanings.some(({ word, state }) => state !== 'subscribed' && mayBePart(plainWords(word)));
  return isTyped && mayHaveParts && parts.length < MAX_ANSWERS;
}

// Makes the function that records what an answer does for the cells of a row.
function createRecorder(answer: OpenAnswer): (table: Table, cells: readonly string[]) => void {
  // Most columns have few different cells.
  const uses = answer.meanings.map((meaning) => {
    const readers = meaning.table.header.map((_, index) => memoize((cell) => useOf(meaning, index, cell)));
    const useOfCell = (index: number, cell: string) => {
      const reader = readers[index];
      return reader === undefined ? useOf(meaning, index, cell) : reader(cell);
    };
    return { meaning, useOfCell };
  });
  return (table, cells) => {
    for (const { meaning, useOfCell } of uses) {
      const indexes = meaning.table === table ? (meaning.columns ?? cells.keys()) : [];
      for (const index of indexes) {
        const cell = cells[index] ?? '';
        const use = useOfCell(index, cell);
        answer.isUsed ||= use === 'counts';
        answer.isOutranked ||= use === 'outranked';
        answer.elsewhere ??= use === 'elsewhere' ? { table, index, word: meaning.word } : undefined;
        use === 'part' && addPart(answer, { table, index, cell });
        use === 'lost' && answer.holders.add(answerName(table.header, index));
      }
    }
  };
}

// True if svc asks about the cell anyway. The next answer then counts, or this check finds it.
function isAsked({ table, index, cell }: CellWithPart, read: readonly TableWithStatistics[]): boolean {
  const { statistics } = read.find((one) => one.table === table) ?? {};
  const asked = [...(statistics?.status.unknown.words.values() ?? [])];
  return asked.some((one) => one.index === index && keyOf(one.word) === keyOf(cell));
}

function addPart({ parts }: OpenAnswer, { table, index, cell }: CellWithPart): void {
  const isKnown = parts.some((one) => one.table === table && one.index === index && keyOf(one.cell) === keyOf(cell));
  isKnown || parts.length === MAX_ANSWERS || parts.push({ table, index, cell: cell.trim() });
}
