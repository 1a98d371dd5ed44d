import { plural } from '../../../../base/lib/text.ts';
import type { State } from '../../../../platforms/lib/states.ts';
import { isOrderWord, mayBeOrderState } from '../../../consent-columns/cells/purchase-states.ts';
import type { ConsentColumn } from '../../../consent-columns/find-consent-columns.ts';
import { STATUS_HEADER } from '../../../consent-columns/headers/header-words.ts';
import { withoutStatusWords } from '../../../consent-columns/headers/neutral-headers.ts';
import { isGenericYes } from '../../../consent-columns/value-words.ts';
import { wordsOf } from '../../../consent-columns/words-and-stems.ts';
import { textKey } from '../../../mapping/answers/answer-keys.ts';
import { answerInColumn } from '../../../mapping/answers/answer-lookup.ts';
import { answerName, columnLabel } from '../../../mapping/column-names.ts';
import { sourceLabel } from '../../../source/source.ts';
import type { Finding } from '../../finding.ts';
import { filledValuesInColumn, type ValueCount } from '../../statistics/value-counts.ts';
import { isAnswered, statusMapFlag, type TableWithStatistics } from '../list-check.ts';
import { shortValue } from '../status-candidates.ts';

/**
 * Stops if a list says nothing but `active` under a header such as `State` or `Estado`, which can also mean a region or
 * a condition. If the column has another word too, such as `unsubscribed`, it clearly is the status of a person (C4).
 */
export function onlyActiveFindings({ table, statistics: { status } }: TableWithStatistics): readonly Finding[] {
  const filled = [...status.values.keys()].filter((index) => filledValuesInColumn(status.values, index).length > 0);
  const column = table.consentColumns.find(({ index }) => index === filled[0]);
  if (column === undefined || filled.length > 1 || !mayBePlace(column, table.header[column.index])) {
    return [];
  }
  const values = filledValuesInColumn(status.values, column.index);
  const isOpen = values.every(({ value }) => isGenericYes(value) && !isAnswered(table, column.index, [value]));
  return isOpen ? values.map((value) => onlyActiveFinding({ table, column, value })) : [];
}

function mayBePlace({ meaning, isConsentStatus }: ConsentColumn, header = ''): boolean {
  const words = wordsOf(header);
  const isAlone = words !== '' && withoutStatusWords(words) === '';
  return meaning === 'status' && isConsentStatus !== true && isAlone && !STATUS_HEADER.test(words);
}

interface OnlyActive extends Pick<TableWithStatistics, 'table'> {
  readonly column: ConsentColumn;
  readonly value: ValueCount;
}

function onlyActiveFinding({ table, column: { index }, value: { value, rows } }: OnlyActive): Finding {
  const word = JSON.stringify(shortValue(value));
  const answer = (state: State) => statusMapFlag(table, `${answerName(table.header, index)}:${value}`, state);
  return {
    check: 'unknown_status',
    level: 'stop',
    message: `${sourceLabel(table.source)}: ${plural(rows, 'row says', 'rows say')} ${word} in ${columnLabel(table.header, index)}, and no row says anything else. It may not be about mail`,
    hint: answer('skip'),
    when: `This skips ${plural(rows, 'row')}`,
    otherwise: [
      { when: `Only if ${word} means that these people agreed to get mail from you`, flags: answer('subscribed') },
    ],
    total: rows,
  };
}

/**
 * Stops at words such as `cancelled`, which unsubscribe people, if the column has states of orders too. Most such
 * columns are recognized by their first rows; this check finds those whose first state of an order comes later (C10).
 */
export function lateOrderStates({ table, statistics: { status } }: TableWithStatistics): readonly Finding[] {
  return table.consentColumns.flatMap(({ index, meaning, holdsOrders, stateOf }): Finding[] => {
    const counts = filledValuesInColumn(status.values, index);
    if (meaning !== 'status' || holdsOrders === true || !counts.some(({ value }) => isOrderWord(value))) {
      return [];
    }
    const name = answerName(table.header, index);
    // The answer `Status:*` does not change a known word. Only if it is `unsubscribed` does it give the word the state
    // that it has anyway.
    const isOptOut = answerInColumn(table.answers, index, '*')?.state === 'unsubscribed';
    const isOpen = (value: string) =>
      !isOptOut && !isAnswered(table, index, [value]) && !table.answers.states.anywhere.has(textKey(value));
    return counts
      .filter(({ value }) => mayBeOrderState(value, stateOf(value)) && isOpen(value))
      .map(({ value, rows }) => {
        const flagFor = (state: State) => statusMapFlag(table, `${name}:${value}`, state);
        const word = JSON.stringify(shortValue(value));
        return {
          check: 'unknown_status',
          level: 'stop',
          message: `${sourceLabel(table.source)}: ${plural(rows, 'row says', 'rows say')} ${word} in ${columnLabel(table.header, index)}, which also has states of orders. It may be an order that ended, or a person who left`,
          hint: flagFor('skip'),
          when: `This skips ${plural(rows, 'row')}`,
          otherwise: [{ when: `If ${word} means that the person left`, flags: flagFor('unsubscribed') }],
          total: rows,
        };
      });
  });
}
