import type { Finding, OtherAnswer } from '../../../../base/finding.ts';
import { joinAtMost, plural } from '../../../../base/lib/text.ts';
import { attributeKey } from '../../../../platforms/lib/attribute-keys.ts';
import type { State } from '../../../../platforms/lib/states.ts';
import { mayMeanOptOut } from '../../../consent-columns/headers/contrary-headers.ts';
import { readHeader } from '../../../consent-columns/headers/read-header.ts';
import { LISTS_DISAGREE } from '../../../consent-columns/several-columns/list-columns.ts';
import { nameOfOneList, namesOneList } from '../../../consent-columns/several-columns/named-lists.ts';
import { isGenericYes, isPlainYesNo, readYesNo } from '../../../consent-columns/words/value-words.ts';
import { contradictionWord } from '../../../mapping/answers/answer-finder.ts';
import {
  answerName,
  columnLabel,
  columnName,
  mapFlag,
  statusMapFlag,
  wordInColumn,
} from '../../../mapping/column-names.ts';
import type { Table } from '../../../mapping/table.ts';
import { sourceLabel } from '../../../source/source.ts';
import type { ContradictedRows } from '../../statistics/consent-conflicts.ts';
import { examplesForFinding } from '../../statistics/examples.ts';
import type { StatusStatistics, UnknownWord } from '../../statistics/status-statistics.ts';
import { MAX_ANSWERS, type TableWithStatistics } from '../check-context.ts';
import { likelyState, type UnknownColumn } from './likely-state.ts';

// Answers that svc offers after the first one: if lists disagree, and if a yes can mean mail or an opt-out.

type WithContradictions = Pick<StatusStatistics, 'contradictions'>;

/**
 * The further answers if columns of several lists disagree: one list decides, no list decides, or the person left all
 * lists.
 */
export function disagreementAnswers(
  table: Table,
  { contradictions }: WithContradictions,
  words: readonly UnknownWord[],
): readonly OtherAnswer[] {
  if (!words.some(({ word }) => word === LISTS_DISAGREE)) {
    return [];
  }
  const rowsToAskAbout = askedRows(contradictions);
  const listColumns = [...table.listColumns];
  const optOutAnswer = {
    when: 'If they must get no mail of any list',
    flags: statusMapFlag(table, LISTS_DISAGREE, 'unsubscribed'),
  };
  if (listColumns.length > MAX_LISTS || !listColumns.every((index) => canLeaveOut(table, index))) {
    return [optOutAnswer];
  }
  const nameOf = (index: number) => columnLabel(table.header, index);
  const byList = [...Map.groupBy(listColumns, (index) => nameOfOneList(table.header[index] ?? '')).values()];
  const oneListAnswers = byList.map((chosen) => ({
    when: `Only if the audience is for the list ${chosen.map(nameOf).join(' and ')}`,
    flags: withoutColumns(
      table,
      listColumns.filter((index) => !chosen.includes(index)),
    ),
  }));
  const isGeneral = rowsToAskAbout.some(({ subscribedBy }) => !table.listColumns.has(subscribedBy));
  const noListAnswer = {
    when: `Only if the audience is not for ${listColumns.map(nameOf).join(' or ')}`,
    flags: withoutColumns(table, listColumns),
  };
  return [optOutAnswer, ...(byList.length > 1 ? oneListAnswers : []), ...(isGeneral ? [noListAnswer] : [])];
}

const MAX_LISTS = 6;

// True if the column does not count for the status once `--map` names it. False for notes and columns about something
// else, because svc searches them for opt-out words in any case.
function canLeaveOut({ header }: Table, index: number): boolean {
  const name = header[index] ?? '';
  return namesOneList(name) || (readHeader(name)?.meaning ?? 'text') !== 'text';
}

function withoutColumns(table: Table, indexes: readonly number[]): string {
  const keyOf = (index: number) => attributeKey(table.header[index] ?? '') || `column_${index + 1}`;
  return indexes.map((index) => mapFlag(table, columnName(table, index), `attributes.${keyOf(index)}`)).join(' ');
}

function askedRows(contradictions: WithContradictions['contradictions']): readonly ContradictedRows[] {
  return [...contradictions.values()].filter(({ state }) => state === 'none');
}

/** The columns that disagree, for messages. */
export function disagreeingColumns({ header }: Table, { contradictions }: WithContradictions): string {
  const indexes = new Set(
    askedRows(contradictions).flatMap(({ subscribedBy, optedOutBy }) => [subscribedBy, ...optedOutBy]),
  );
  const names = [...indexes].sort((first, second) => first - second).map((index) => columnLabel(header, index));
  return `the columns ${names.length > MAX_NAMES ? joinAtMost(names, MAX_NAMES) : names.join(' and ')}`;
}

const MAX_NAMES = 6;

/**
 * Warns about rows in which one column says subscribed and a stricter column decides. The warning names both columns
 * (C10).
 */
