import { plural } from '../../../../base/lib/text.ts';
import type { State } from '../../../../platforms/lib/states.ts';
import { isOrderWord, mayBeOrderState } from '../../../consent-columns/cells/purchase-states.ts';
import { answerName, answerNames, columnLabel } from '../../../mapping/column-names.ts';
import { answerInColumn, statusWordKey } from '../../../mapping/reading-answers.ts';
import { sourceLabel } from '../../../source/source.ts';
import type { Finding } from '../../finding.ts';
import { filledValuesInColumn } from '../../statistics/value-counts.ts';
import { isAnswered, statusMapFlag, type TableWithStatistics } from '../list-check.ts';
import { shortValue } from '../status-candidates.ts';

/**
 * Stops at words such as `cancelled` that unsubscribe people, if the column has states of orders too. The first rows
 * show most such columns; this check finds those whose first states of orders come later (C10).
 */
export function lateOrderStates({ table, statistics: { status } }: TableWithStatistics): readonly Finding[] {
  return table.consentColumns.flatMap(({ index, meaning, holdsOrders, stateOf }): Finding[] => {
    const counts = filledValuesInColumn(status.values, index);
    if (meaning !== 'status' || holdsOrders === true || !counts.some(({ value }) => isOrderWord(value))) {
      return [];
    }
    const name = answerName(table.header, index);
    // `Status:*` does not change a known word, so only `unsubscribed` says what the word does.
    const isOptOut = answerInColumn(table.answers, answerNames(table.header, index), '*')?.state === 'unsubscribed';
    const isOpen = (value: string) =>
      !isOptOut && !isAnswered(table, index, [value]) && !table.answers.states.has(statusWordKey(value));
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
