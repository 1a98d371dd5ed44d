import { formatNumber, joinAtMost, plural } from '../../../../base/lib/text.ts';
import { headerOrNumber } from '../../../../platforms/lib/headers.ts';
import type { State } from '../../../../platforms/lib/states.ts';
import { isDate } from '../../../consent-columns/cells/days.ts';
import { dateMeaning } from '../../../consent-columns/headers/date-headers.ts';
import { LISTS_DISAGREE } from '../../../consent-columns/several-columns/list-columns.ts';
import { textKey } from '../../../mapping/answers/answer-keys.ts';
import { answerName, columnLabel, columnName } from '../../../mapping/column-names.ts';
import { isOptOutList } from '../../../mapping/state/default-status.ts';
import type { Table } from '../../../mapping/table.ts';
import { sourceLabel } from '../../../source/source.ts';
import type { Finding, OpenValue, OtherAnswer } from '../../finding.ts';
import type { BlankConsent } from '../../statistics/consent-conflicts.ts';
import { sharedDate } from '../../statistics/date-statistics.ts';
import { examplesForFinding } from '../../statistics/examples.ts';
import type { StatusStatistics } from '../../statistics/status-statistics.ts';
import type { UnknownWord } from '../../statistics/unknown-words.ts';
import { flagThatKeepsColumn } from '../default-status-warnings.ts';
import { groupColumns, groupedBlanksFindings, groupsText } from '../grouped-blanks.ts';
import {
  findingsOrPass,
  firstExamples,
  isAnswered,
  type ListCheck,
  namingInput,
  rowsFinding,
  statusMapFlag,
  type TableWithStatistics,
} from '../list-check.ts';
import { wholeDomainFindings } from '../other-people.ts';
import { candidatesOf, dateAnswers, likeliestOf, proofFlags, shortValue } from '../status-candidates.ts';
import { confirmedAnswers } from './confirmed-answers.ts';
import { contradictionFindings, disagreeingColumns, disagreementAnswers } from './disagreement-answers.ts';
import {
  answersFor,
  type ColumnAnswers,
  countRowsWithWords,
  effectText,
  notAboutMailAnswer,
  yesMeaningAnswers,
} from './unknown-status-answers.ts';
import { lateOrderStates, onlyActiveFindings } from './words-about-other-things.ts';

/**
 * Stops at a status word that svc does not know, and at a blank beside other words. The user must answer before
 * anything is written (C4). Also stops or warns if dates, domains, groups or contradictions make a state doubtful.
 */
export const unknownStatusCheck: ListCheck = ({ tables, skipped, domains, unusedAnswers }) => {
  const rejectedNames = (skipped.get('unknown_status') ?? 0) > 0 ? tables.flatMap(rejectedNamesFinding) : [];
  const ofEachTable = (check: (surveyed: TableWithStatistics) => readonly Finding[]) =>
    tables.flatMap((surveyed) => namingInput(surveyed.table, check(surveyed)));
  return findingsOrPass(
    [
      ...ofEachTable(unknownWords),
      ...tables.flatMap((surveyed) => wholeDomainFindings(surveyed, domains)),
      ...ofEachTable(sharedDateFinding),
      ...ofEachTable(groupedBlanksFindings),
      ...ofEachTable(lateOrderStates),
      ...ofEachTable(onlyActiveFindings),
      ...ofEachTable(contradictionFindings),
      ...ofEachTable((surveyed) =>
        surveyed.statistics.status.blankConsents.flatMap((blank) => blankConsent(surveyed, blank)),
      ),
      ...rejectedNames,
      ...unusedAnswers,
    ],
    'unknown_status',
    'every status value is known',
  );
};

// Explains why people are skipped: a rejected row with an unknown word names them too, and no other row counts (C9).
function rejectedNamesFinding({ table, statistics }: TableWithStatistics): readonly Finding[] {
  const { doubtful } = statistics.status;
  const rows = plural(doubtful.total, 'rejected row names', 'rejected rows name');
  const message = `${sourceLabel(table.source)}: ${rows} people and can't be understood, so no other row signs these people up`;
  return rowsFinding(doubtful, { check: 'unknown_status', level: 'warn', message });
}

