import type { State } from '../../../../platforms/lib/states.ts';
import { answerColumns, answeredWord, isForAllWords, readingsOfColons } from '../../../mapping/answers/answer-keys.ts';
import { prefixLength } from '../../../mapping/answers/unknown-names.ts';
import type { Table } from '../../../mapping/table.ts';

/** What an answer may mean in one table: a word, in the columns with these indexes or in any column. */
export interface AnswerMeaning {
  readonly table: Table;
  readonly columns: readonly number[] | undefined;
  readonly word: string;
  /** True for an answer such as `Plan:*`, for all words without an answer of their own. */
  readonly isForAll: boolean;
  readonly state: State;
}

/** What an answer such as `Plan: free=skip` may mean in a table: the word `Plan: free`, or `free` in `Plan`. */
export function meaningsIn(table: Table, pair: string): readonly AnswerMeaning[] {
  const columnsOf = answerColumns(table.header);
  const answers = table.answers.words.filter((answer) => answer.pair === pair);
  return answers.flatMap(({ subject, mayBeWord, reading: { state } }): AnswerMeaning[] => [
    ...(mayBeWord ? [{ table, columns: undefined, ...meant(subject), state }] : []),
    ...readingsOfColons(subject).flatMap(({ name, word }) => {
      const columns = columnsOf(name);
      return columns.length > 0 ? [{ table, columns, ...meant(word), state }] : [];
    }),
  ]);
}

function meant(word: string): Pick<AnswerMeaning, 'word' | 'isForAll'> {
  return { word: answeredWord(word), isForAll: isForAllWords(word) };
}

/** What an answer is about: `left.csv:Plan:Pro` for `left.csv:Plan:Pro=skip`. */
export function subjectOf(pair: string): string {
  return pair.slice(0, pair.lastIndexOf('='));
}

/** What an answer is about, without the name of an input: `Plan:Pro` for `left.csv:Plan:Pro=skip`. */
export function subjectWithoutInput(pair: string, tables: readonly Table[]): string {
  const subject = subjectOf(pair);
  return subject.slice(prefixLength(tables, subject));
}

/**
 * True for an answer that keeps mail away and names a column that no input has. A text with a blank after the colon,
 * such as `Zone: free`, is probably the word of a cell and names no column.
 */
export function namesOnlyLostColumns(
  pair: string,
  meanings: readonly AnswerMeaning[],
  tables: readonly Table[],
): boolean {
  const namesColumn = /:(?!\s)/.test(subjectWithoutInput(pair, tables));
  return namesColumn && meanings.every(({ columns, state }) => columns === undefined && state !== 'subscribed');
}
