import type { Finding } from '../../../../base/finding.ts';
import { ADDRESS_COLUMN_KINDS, NAME_COLUMN_KINDS } from '../../../../platforms/lib/platform.ts';
import type { State } from '../../../../platforms/lib/states.ts';
import { unknownColumn } from '../../../mapping/answers/unknown-names.ts';
import { answerName, columnLabel, mapFlag, statusMapFlag } from '../../../mapping/column-names.ts';
import { readState } from '../../../mapping/reading-answers.ts';
import type { Table } from '../../../mapping/table.ts';
import { sourceLabel } from '../../../source/source.ts';

/** What a typed answer may mean in one table: a word, in the columns with these indexes or in any column. */
export interface AnswerMeaning {
  readonly table: Table;
  readonly columns: readonly number[] | undefined;
  readonly word: string;
  readonly state: State;
}

/** An answer for which no row was found so far. */
export interface OpenAnswer {
  readonly pair: string;
  readonly meanings: readonly AnswerMeaning[];
  /** The first cell that has the word, but in a column for which the answer does not count. */
  elsewhere: { readonly table: Table; readonly index: number; readonly word: string } | undefined;
  /** True if an answer that names more counts in its place. */
  isOutranked: boolean;
}

export const ALL_OTHER_WORDS = '*';

/**
 * The finding about a typed answer that counts for no row. Throws SvcError (exit 2) if it names a column that no input
 * has.
 */
export function unusedAnswerFinding({ pair, meanings, elsewhere }: OpenAnswer, tables: readonly Table[]): Finding {
  const [subject, text] = [pair.slice(0, pair.lastIndexOf('=')), pair.slice(pair.lastIndexOf('=') + 1)];
  const { state } = readState(text, '--status-map', `${subject}=`);
  const [named] = meanings.filter(({ columns }) => columns !== undefined);
  if (named === undefined && elsewhere === undefined && subject.includes(':')) {
    const column = subject.slice(0, subject.indexOf(':'));
    const maySubscribe = state === 'subscribed';
    throw unknownColumn(tables, { flag: '--status-map', column, pair, mayLeaveOut: false, maySubscribe });
  }
  const finding = (why: string, answers: Partial<Finding> = {}): Finding => ({
    check: 'unknown_status',
    level: 'warn',
    message: `--status-map ${JSON.stringify(pair)} counts for no row: ${why}`,
    ...answers,
  });
  const keepsMailAway = state !== 'subscribed';
  if (named?.word === ALL_OTHER_WORDS) {
    const { table, columns: [index = 0] = [] } = named;
    const label = columnLabel(table.header, index);
    return finding(`svc reads no status in ${label}`, {
      level: 'stop',
      hint: mapFlag(table, answerName(table.header, index), 'status'),
      when: `If ${label} says who is subscribed`,
    });
  }
  if (elsewhere === undefined) {
    return finding('no cell says this');
  }
  const { table, index, word } = elsewhere;
  const label = columnLabel(table.header, index);
  const place = `the word stands only in ${label} of ${sourceLabel(table.source)}`;
  if (!keepsMailAway) {
    return finding(`${place}, where svc reads no status`);
  }
  // An answer that names an input outranks one for all inputs, so the offered answer names it too.
  const input = subject.slice(0, subject.length - word.length);
  const flagFor = (answer: State) =>
    statusMapFlag(input === '' ? table : {}, `${input}${answerName(table.header, index)}:${word}`, answer);
  const kind = table.columns[index]?.kind;
  const isOfPerson = NAME_COLUMN_KINDS.has(kind) || ADDRESS_COLUMN_KINDS.has(kind);
  return finding(`${place}, and the answer must name this column`, {
    level: isOfPerson ? 'warn' : 'stop',
    hint: flagFor(state),
    when: `If ${JSON.stringify(word)} means the same in ${label}`,
    otherwise: [{ when: `If ${JSON.stringify(word)} keeps no mail away there`, flags: flagFor('subscribed') }],
  });
}
