import type { Finding, OpenValue, OtherAnswer } from '../../../../base/finding.ts';
import { formatNumber, joinAtMost, plural } from '../../../../base/lib/text.ts';
import { headerOrNumber } from '../../../../platforms/lib/headers.ts';
import { isDate } from '../../../consent-columns/cells/days.ts';
import type { ConsentColumn } from '../../../consent-columns/find-consent-columns.ts';
import { dateMeaning } from '../../../consent-columns/headers/date-headers.ts';
import { LISTS_DISAGREE } from '../../../consent-columns/several-columns/list-columns.ts';
import { columnLabel, columnName } from '../../../mapping/column-names.ts';
import { SVC_STATE_WORDS } from '../../../mapping/state/svc-state.ts';
import type { Table } from '../../../mapping/table.ts';
import { sourceLabel } from '../../../source/source.ts';
import type { StatusStatistics, UnknownWord } from '../../statistics/status-statistics.ts';
import {
  findingsOrPass,
  firstExamples,
  type ListCheck,
  namingInput,
  rowsFinding,
  type TableWithStatistics,
} from '../check-context.ts';
import { groupColumns, groupedBlanksFindings, groupsText } from '../grouped-blanks.ts';
import { wholeDomainFindings } from '../people-without-rows.ts';
import { candidatesOf, dateAnswers, likeliestOf, shortValue } from '../status-candidates.ts';
import { blankConsentFindings, lateOrderStates, onlyActiveFindings, sharedDateFinding } from './doubtful-states.ts';
import {
  confirmedAnswers,
  contradictionFindings,
  disagreeingColumns,
  disagreementAnswers,
  yesMeaningAnswers,
} from './further-answers.ts';
import { leftAnswer } from './left-answer.ts';
import { notAboutMailAnswer } from './not-about-mail.ts';
import { answersFor, type ColumnAnswers, countRowsWithWords, effectText } from './unknown-status-answers.ts';

/**
 * Stops at a status word that svc does not know, and at a blank beside other words. The user must answer before
 * anything is written (C4). Also stops or warns if dates, domains, groups or contradictions make a state doubtful.
 */
export const unknownStatusCheck: ListCheck = ({ tables, skipped, domains, subscribedBesideBlank, unusedAnswers }) => {
  const rejectedNames = (skipped.get('unknown_status') ?? 0) > 0 ? tables.flatMap(rejectedNamesFinding) : [];
  const ofEachTable = (check: (surveyed: TableWithStatistics) => readonly Finding[]) =>
    tables.flatMap((surveyed) => namingInput(surveyed.table, check(surveyed)));
  return findingsOrPass(
    [
      ...ofEachTable((surveyed) => unknownWords(surveyed, subscribedBesideBlank > 0)),
      ...tables.flatMap(unknownSvcStates),
      ...tables.flatMap((surveyed) => wholeDomainFindings(surveyed, domains)),
      ...ofEachTable(sharedDateFinding),
      ...ofEachTable(groupedBlanksFindings),
      ...ofEachTable(lateOrderStates),
      ...ofEachTable(onlyActiveFindings),
      ...ofEachTable(contradictionFindings),
      ...ofEachTable(blankConsentFindings),
      ...rejectedNames,
      ...unusedAnswers,
    ],
    'unknown_status',
    'every status value is known',
  );
};

// Explains why people are skipped: a rejected row with an unknown word names them too, so no other row signs them up
// (C9).
function rejectedNamesFinding({ table, statistics }: TableWithStatistics): readonly Finding[] {
  const { doubtful } = statistics.status;
  const rows = plural(doubtful.total, 'rejected row names', 'rejected rows name');
  const message = `${sourceLabel(table.source)}: ${rows} people and can't be understood, so no other row signs these people up`;
  return rowsFinding(doubtful, { check: 'unknown_status', level: 'warn', message });
}

