import { memoize } from '../../../base/lib/memoize.ts';
import type { StatusReading } from '../../../platforms/lib/states.ts';
import { NONE } from '../../../platforms/lib/status-words.ts';
import { combineReadings } from '../../consent-columns/several-columns/combine-readings.ts';
import { listedValues, textKey } from '../answers/answer-keys.ts';
import type { CheckedAnswers } from '../answers/answer-lookup.ts';

/** A column whose words svc knows only from answers of `--status-map`. */
interface AnsweredColumn {
  readonly index: number;
  stateOf(cell: string): StatusReading;
}

/**
 * The columns that an answer names, except those whose rules apply answers themselves (`isRead`). Example: svc takes
 * `Code` for an attribute, but `--status-map Code:B=unsubscribed` says that people with B left. The answer
 * `subscribed` signs no person up here, because the other words of the column have no meaning. A cell may list several
 * values, such as tags.
 */
export function findAnsweredColumns(
  { states: { inColumn } }: Pick<CheckedAnswers, 'states'>,
  isRead: (index: number) => boolean,
): readonly AnsweredColumn[] {
  return [...inColumn].flatMap(([index, states]) => {
    const restricting = new Map([...states].filter(([, { state }]) => state !== 'subscribed'));
    const readingOf = (text: string) => restricting.get(textKey(text)) ?? NONE;
    const stateOf = memoize((cell) => [cell, ...listedValues(cell)].map(readingOf).reduce(combineReadings));
    return isRead(index) || restricting.size === 0 ? [] : [{ index, stateOf }];
  });
}
