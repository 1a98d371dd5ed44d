import { plural } from '../../../../base/lib/text.ts';
import type { State } from '../../../../platforms/lib/states.ts';
import type { ConsentColumn } from '../../../consent-columns/find-consent-columns.ts';
import { STATUS_HEADER } from '../../../consent-columns/headers/header-words.ts';
import { withoutStatusWords } from '../../../consent-columns/headers/neutral-headers.ts';
import { isGenericYes } from '../../../consent-columns/value-words.ts';
import { wordsOf } from '../../../consent-columns/words-and-stems.ts';
import { answerName, columnLabel } from '../../../mapping/column-names.ts';
import { sourceLabel } from '../../../source/source.ts';
import type { Finding } from '../../finding.ts';
import { filledValuesInColumn, type ValueCount } from '../../statistics/value-counts.ts';
import { isAnswered, statusMapFlag, type TableWithStatistics } from '../list-check.ts';
import { shortValue } from '../status-candidates.ts';

/**
 * Stops if a list says nothing but `active` under a header such as `State` or `Estado`, which can also be a region or a
 * condition. Beside another word, such as `unsubscribed`, it is the status of a person (C4).
 */
export function onlyActiveFindings({ table, statistics: { status } }: TableWithStatistics): readonly Finding[] {
  const filled = [...status.values.keys()].filter((index) => filledValuesInColumn(status.values, index).length > 0);
  const column = table.consentColumns.find(({ index }) => index === filled[0]);
  if (column === undefined || filled.length > 1 || !mayBePlace(column, table.header[column.index])) {
    return [];
  }
  const values = filledValuesInColumn(status.values, column.index);
  const isOpen = values.every(({ value }) => isGenericYes(value) && !isAnswered(table, column.index, [value]));
  return isOpen ? values.map((value) => findingFor({ table, column, value })) : [];
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

function findingFor({ table, column: { index }, value: { value, rows } }: OnlyActive): Finding {
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