// Stops at words in svc_state that are no states. The user wrote them, so no flag answers for them.
function unknownSvcStates({ table, statistics }: TableWithStatistics): readonly Finding[] {
  const found = statistics.status.unknownSvcStates;
  const rows = plural(found.total, 'row has', 'rows have');
  const message = `${sourceLabel(table.source)}: ${rows} a word in the column svc_state that svc does not know`;
  const hint = `Write one of these words into the cell: ${SVC_STATE_WORDS}. If the cell is empty, the other columns decide`;
  return rowsFinding(found, { check: 'unknown_status', level: 'stop', message, hint });
}

function unknownWords(surveyed: TableWithStatistics, sendsBlanks: boolean): readonly Finding[] {
  const { table, statistics } = surveyed;
  const words = [...statistics.status.unknown.words.values()].filter(
    ({ word }) => word !== '' || table.blankStatus.unknown !== undefined,
  );
  return words.length === 0 ? [] : [unknownWordsStop(surveyed, words, sendsBlanks)];
}

// `sendsBlanks`: some people have a row with a blank status and another row that subscribes them. They are sent even if
// the answer skips the blanks (C7).
function unknownWordsStop(surveyed: TableWithStatistics, words: readonly UnknownWord[], sendsBlanks: boolean): Finding {
  const { table, statistics } = surveyed;
  const { status } = statistics;
  const { values, unknown } = status;
  const groups = groupColumns(surveyed).filter((index) =>
    words.some(({ word, index: wordIndex }) => word === '' && wordIndex === index),
  );
  const byColumn = [...Map.groupBy(words, ({ index }) => index)];
  // If svc also offers to take another column as the status, answers must name their column, because both columns may
  // have the same words.
  const namesColumn = byColumn.length > 1 || likeliestOf(candidatesOf(surveyed)).length > 0;
  const answers = byColumn.map(([index, ownWords]) => answersFor({ table, values, index, namesColumn }, ownWords));
  const effects = answers.flatMap((answer) => answer.effects);
  const skipsBlanks = words.some(({ word }) => word === '') && effects.some(([what]) => what === 'skips');
  return {
    check: 'unknown_status',
    level: 'stop',
    message: `${sourceLabel(table.source)}: ${problemText(table, status, words)}${groupsText(table, groups)}`,
    hint: [...new Set(answers.flatMap(({ flags }) => flags))].join(' '),
    when: effectText(effects, unknown.repeated) + (sendsBlanks && skipsBlanks ? STILL_SENT : ''),
    otherwise: [
      ...disagreementAnswers(table, status, words),
      ...(areInConsentColumns(table, words) ? leftAnswer(answers) : []),
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

// False if a word is in a column about something else, such as names, because a skip is nearly always right there. Also
// false if svc does not know whether a yes in the column means mail, because other answers say what it means.
function areInConsentColumns({ consentColumns }: Table, words: readonly UnknownWord[]): boolean {
  const isClear = ({ isDirectionUnknown, meaning }: ConsentColumn) => !isDirectionUnknown && meaning !== 'either';
  const indexes = new Set(consentColumns.filter(isClear).map(({ index }) => index));
  return words.every(({ index }) => index !== undefined && indexes.has(index));
}

const STILL_SENT = '; people who are subscribed in another row are still sent';

// The answers for dates in a column that is the status only because `--map` says so.
function mappedDates(table: Table, index: number | undefined, words: readonly UnknownWord[]): readonly OtherAnswer[] {
  const isMapped = table.consentColumns.some((column) => column.index === index && column.isDirectionUnknown);
  const filled = words.filter(({ word }) => word !== '');
  if (index === undefined || !isMapped || filled.length === 0 || !filled.every(({ word }) => isDate(word))) {
    return [];
  }
  const [name, header] = [columnName(table, index), headerOrNumber(table.header, index)];
  const dates = dateMeaning(table.header[index], table.header);
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
