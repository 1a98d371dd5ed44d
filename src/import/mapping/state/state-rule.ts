import type { TableReading } from '../../../platforms/lib/platform.ts';
import { describeColumns } from '../../../platforms/lib/state-columns.ts';
import type { State, StatusReading } from '../../../platforms/lib/states.ts';
import { NONE, type StateOf } from '../../../platforms/lib/status-words.ts';
import type { ConsentColumn } from '../../consent-columns/find-consent-columns.ts';
import type { OtherColumn } from '../../consent-columns/other-columns/find-other-columns.ts';
import { combineReadings } from '../../consent-columns/several-columns/combine-readings.ts';
import {
  type ColumnStatements,
  createColumnStatements,
  NO_STATEMENTS,
} from '../../consent-columns/several-columns/contradictions.ts';
import { LISTS_DISAGREE } from '../../consent-columns/several-columns/list-columns.ts';
import { type OwnedColumns, restrictedToOwner } from '../address-columns.ts';
import { answerForContradiction, createAnswerFinder } from '../answers/answer-finder.ts';
import { ALWAYS, createAnswerLookup, NO_COLUMN } from '../answers/answer-lookup.ts';
import type { ReadingOptions } from '../reading-answers.ts';
import { findAnsweredColumns, type PlatformParts, platformRule } from './answered-rules.ts';
import { columnRule, createAnswerReader, otherColumnRule } from './column-rules.ts';
import { readSvcState } from './svc-state.ts';

interface StateParts extends PlatformParts {
  readonly header: readonly string[];
  /** The consent columns, except those that the platform reads itself. */
  readonly consentColumns: readonly ConsentColumn[];
  /** The indexes of the consent columns that are each about one list, such as `Newsletter Berlin`. */
  readonly listColumns: ReadonlySet<number>;
  /** Columns about something else, in which an opt-out word is unexpected. */
  readonly otherColumns: readonly OtherColumn[];
  readonly ownedColumns: OwnedColumns;
  /** The indexes of columns about something else in which all cells of the first rows say subscribed. */
  readonly subscribedColumns: readonly number[];
  readonly reason: ReadingOptions['reason'];
  readonly withoutStatus: StatusReading;
  /** True if the name of the input says that it is an opt-out list. A row that says subscribed then has no state. */
  readonly distrustsSubscribed: boolean;
}

/** The reading of a row that says subscribed in an opt-out list: it has no state. */
export const DISTRUSTED_SUBSCRIBED: StatusReading = { state: 'none' };

/**
 * How svc finds the state of a row. `sources` names what decides it, for messages: columns, the file name or
 * `--reason`.
 */
interface StateRule {
  readonly sources: Pick<TableReading, 'stateSource' | 'answeredSource'>;
  /**
   * The indexes of columns that say something only by answers of the user. An input with only such columns still counts
   * as one without a status (C4).
   */
  readonly answeredColumns: readonly number[];
  readonly statements: ColumnStatements;
  /** The state that a row would have without `--reason`. Undefined if the flag is not given. */
  readonly stateBesideReason: StateOf | undefined;
  /** True if an answer for a word, without a column, counts for this cell of the column with this index. */
  readsAnswer(index: number, cell: string, word: string): boolean;
  stateOf(cells: readonly string[], svcState: string): StatusReading;
}

/**
 * Makes the state rule of a table. If the row has a cell in svc_state, this cell decides. Otherwise `--reason` decides.
 * Otherwise the columns of the platform, the consent columns and the other columns decide, and the most restrictive
 * state wins (C10). Answers of `--status-map` explain words in all of these columns. A row without a state gets the
 * default status.
 */
export function createStateRule(parts: StateParts): StateRule {
  const { stateOfRow, from, answeredColumns, statements } = ruleOfRow(parts);
  const stateByOwner = restrictedToOwner(stateOfRow, parts.ownedColumns);
  const { withoutStatus, distrustsSubscribed } = parts;
  const trustedState: StateOf = distrustsSubscribed
    ? (cells) => {
        const status = stateByOwner(cells);
        return status.state === 'subscribed' ? DISTRUSTED_SUBSCRIBED : status;
      }
    : stateByOwner;
  return {
    sources: { stateSource: from, answeredSource: describeColumns(parts.header, answeredColumns) },
    answeredColumns,
    statements,
    stateBesideReason: parts.reason && ruleOfRow({ ...parts, reason: undefined }).stateOfRow,
    readsAnswer: parts.reason === undefined ? createAnswerReader(parts) : () => false,
    stateOf: (cells, svcState) => {
      const status = svcState === '' ? trustedState(cells) : (readSvcState(svcState) ?? trustedState(cells));
      const hasNoState = status.state === 'none' && status.unknown === undefined;
      return hasNoState && withoutStatus.state !== 'none' ? withoutStatus : status;
    },
  };
}

