import type { OtherAnswer } from '../../../../base/finding.ts';
import type { State } from '../../../../platforms/lib/states.ts';
import { LISTS_DISAGREE } from '../../../consent-columns/several-columns/list-columns.ts';
import { isGenericYes, readYesNo } from '../../../consent-columns/words/value-words.ts';
import { shortValue } from '../status-candidates.ts';
import type { ColumnAnswers } from './unknown-status-answers.ts';

/** The maximum number of words for which svc offers `unsubscribed`. More words hardly all mean that a person left. */
const MAX_WORDS_OF_LEAVING = 3;

/**
 * The answer for words that may mean that a person left, although svc offers to skip them. A skipped row changes
 * nothing. So a person who is already in the audience would still get mail (G11).
 */
export function leftAnswer(answers: readonly ColumnAnswers[]): readonly OtherAnswer[] {
  const isSkipped = (word: string, state: State) => state === 'skip' && mayMeanThatPersonLeft(word);
  const skipped = answers.flatMap(({ states }) => states.filter(([word, state]) => isSkipped(word, state)));
  if (skipped.length === 0 || skipped.length > MAX_WORDS_OF_LEAVING) {
    return [];
  }
  const flags = answers.flatMap((column) =>
    column.states.length === 0
      ? column.flags
      : column.states.map(([word, state]) => column.flagFor(word, isSkipped(word, state) ? 'unsubscribed' : state)),
  );
  const words = skipped.map(([word]) => JSON.stringify(shortValue(word))).join(' and ');
  const means = skipped.length === 1 ? 'means' : 'mean';
  const when = `Only if ${words} ${means} that a person left (a skip changes nothing in the audience)`;
  return [{ when, flags: [...new Set(flags)].join(' ') }];
}

function mayMeanThatPersonLeft(word: string): boolean {
  return word !== '' && word !== LISTS_DISAGREE && readYesNo(word) !== true && !isGenericYes(word);
}
