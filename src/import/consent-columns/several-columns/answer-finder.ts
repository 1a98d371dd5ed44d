import type { StatusReading } from '../../../platforms/lib/states.ts';
import { answerNames } from '../../mapping/column-names.ts';
import { answerInColumn, type CheckedAnswers, createAnswerLookup, hasAnswers } from '../../mapping/reading-answers.ts';
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

/** The rule of one column, with the answers of the user applied. */
interface AnsweredRule {
  readonly index: number;
  stateOf(cell: string, isBlank: boolean): StatusReading;
}

/** Makes the function that finds the answer of the user for a cell. The answer is undefined if the user gave none. */
export function createAnswerFinder(
  { answers, header, consentColumns, otherColumns }: ReadColumns,
  rules: readonly AnsweredRule[],
) {
  const columnByIndex = new Map([...consentColumns, ...otherColumns].map((column) => [column.index, column]));
  const ruleByIndex = new Map(rules.map((rule) => [rule.index, rule]));
  return (index: number, cell: string): StatusReading | undefined => {
    if (!hasAnswers(answers)) {
      return undefined;
    }
    const rule = ruleByIndex.get(index);
    if (rule !== undefined) {
      const status = rule.stateOf(cell, false);
      return status === columnByIndex.get(index)?.stateOf(cell) ? undefined : status;
    }
    // Only the platform reads a column without a rule. An answer for it names a word in this column, or in any column.
    const word = cell.trim();
    const { forWord, forWordAnywhere } = createAnswerLookup(answers, answerNames(header, index))(word);
    return forWord ?? (word === '' ? undefined : forWordAnywhere);
  };
}

/**
 * The answer of the user for a row in which a stricter column counts. The answer counts only if it names each column
 * by which the person left. So an answer about other columns never changes an opt-out. No answer signs the person up.
 * Undefined without such an answer.
 */
export function answerForContradiction(
  { answers, header }: { readonly answers: Pick<CheckedAnswers, 'states'>; readonly header: readonly string[] },
  leaves: readonly number[],
): StatusReading | undefined {
  const answersForLeaves = leaves.map((index) => answerInColumn(answers, answerNames(header, index), LISTS_DISAGREE));
  const restricting = answersForLeaves.filter((answer) => answer && keepsMailAway(answer)) as readonly StatusReading[];
  return restricting.length > 0 && restricting.length === leaves.length
    ? restricting.reduce(combineReadings)
    : undefined;
}

/**
 * The word of `--status-map` for rows in which another column says subscribed and this column does not:
 * `Unsubscribed:subscribed and unsubscribed`.
 */
export function contradictionWord(column: string): string {
  return `${column}:${LISTS_DISAGREE}`;
}
