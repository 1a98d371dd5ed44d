import { headerOrNumber } from '../../../platforms/lib/headers.ts';
import type { StatusReading } from '../../../platforms/lib/states.ts';
import { answersForColumnWord, type CheckedAnswers, hasAnswers } from '../../mapping/reading-answers.ts';
import type { ConsentColumn } from '../find-consent-columns.ts';
import type { OtherColumn } from '../other-columns/find-other-columns.ts';

interface ReadColumns {
  readonly header: readonly string[];
  readonly answers: CheckedAnswers;
  readonly consentColumns: readonly ConsentColumn[];
  readonly otherColumns: readonly OtherColumn[];
}

/** The rule of a column, with the answers of the user. */
interface AnsweredRule {
  readonly at: number;
  stateOf(cell: string, isBlank: boolean): StatusReading;
}

/** Makes the function that finds the answer of the user for a cell. It is undefined if the user gave none. */
export function createAnswerFinder(columns: ReadColumns, rules: readonly AnsweredRule[]) {
  const { answers, header, consentColumns, otherColumns } = columns;
  const plain = new Map([...consentColumns, ...otherColumns].map((column) => [column.at, column]));
  const answered = new Map(rules.map((rule) => [rule.at, rule]));
  return (at: number, cell: string): StatusReading | undefined => {
    if (!hasAnswers(answers)) {
      return undefined;
    }
    const rule = answered.get(at);
    if (rule !== undefined) {
      const status = rule.stateOf(cell, false);
      return status === plain.get(at)?.stateOf(cell) ? undefined : status;
    }
    // The platform reads this column.
    const { own, word } = answersForColumnWord(answers, { column: headerOrNumber(header, at), word: cell.trim() });
    return own ?? (cell.trim() === '' ? undefined : word);
  };
}
