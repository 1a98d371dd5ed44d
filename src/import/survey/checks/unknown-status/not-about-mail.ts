import type { OtherAnswer } from '../../../../base/finding.ts';
import { formatNumber, joinAtMost } from '../../../../base/lib/text.ts';
import { NONE } from '../../../../platforms/lib/status-words.ts';
import { mayBeFinalReply } from '../../../consent-columns/cells/mail-results.ts';
import { optOutReader } from '../../../consent-columns/other-columns/read-words.ts';
import { keepsMailAway } from '../../../consent-columns/several-columns/combine-readings.ts';
import {
  allWordsOf,
  columnLabel,
  columnName,
  mapFlag,
  statusMapFlag,
  wordInColumn,
} from '../../../mapping/column-names.ts';
import type { Table } from '../../../mapping/table.ts';
import type { UnknownWord } from '../../statistics/status-statistics.ts';
import { valuesInColumn } from '../../statistics/value-counts.ts';
import { MAX_ANSWERS } from '../check-context.ts';
import { shortValue } from '../status-candidates.ts';
import type { UnknownColumn } from './likely-state.ts';
import { isShortWord } from './unknown-status-answers.ts';

/**
 * The answer if a column is not about mail. It also answers for opt-out words, at which svc stops even in an ignored
 * column.
 */
export function notAboutMailAnswer(
  { table, values }: Pick<UnknownColumn, 'table' | 'values'>,
  index: number,
  words: readonly UnknownWord[],
): OtherAnswer {
  const label = columnLabel(table.header, index);
  // `Notes:*` does not answer for a text that may be a final reply of a mail server. Such a text gets its own answer.
  const ownAnswers = words.map(({ word }) => word).filter(mayBeFinalReply);
  const own = ownAnswers.slice(0, MAX_ANSWERS).map((word) => wordInColumn(table.header, index, word));
  const filled = words.map(({ word }) => word).filter((word) => word !== '');
  const isShort = filled.length > 0 && filled.length <= MAX_NAMED_WORDS && filled.every(isShortWord);
  const named = filled.map((word) => wordInColumn(table.header, index, word));
  const harmless = (isShort ? named : [allWordsOf(table.header, index), ...own])
    .map((word) => statusMapFlag(table, word, 'subscribed'))
    .join(' ');
  const isShortRow = words.every(({ misplaced }) => misplaced);
  if (isShortRow || (isNoteOrOther(table, index) && words.some(({ word }) => word !== ''))) {
    const which = isShortRow ? 'the last cells of these short rows' : `these cells of ${label}`;
    return { when: `Only if ${which} don't say that the person left; the other columns decide then`, flags: harmless };
  }
  if (table.consentColumns.some((column) => column.index === index && column.isTopic)) {
    const when = `Only if these cells of ${label} refuse the topic alone, and not all mail; the other columns decide then`;
    return { when, flags: harmless };
  }
  const ignore = mapFlag(table, columnName(table, index), 'ignore');
  const asksAgain = words.some(({ word }) => optOutReader('other')(word) !== NONE);
  const lost = knownOptOutWords({ table, values, index });
  const loses = lost.length > 0 ? `; this ignores ${joinAtMost(lost, 3)} in it` : '';
  return {
    when: `Only if the column ${label} is not about mail${loses}`,
    flags: asksAgain ? `${ignore} ${harmless}` : ignore,
  };
}

// svc names each word if there are only a few. For more words it offers one answer for all of them. A mapping file
// stores that answer as one answer for each word of this list, so svc asks about the new words of a later list.
const MAX_NAMED_WORDS = 5;

// The words by which the column keeps mail away without a question. svc shows them, because the user may not know that
// they stop counting if the column is ignored.
function knownOptOutWords({ table, values, index = -1 }: UnknownColumn): readonly string[] {
  const stateOf = table.consentColumns.find((column) => column.index === index)?.stateOf;
  return valuesInColumn(values, index)
    .filter(({ value, rows }) => rows > 0 && stateOf !== undefined && keepsMailAway(stateOf(value)))
    .map(({ value, rows }) => `${JSON.stringify(shortValue(value))} (${formatNumber(rows)})`);
}

function isNoteOrOther({ consentColumns, otherColumns }: Table, index: number): boolean {
  return (
    otherColumns.has(index) || consentColumns.some((column) => column.index === index && column.meaning === 'text')
  );
}
