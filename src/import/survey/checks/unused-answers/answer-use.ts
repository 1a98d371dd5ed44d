import { memoize } from '../../../../base/lib/memoize.ts';
import { isNoTime } from '../../../../platforms/lib/blank-cells.ts';
import { ADDRESS_COLUMN_KINDS, STATE_COLUMN_KINDS } from '../../../../platforms/lib/platform.ts';
import type { State } from '../../../../platforms/lib/states.ts';
import { isBlankMark } from '../../../../platforms/lib/status-words.ts';
import { listedValues, readingsOfColons, textKey } from '../../../mapping/answers/answer-keys.ts';
import { answerForColumn, answerInColumn } from '../../../mapping/answers/answer-lookup.ts';
import type { Table } from '../../../mapping/table.ts';
import { findDomainOf, wholeDomain } from '../../../values/domains.ts';
import { isAnswered } from '../check-context.ts';
import type { AnswerMeaning } from './answer-meanings.ts';

/**
 * What an answer does for one cell. Undefined if the answer is not about the cell.
 *
 * - `counts`: it gives the cell its state.
 * - `outranked`: a more exact answer counts in its place.
 * - `elsewhere`: the cell has the word, but the answer must name this column.
 * - `part`: the cell has the word and says more: `Pro (old)`.
 * - `lost`: the answer names a column that is gone, and this cell has its word.
 */
export type Use = 'counts' | 'outranked' | 'elsewhere' | 'part' | 'lost' | undefined;

/** Returns what an answer does for a cell of the column with this index. */
export function useOf(meaning: AnswerMeaning, index: number, cell: string): Use {
  const { table, columns, word, isForAll } = meaning;
  if (isForAll) {
    return table.readsAnswer(index, cell, cell) ? 'counts' : undefined;
  }
  const domain = columns === undefined ? domainOf(word) : undefined;
  if (domain !== undefined) {
    return findDomainOf({ has: (other) => other === domain }, cell) === undefined ? undefined : 'counts';
  }
  if (keyOf(word) === '') {
    return isBlankFor(meaning, index, cell) ? 'counts' : undefined;
  }
  return useOfWord(meaning, index, cell);
}

/** The domain of an answer for all people of a domain: `@example.org=skip`. */
const domainOf = memoize((word) => (word.startsWith('@') ? wholeDomain(word) : undefined));

const keyOf = memoize(textKey);

/** True if two texts are the same word for an answer. */
export function isSameWord(first: string, second: string): boolean {
  return keyOf(first) === keyOf(second);
}

// True for a cell that is blank for this answer. An answer that names no column counts for blanks only in columns about
// the status.
function isBlankFor({ table, columns, state }: AnswerMeaning, index: number, cell: string): boolean {
  const isStatus = isStatusColumn(table, index);
  const counts = () =>
    answerInColumn(table.answers, index, cell)?.state === state ||
    (isNoTime(cell) && stateOfCell(table, index, cell) === state);
  if (columns !== undefined && counts()) {
    return true;
  }
  const isBlank = cell.trim() === '' || (isStatus && isBlankMark(cell));
  return isBlank && (columns !== undefined || isStatus);
}

function useOfWord(meaning: AnswerMeaning, index: number, cell: string): Use {
  const { table, columns, word } = meaning;
  const isListed = hasValue(cell, word);
  if (!isListed && !isPart(word, cell)) {
    return useOfPlainWord(meaning, index, cell);
  }
  if (columns !== undefined && isListed) {
    return 'counts';
  }
  if (isOutranked(meaning, index, cell)) {
    return 'outranked';
  }
  if (table.readsAnswer(index, cell, word)) {
    return 'counts';
  }
  if (isListed) {
    return isReadSo(meaning, index, cell) ? 'counts' : 'elsewhere';
  }
  const mayBeMeant = columns !== undefined || isStatusColumn(table, index);
  const isOpen = !isAnswered(table, index, [cell]) && answerForColumn(table.answers, index) === undefined;
  return mayBeMeant && isOpen ? 'part' : undefined;
}

// True if svc gives the cell the state of the answer even without the answer: `1=subscribed` for a 1 under `status`.
// Such a yes or no needs no answer.
function isReadSo({ table, state }: AnswerMeaning, index: number, cell: string): boolean {
  return isStatusColumn(table, index) && stateOfCell(table, index, cell) === state;
}

/** The state of a row that has only this cell. Undefined if svc asks about the cell. */
export function stateOfCell(table: Table, index: number, cell: string): State | undefined {
  const { state, unknown } = table.stateOf(
    table.header.map((_, at) => (at === index ? cell : '')),
    '',
  );
  return unknown === undefined ? state : undefined;
}

// What an answer does for a cell that is not its word and does not contain it among other words. The word may be a mark
// in the cell: `#` in `#ana@example.com`.
function useOfPlainWord(meaning: AnswerMeaning, index: number, cell: string): Use {
  const { table, word } = meaning;
  if (cell.includes(word) && !/[\p{L}\p{N}]/u.test(word) && table.readsAnswer(index, cell, word)) {
    return 'counts';
  }
  return isWordOfLostColumn(meaning, cell) ? 'lost' : undefined;
}

// True if a cell is this word, or a list with it.
function hasValue(cell: string, word: string): boolean {
  return cell !== '' && [cell, ...listedValues(cell)].some((value) => isSameWord(value, word));
}

// True if a cell has the words of an answer, and more: `vip Gold`, `Gold!`.
function isPart(word: string, cell: string): boolean {
  const words = plainWords(word);
  return mayBePart(word) && cell.length > word.length && plainWords(cell).includes(words);
}

/** True for a word that longer cells may mean too: `Gold` for the cell `Gold!`. False for a single letter or number. */
export function mayBePart(word: string): boolean {
  return /\p{L}.|. ./u.test(plainWords(word).trim());
}

// The words of a text, without accents and symbols, with a blank before and after each word: ` vip gold `.
const plainWords = memoize((text: string) => {
  const words = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return ` ${(words ?? []).join(' ')} `;
});

// True if the answer names no column of the table, but may name one that is gone: `Plan:Pro` for the cell `Pro`.
function isWordOfLostColumn({ columns, word }: AnswerMeaning, cell: string): boolean {
  const [lost] = columns === undefined ? readingsOfColons(word) : [];
  return lost !== undefined && hasValue(cell, lost.word);
}

// True if another answer counts for the cell: one that names its column, or a second one for the same word.
function isOutranked({ table, columns, word, state }: AnswerMeaning, index: number, cell: string): boolean {
  const general = table.answers.states.anywhere.get(keyOf(word));
  return columns === undefined && (isAnswered(table, index, [cell, word]) || general?.state !== state);
}

/** True for a column in which answers for all words count: one about the status, or with addresses. */
export function isStatusColumn({ columns, consentColumns, addressColumns }: Table, index: number): boolean {
  return (
    [...STATE_COLUMN_KINDS, ...ADDRESS_COLUMN_KINDS].includes(columns[index]?.kind ?? 'ignore') ||
    [...consentColumns, ...addressColumns.found].some((column) => column.index === index)
  );
}
