import type { State } from '../../../../platforms/lib/states.ts';
import { isGenericYes, isPlainYesNo, readYesNo } from '../../../consent-columns/value-words.ts';
import { answerName } from '../../../mapping/column-names.ts';
import type { OtherAnswer } from '../../finding.ts';
import type { UnknownWord } from '../../statistics/status-statistics.ts';
import { MAX_ANSWERS, statusMapFlag } from '../list-check.ts';
import { likelyState, type UnknownColumn } from './unknown-status-answers.ts';

/**
 * The answer that signs up people with a word such as `Confirmado` or `Granted` in a status column, or with `active`
 * under a name such as `Newsletter Berlin`. No other answer signs up only these people. It is never offered first.
 */
export function confirmedAnswers(
  { table, values, index }: Omit<UnknownColumn, 'namesColumn'>,
  words: readonly UnknownWord[],
): readonly OtherAnswer[] {
  const column = table.consentColumns.find((other) => other.index === index);
  const likelyStateOf = (word: UnknownWord) => likelyState(word, { table, values, index, namesColumn: true });
  const isList = column?.meaning === 'agreed' && column.isDirectionUnknown === true;
  const saysYes = isList ? ({ word }: UnknownWord) => isGenericYes(word) : saysConfirmed;
  const yes = words.filter((word) => saysYes(word) && likelyStateOf(word) === 'skip');
  const isOther = column?.isDirectionUnknown || column?.isPreviousStatus || column?.holdsOrders;
  const mayAgree = isList || (column?.meaning === 'status' && !isOther);
  if (column === undefined || !mayAgree || yes.length === 0 || words.length > MAX_ANSWERS) {
    return [];
  }
  const stateOf = (word: UnknownWord): State => (yes.includes(word) ? 'subscribed' : likelyStateOf(word));
  const name = answerName(table.header, column.index);
  const flags = words.map((unknown) => statusMapFlag(table, `${name}:${unknown.word}`, stateOf(unknown)));
  const yesTexts = yes.map(({ word }) => JSON.stringify(word)).join(' and ');
  return [{ when: `Only if ${yesTexts} means that a person agreed to mail`, flags: flags.join(' ') }];
}

// True for a yes in other words, such as `Granted`. A plain `yes` has answers of its own.
function saysConfirmed({ word }: UnknownWord): boolean {
  return readYesNo(word) === true && !isPlainYesNo(word);
}
