import type { StatusReading } from '../../../platforms/lib/states.ts';
import { answerNames } from '../../mapping/column-names.ts';
import {
  answerInColumn,
  answersForColumnWord,
  type CheckedAnswers,
  hasAnswers,
} from '../../mapping/reading-answers.ts';
import type { ConsentColumn } from '../find-consent-columns.ts';
import type { OtherColumn } from '../other-columns/find-other-columns.ts';
import { combineReadings, keepsMailAway } from './combine-readings.ts';
import { LISTS_DISAGREE } from './list-columns.ts';

interface ReadColumns {
  readonly header: readonly string[];
  readonly answers: CheckedAnswers;
  readonly consentColumns: readonly ConsentColumn[];
  readonly otherColumns: readonly OtherColumn[];
}

/** Finds the state that a cell gives, with the answers of the user applied. */
interface AnsweredRule {
  readonly index: number;
  stateOf(cell: string, isBlank: boolean): StatusReading;
}

/** Makes the function that finds the answer of the user for a cell. The answer is undefined if the user gave none. */
export function createAnswerFinder(columns: ReadColumns, rules: readonly AnsweredRule[]) {
  const { answers, header, consentColumns, otherColumns } = columns;
  const plain = new Map([...consentColumns, ...otherColumns].map((column) => [column.index, column]));
  const answered = new Map(rules.map((rule) => [rule.index, rule]));
  return (index: number, cell: string): StatusReading | undefined => {
    if (!hasAnswers(answers)) {
      return undefined;
    }
    const rule = answered.get(index);
    if (rule !== undefined) {
      const status = rule.stateOf(cell, false);
      return status === plain.get(index)?.stateOf(cell) ? undefined : status;
    }
    // Only the platform reads a column without a rule. An answer for it names a word in this column, or in any column.
    const { own, word } = answersForColumnWord(answers, { columns: answerNames(header, index), word: cell.trim() });
    return own ?? (cell.trim() === '' ? undefined : word);
  };
}

/**
 * The answer of the user for a row in which a stricter column counts. It counts only if it names each column by which
 * the person left. So an answer about other columns never changes an opt-out. No answer signs the person up. Undefined
 * without such an answer.
 */
export function answerForContradiction(
  { answers, header }: { readonly answers: Pick<CheckedAnswers, 'states'>; readonly header: readonly string[] },
  leaves: readonly number[],
): StatusReading | undefined {
  const found = leaves.map((index) => answerInColumn(answers, answerNames(header, index), LISTS_DISAGREE));
  const restricting = found.filter((one) => one !== undefined && keepsMailAway(one)) as readonly StatusReading[];
  return restricting.length > 0 && restricting.length === leaves.length
    ? restricting.reduce(combineReadings)
    : undefined;
}

/**
 * The word by which `--status-map` answers for rows that another column subscribes and this one does not:
 * `Unsubscribed:subscribed and unsubscribed`.
 */
export function contradictionWord(column: string): string {
  return `${column}:${LISTS_DISAGREE}`;
}
