import type { Finding } from '../../../../base/finding.ts';
import { plural } from '../../../../base/lib/text.ts';
import { headerOrNumber } from '../../../../platforms/lib/headers.ts';
import type { State } from '../../../../platforms/lib/states.ts';
import { isOrderWord, mayBeOrderState } from '../../../consent-columns/cells/other-subjects.ts';
import type { ConsentColumn } from '../../../consent-columns/find-consent-columns.ts';
import { withoutStatusWords } from '../../../consent-columns/headers/header-subjects.ts';
import { wordsOf } from '../../../consent-columns/words/plain-words.ts';
import { STATUS_HEADER } from '../../../consent-columns/words/status-headers.ts';
import { isGenericYes } from '../../../consent-columns/words/value-words.ts';
import { textKey } from '../../../mapping/answers/answer-keys.ts';
import { answerForColumn } from '../../../mapping/answers/answer-lookup.ts';
import { columnLabel, columnName, statusMapFlag, wordInColumn } from '../../../mapping/column-names.ts';
import { isOptOutList } from '../../../mapping/state/default-status.ts';
import type { Table } from '../../../mapping/table.ts';
import { sourceLabel } from '../../../source/source.ts';
import type { BlankConsent } from '../../statistics/consent-conflicts.ts';
import { sharedDate } from '../../statistics/date-statistics.ts';
import { examplesForFinding } from '../../statistics/examples.ts';
import { filledValuesInColumn, type ValueCount } from '../../statistics/value-counts.ts';
import { isAnswered, type TableWithStatistics } from '../check-context.ts';
import { flagThatKeepsColumn } from '../default-status-warnings.ts';
import { proofFlags, shortValue } from '../status-candidates.ts';

// Findings about values that svc can read, but that may not mean what they seem to mean.

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
  const answer = (state: State) => statusMapFlag(table, wordInColumn(table.header, index, value), state);
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
    // An answer for all words, such as `Status:*=unsubscribed`, does not change the state of a known word. But if the
    // answer is `unsubscribed`, the known word has this state already, so svc need not ask.
    const isOptOut = answerForColumn(table.answers, index)?.state === 'unsubscribed';
    const isOpen = (value: string) =>
      !isOptOut && !isAnswered(table, index, [value]) && !table.answers.states.anywhere.has(textKey(value));
    return counts
      .filter(({ value }) => mayBeOrderState(value, stateOf(value)) && isOpen(value))
      .map(({ value, rows }) => {
        const flagFor = (state: State) => statusMapFlag(table, wordInColumn(table.header, index, value), state);
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

/**
 * Stops at an opt-out date that most people share. It may be a day far in the future, or the day of an export (C12).
 */
export function sharedDateFinding({ table, statistics: { dates } }: TableWithStatistics): readonly Finding[] {
  const shared = isOptOutList(table) || table.reading.isOptOutDate ? undefined : sharedDate(dates);
  const index = table.columnIndexes.unsubscribed_at;
  const isOpen = (value: string) =>
    !isAnswered(table, index, [value]) &&
    answerForColumn(table.answers, index) === undefined &&
    !table.answers.states.anywhere.has(textKey(value));
  if (shared === undefined || !isOpen(shared.value)) {
    return [];
  }
  const { value, rows, subscribed, examples } = shared;
  const why = subscribed > 0 ? 'although they say subscribed' : 'and no row has a blank there';
  const date = `${JSON.stringify(shortValue(value))} in ${columnLabel(table.header, index)}`;
  const message = `${sourceLabel(table.source)}: ${plural(rows, 'row has', 'rows have')} the same opt-out date ${date}, ${why}. It may mean that these people have not left`;
  const flagFor = (state: State) => statusMapFlag(table, wordInColumn(table.header, index, value), state);
  return [
    {
      check: 'unknown_status',
      level: 'stop',
      message,
      hint: flagFor('skip'),
      when: `This skips ${plural(rows, 'row')}`,
      otherwise: [
        { when: 'If these people left on that day', flags: flagFor('unsubscribed') },
        {
          when: 'Only if the date means that they have not left, and they agreed to get mail from you',
          flags: flagFor('subscribed'),
        },
      ],
      ...examplesForFinding(examples),
    },
  ];
}

/** Warns about subscribed rows in which the consent is blank. Only the user knows what a blank means there. */
export function blankConsentFindings({ table, statistics }: TableWithStatistics): readonly Finding[] {
  return statistics.status.blankConsents.flatMap((blank) => blankConsent(table, blank));
}

function blankConsent(table: Table, blank: BlankConsent): readonly Finding[] {
  const { columns, examples, filled } = blank;
  const open = columns.filter((index) => !isAnswered(table, index, ['']));
  if (examples.total === 0 || filled === 0 || open.length === 0 || blank.isDropped) {
    return [];
  }
  const shown = columns.map((index) => columnLabel(table.header, index)).join(' and ');
  const rows = plural(examples.total, 'row counts', 'rows count');
  const subscribingColumns = [...blank.subscribedBy].map((index) => columnLabel(table.header, index)).join(' or ');
  const message = `${sourceLabel(table.source)}: ${rows} as subscribed${subscribingColumns === '' ? '' : ` by ${subscribingColumns}`}, although ${shown} ${columns.length === 1 ? 'is' : 'are'} blank`;
  const proof = columns.map((index) => ({
    index,
    table,
    name: columnName(table, index),
    header: headerOrNumber(table.header, index),
  }));
  const flagsFor = (state: State) =>
    blank.isProof
      ? proof
          .map((column) => (state === 'skip' ? proofFlags(column) : flagThatKeepsColumn({ table }, column)))
          .join(' ')
      : open.map((index) => statusMapFlag(table, wordInColumn(table.header, index, ''), state)).join(' ');
  const isNo = columns.length === 1 ? ['If a blank means that the person did not agree:', flagsFor('skip')] : [];
  const hint = [...isNo, 'If a blank means nothing:', flagsFor('subscribed')].join('\n');
  return [{ check: 'unknown_status', level: 'warn', message, hint, ...examplesForFinding(examples) }];
}