// Stops at an opt-out date that most people share. It may be a day far in the future, or the day of an export (C12).
function sharedDateFinding({ table, statistics: { dates } }: TableWithStatistics): readonly Finding[] {
  const shared = isOptOutList(table) || table.reading.isOptOutDate ? undefined : sharedDate(dates);
  const index = table.columnIndexes.unsubscribed_at;
  const name = answerName(table.header, index);
  const isOpen = (value: string) =>
    !isAnswered(table, index, [value, '*']) && !table.answers.states.anywhere.has(textKey(value));
  if (shared === undefined || !isOpen(shared.value)) {
    return [];
  }
  const { value, rows, subscribed, examples } = shared;
  const why = subscribed > 0 ? 'although they say subscribed' : 'and no row has a blank there';
  const date = `${JSON.stringify(shortValue(value))} in ${columnLabel(table.header, index)}`;
  const message = `${sourceLabel(table.source)}: ${plural(rows, 'row has', 'rows have')} the same opt-out date ${date}, ${why}. It may mean that these people have not left`;
  const flagFor = (state: State) => statusMapFlag(table, `${name}:${value}`, state);
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

// Warns about subscribed rows in which the consent is blank. Only the user knows what a blank means there.
function blankConsent({ table }: TableWithStatistics, blank: BlankConsent): readonly Finding[] {
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
      : open.map((index) => statusMapFlag(table, `${answerName(table.header, index)}:`, state)).join(' ');
  const isNo = columns.length === 1 ? ['If a blank means that the person did not agree:', flagsFor('skip')] : [];
  const hint = [...isNo, 'If a blank means nothing:', flagsFor('subscribed')].join('\n');
  return [{ check: 'unknown_status', level: 'warn', message, hint, ...examplesForFinding(examples) }];
}

function unknownWords(surveyed: TableWithStatistics): readonly Finding[] {
  const { table, statistics } = surveyed;
  const words = [...statistics.status.unknown.words.values()].filter(
    ({ word }) => word !== '' || table.blankStatus.unknown !== undefined,
  );
  return words.length === 0 ? [] : [unknownWordsStop(surveyed, words)];
}

function unknownWordsStop(surveyed: TableWithStatistics, words: readonly UnknownWord[]): Finding {
  const { table, statistics } = surveyed;
  const { status } = statistics;
  const { values, unknown } = status;
  const groups = groupColumns(surveyed).filter((index) =>
    words.some(({ word, index: wordIndex }) => word === '' && wordIndex === index),
  );
  const byColumn = [...Map.groupBy(words, ({ index }) => index)];
  // svc may also offer to take another column as the status. Its cells may have the same words.
  const namesColumn = byColumn.length > 1 || likeliestOf(candidatesOf(surveyed)).length > 0;
  const answers = byColumn.map(([index, ownWords]) => answersFor({ table, values, index, namesColumn }, ownWords));
  return {
    check: 'unknown_status',
    level: 'stop',
    message: `${sourceLabel(table.source)}: ${problemText(table, status, words)}${groupsText(table, groups)}`,
    hint: [...new Set(answers.flatMap(({ flags }) => flags))].join(' '),
    when: effectText(
      answers.flatMap(({ effects }) => effects),
      unknown.repeated,
    ),
    otherwise: [
      ...disagreementAnswers(table, status, words),
      ...byColumn.flatMap(([index, ownWords]) => yesMeaningAnswers({ table, index }, ownWords)),
      ...byColumn.flatMap(([index, ownWords]) => confirmedAnswers({ table, values, index }, ownWords)),
      ...byColumn.flatMap(([index, ownWords]) => mappedDates(table, index, ownWords)),
      ...byColumn.flatMap(([index, ownWords]) =>
        index === undefined ? [] : [notAboutMailAnswer({ table, values }, index, ownWords)],
      ),
    ],
    examples: firstExamples(words.map(({ examples: { shown } }) => shown)),
    total: countRowsWithWords(words) - unknown.repeated,
    values:
      answers.every(({ states }) => states.length > 0) && words.length <= MAX_VALUES ? openValues(answers) : undefined,
  };
}

// The answers for dates in a column that is the status only because `--map` says so.
function mappedDates(table: Table, index: number | undefined, words: readonly UnknownWord[]): readonly OtherAnswer[] {
  const isMapped = table.consentColumns.some((column) => column.index === index && column.isDirectionUnknown);
  const filled = words.filter(({ word }) => word !== '');
  if (index === undefined || !isMapped || filled.length === 0 || !filled.every(({ word }) => isDate(word))) {
    return [];
  }
  const [name, header] = [columnName(table, index), headerOrNumber(table.header, index)];
  const dates = dateMeaning(table.header[index]);
  return dateAnswers([{ table, name, header, dates, blanks: filled.length < words.length ? 1 : 0, likelihood: 2 }]);
}

// The maximum number of values that svc asks about one by one.
const MAX_VALUES = 8;

function openValues(answers: readonly ColumnAnswers[]): readonly OpenValue[] {
  return answers.flatMap(({ column, ignore, answerTo, states }) =>
    states.map(
      ([value, likely, rows]): OpenValue => ({ column, value, answer: answerTo(value), rows, likely, ignore }),
    ),
  );
}

function problemText(table: Table, status: StatusStatistics, words: readonly UnknownWord[]): string {
  const contrary = words.filter(({ word }) => word === LISTS_DISAGREE);
  const byColumn = Map.groupBy(
    words.filter((word) => !contrary.includes(word)),
    ({ index }) => index,
  );
  const columnTexts = [...byColumn].map(([index, ownWords]) => columnWords(table, index, ownWords)).join('; ');
  return [
    ...(contrary.length > 0 ? [`${disagreeingColumns(table, status)} disagree: ${wordList(contrary)}`] : []),
    ...(columnTexts === '' ? [] : [`unknown status values in ${columnTexts}`]),
  ].join('; ');
}

function columnWords(table: Table, index: number | undefined, words: readonly UnknownWord[]): string {
  const column = index === undefined ? 'several columns' : `column ${columnLabel(table.header, index)}`;
  const byPlace = Map.groupBy(words, ({ misplaced }) =>
    misplaced ? `the last cell of short rows (${column})` : column,
  );
  return [...byPlace].map(([place, wordsThere]) => `${place}: ${wordList(wordsThere)}`).join('; ');
}

function wordList(words: readonly UnknownWord[]): string {
  const counted = words.map(
    ({ word, examples: { total } }) =>
      `${word === '' ? 'empty' : JSON.stringify(shortValue(word))} (${formatNumber(total)})`,
  );
  return joinAtMost(counted, 12);
}