interface RowRule {
  readonly stateOfRow: StateOf;
  readonly from: string | undefined;
  readonly answeredColumns: readonly number[];
  readonly statements: ColumnStatements;
}

const REASON_STATES: Readonly<Record<string, State>> = {
  bounced: 'bounced',
  complained: 'complained',
  unsubscribed: 'suppressed',
};

function ruleOfRow(parts: StateParts): RowRule {
  if (parts.reason !== undefined) {
    const status: StatusReading = { state: REASON_STATES[parts.reason] ?? 'suppressed' };
    return { stateOfRow: () => status, from: '--reason', answeredColumns: [], statements: NO_STATEMENTS };
  }
  const { listColumns, answers } = parts;
  const stateByPlatform = platformRule(parts);
  const { ofConsent, ofAnswers, ofOthers } = rulesOfColumns(parts);
  const consentRules = [...ofConsent, ...ofAnswers];
  const rulesBesideLists = consentRules.filter(({ index }) => !listColumns.has(index));
  const statements = createColumnStatements({
    ...parts,
    answerFor: createAnswerFinder(parts, [...ofConsent, ...ofOthers]),
  });
  const disagreement = readingOfDisagreement(answers);
  const readRow = (cells: readonly string[], rules: readonly ColumnRule[]) =>
    readOthers(cells, readColumns(cells, stateByPlatform(cells), rules), ofOthers);
  return {
    from: sourceOfState(parts),
    answeredColumns: ofAnswers.map(({ index }) => index),
    stateOfRow: (cells) => {
      const status = readRow(cells, consentRules);
      const found = status.state === 'unsubscribed' ? statements.contradictionIn(cells) : undefined;
      if (found?.isAsked) {
        // The user's answer is only about list columns. So an opt-out or a question of any other column counts too.
        const besideLists = readRow(cells, rulesBesideLists);
        return besideLists.state === 'unsubscribed' ? status : combineReadings(disagreement, besideLists);
      }
      return (found && answerForContradiction(answers, found.optedOutBy)) ?? status;
    },
    statements,
  };
}

// What svc reads in the columns beside those of the platform. They are columns about consent, columns about something
// else, and columns that say something only by answers of the user.
function rulesOfColumns(parts: StateParts) {
  const { consentColumns, otherColumns, platformColumns, answers } = parts;
  const consentIndexes = new Set(consentColumns.map(({ index }) => index));
  const isRead = (index: number) => platformColumns.has(index) || consentIndexes.has(index);
  return {
    ofConsent: consentColumns.map((column) => ({ index: column.index, stateOf: columnRule(column, parts) })),
    ofAnswers: findAnsweredColumns(answers, isRead),
    ofOthers: otherColumns.map((column) => ({ index: column.index, stateOf: otherColumnRule(column, parts) })),
  };
}

// The reading of a row whose list columns contradict each other: the user's answer, otherwise a question.
function readingOfDisagreement(answers: StateParts['answers']): StatusReading {
  const { forWordAnywhere, forAnyWord } = createAnswerLookup(answers, NO_COLUMN, ALWAYS)(LISTS_DISAGREE);
  return forWordAnywhere ?? forAnyWord ?? { state: 'none', unknown: LISTS_DISAGREE };
}

// Names what decides the state, for messages.
function sourceOfState({ reading, header, consentColumns }: StateParts): string | undefined {
  const deciding = consentColumns.filter(({ holdsStates }) => holdsStates).map(({ index }) => index);
  const sources = [reading.stateSource, describeColumns(header, deciding)];
  return sources.filter((text) => text !== undefined).join(' and ') || undefined;
}

interface ColumnRule {
  readonly index: number;
  /** The state that a cell gives. `isBlank` is true if the columns before this one gave a blank status. */
  stateOf(cell: string, isBlank: boolean): StatusReading;
}

function readColumns(cells: readonly string[], first: StatusReading, rules: readonly ColumnRule[]): StatusReading {
  let status = first;
  for (const { index, stateOf } of rules) {
    const found = stateOf(cells[index] ?? '', status.unknown === '');
    // Most cells have no state, so this comparison saves most calls of `combineReadings`.
    status = found === NONE ? status : combineReadings(status, found);
  }
  return status;
}

// Adds the readings of the columns about something else to `first`. It skips blank cells, because most are blank and
// give no state.
function readOthers(cells: readonly string[], first: StatusReading, rules: readonly ColumnRule[]): StatusReading {
  let status = first;
  for (const { index, stateOf } of rules) {
    const cell = cells[index];
    if (cell !== undefined && cell !== '') {
      const found = stateOf(cell, status.unknown === '');
      status = found === NONE ? status : combineReadings(status, found);
    }
  }
  return status;
}
