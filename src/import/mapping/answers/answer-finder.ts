import type { StatusReading } from '../../../platforms/lib/states.ts';
import type { ConsentColumn } from '../../consent-columns/find-consent-columns.ts';
import type { OtherColumn } from '../../consent-columns/other-columns/find-other-columns.ts';
import { combineReadings, keepsMailAway } from '../../consent-columns/several-columns/combine-readings.ts';
import { LISTS_DISAGREE } from '../../consent-columns/several-columns/list-columns.ts';
import { answerInColumn, type CheckedAnswers, createAnswerLookup, hasAnswers } from './answer-lookup.ts';

interface ReadColumns {
  readonly answers: CheckedAnswers;
  readonly consentColumns: readonly ConsentColumn[];
  readonly otherColumns: readonly OtherColumn[];
}

/** The rule of one column, with the answers of the user applied. */
interface AnsweredRule {
  readonly index: number;
  stateOf(cell: string, isBlank: boolean): StatusReading;
}

/**
 * Makes the function that finds the user's answer for a cell of a column. It returns undefined if the user gave none.
 */
export function createAnswerFinder(
  { answers, consentColumns, otherColumns }: ReadColumns,
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
    // Only the platform reads a column without a rule, so an answer for all words does not count here.
    const word = cell.trim();
    const { forWord, forWordAnywhere } = createAnswerLookup(answers, index)(word);
    return forWord ?? (word === '' ? undefined : forWordAnywhere);
  };
}

/**
 * The user's answer for a row in which one column says subscribed and stricter columns decide. It counts only if each
 * stricter column (`optedOutBy`) has an answer for such rows. So an answer about one column never changes an opt-out in
 * a different column. The answer can only keep mail away. Undefined if there is none.
 */
export function answerForContradiction(
  answers: Pick<CheckedAnswers, 'states'>,
  optedOutBy: readonly number[],
): StatusReading | undefined {
  const ofColumns = optedOutBy.map((index) => answerInColumn(answers, index, LISTS_DISAGREE));
  const restricting = ofColumns.filter((answer) => answer && keepsMailAway(answer)) as readonly StatusReading[];
  return restricting.length > 0 && restricting.length === optedOutBy.length
    ? restricting.reduce(combineReadings)
    : undefined;
}

/**
 * The word of `--status-map` for rows in which this column keeps mail away and another column says subscribed:
 * `Unsubscribed:subscribed and unsubscribed`.
 */
export function contradictionWord(column: string): string {
  return `${column}:${LISTS_DISAGREE}`;
}