export function contradictionFindings({ table, statistics }: TableWithStatistics): readonly Finding[] {
  const decided = [...statistics.status.contradictions.values()].filter(({ state }) => state !== 'none');
  return decided.map((rows): Finding => {
    const { subscribedBy, state, examples } = rows;
    const optedOutBy = [...rows.optedOutBy].sort((first, second) => first - second);
    const names = optedOutBy.map((index) => columnLabel(table.header, index));
    const stricterNames = names.length > MAX_NAMES ? joinAtMost(names, MAX_NAMES) : names.join(' or ');
    const message = `${sourceLabel(table.source)}: ${plural(examples.total, 'row is', 'rows are')} subscribed by ${columnLabel(table.header, subscribedBy)} and not by ${stricterNames}; the stricter column counts`;
    const skips = optedOutBy.map((index) =>
      statusMapFlag(table, contradictionWord(answerName(table.header, index)), 'skip'),
    );
    const skip = { when: 'To leave these people out instead', flags: skips.join(' ') };
    const areOther = names.length > 1 ? `neither ${names.join(' nor ')} is` : `${stricterNames} is not`;
    const without = { when: `Only if ${areOther} about this audience`, flags: withoutColumns(table, optedOutBy) };
    const mayBeOther = optedOutBy.length <= MAX_LISTS && optedOutBy.every((index) => canLeaveOut(table, index));
    // No answer weakens a suppression (C11).
    const [first, ...otherwise] = state === 'unsubscribed' ? [skip, ...(mayBeOther ? [without] : [])] : [];
    const answer = first && { when: first.when, hint: first.flags, otherwise };
    return { check: 'unknown_status', level: 'warn', message, ...answer, ...examplesForFinding(examples) };
  });
}

/** Answers for a column whose header doesn't say what a yes means: mail or an opt-out. */
export function yesMeaningAnswers(
  { table, index }: Pick<UnknownColumn, 'table' | 'index'>,
  words: readonly UnknownWord[],
): readonly OtherAnswer[] {
  const column = table.consentColumns.find((other) => other.index === index);
  const texts = words.map(({ word }) => word);
  const [yes, no] = [true, false].map((answer) => texts.filter((word) => readYesNo(word) === answer)) as [
    string[],
    string[],
  ];
  const hasBlank = texts.includes('');
  const isUnclear = column?.isDirectionUnknown === true || column?.meaning === 'either';
  if (column === undefined || !isUnclear || yes.length === 0 || (no.length === 0 && !hasBlank)) {
    return [];
  }
  const inColumn = (word: string) => wordInColumn(table.header, column.index, word);
  const flagsFor = (yesState: State, noState: State) =>
    [
      ...yes.map((word) => statusMapFlag(table, inColumn(word), yesState)),
      ...no.map((word) => statusMapFlag(table, inColumn(word), noState)),
      ...(hasBlank ? [statusMapFlag(table, inColumn(''), noState)] : []),
    ].join(' ');
  const means = `Only if ${yes.map((word) => JSON.stringify(word)).join(' and ')} in ${columnLabel(table.header, column.index)} means that a person`;
  const optedOut = {
    when: `${means} opted out, and all others agreed to mail`,
    flags: flagsFor('unsubscribed', 'subscribed'),
  };
  // A yes under `Returned` hardly means that the person agreed, so svc offers only the opt-out.
  return column.meaning === 'either' && mayMeanOptOut(table.header[column.index] ?? '')
    ? [optedOut]
    : [{ when: `${means} agreed to mail`, flags: flagsFor('subscribed', 'skip') }, optedOut];
}

/**
 * The answer that signs up only people with a word that probably means yes: `Confirmado` or `Granted` in a status
 * column, or `active` under a name such as `Newsletter Berlin`. svc never offers this answer first.
 */
export function confirmedAnswers(asked: UnknownColumn, words: readonly UnknownWord[]): readonly OtherAnswer[] {
  const { table, index } = asked;
  const column = table.consentColumns.find((other) => other.index === index);
  const likelyStateOf = (word: UnknownWord) => likelyState(word, asked);
  const isList = column?.meaning === 'agreed' && column.isDirectionUnknown === true;
  const saysYes = isList ? ({ word }: UnknownWord) => isGenericYes(word) : saysConfirmed;
  const yes = words.filter((word) => saysYes(word) && likelyStateOf(word) === 'skip');
  const isOther = column?.isDirectionUnknown || column?.isPreviousStatus || column?.holdsOrders;
  const mayAgree = isList || (column?.meaning === 'status' && !isOther);
  if (column === undefined || !mayAgree || yes.length === 0 || words.length > MAX_ANSWERS) {
    return [];
  }
  const stateOf = (word: UnknownWord): State => (yes.includes(word) ? 'subscribed' : likelyStateOf(word));
  const inColumn = (word: string) => wordInColumn(table.header, column.index, word);
  const flags = words.map((unknown) => statusMapFlag(table, inColumn(unknown.word), stateOf(unknown)));
  const yesTexts = yes.map(({ word }) => JSON.stringify(word)).join(' and ');
  return [{ when: `Only if ${yesTexts} means that a person agreed to mail`, flags: flags.join(' ') }];
}

// True for a yes in other words, such as `Granted`. A plain `yes` has answers of its own.
function saysConfirmed({ word }: UnknownWord): boolean {
  return readYesNo(word) === true && !isPlainYesNo(word);
}
