import type { TableReading } from '../../../platforms/lib/platform.ts';
import { describeColumns } from '../../../platforms/lib/state-columns.ts';
import { isState, type State, type StatusReading } from '../../../platforms/lib/states.ts';
import { NONE, type StateOf } from '../../../platforms/lib/status-words.ts';
import type { ConsentColumn } from '../../consent-columns/find-consent-columns.ts';
import type { OtherColumn } from '../../consent-columns/other-columns/find-other-columns.ts';
import { answerForContradiction, createAnswerFinder } from '../../consent-columns/several-columns/answer-finder.ts';
import {
  combineReadings,
  keepsMailAway,
  readingsOfWords,
} from '../../consent-columns/several-columns/combine-readings.ts';
import {
  type ColumnStatements,
  createColumnStatements,
  NO_STATEMENTS,
} from '../../consent-columns/several-columns/contradictions.ts';
import { LISTS_DISAGREE } from '../../consent-columns/several-columns/list-columns.ts';
import { AGREES_READING, isPlainYesNo } from '../../consent-columns/value-words.ts';
import { listedValues } from '../answers/answer-keys.ts';
import { createAnswerLookup, hasAnswers } from '../answers/answer-lookup.ts';
import type { ReadingOptions } from '../reading-answers.ts';
import { findAnsweredColumns } from './answered-columns.ts';
import { type OwnedColumns, restrictedToOwner } from './owned-columns.ts';
import { type PlatformParts, platformRule } from './platform-rule.ts';

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
  /** True if an answer without a column counts for this cell of the column with this index. */
  readsAnswer(index: number, cell: string): boolean;
  stateOf(cells: readonly string[], svcState: string): StatusReading;
}

/**
 * Makes the state rule of a table. If the row has a cell in svc_state, this cell decides. Otherwise `--reason` decides.
 * Otherwise the columns of the platform, the consent columns and the other columns decide, and the most restrictive
 * state wins (C10). Answers of `--status-map` explain words in all of these columns.
 */
export function createStateRule(parts: StateParts): StateRule {
  const { base, from, answeredColumns, statements } = ruleOfRow(parts);
  const stateByOwner = restrictedToOwner(base, parts.ownedColumns);
  const { withoutStatus, distrustsSubscribed } = parts;
  const stateOfRow: StateOf = distrustsSubscribed
    ? (cells) => {
        const status = stateByOwner(cells);
        return status.state === 'subscribed' ? DISTRUSTED_SUBSCRIBED : status;
      }
    : stateByOwner;
  return {
    sources: { stateSource: from, answeredSource: describeColumns(parts.header, answeredColumns) },
    answeredColumns,
    statements,
    readsAnswer: parts.reason === undefined ? answerReader(parts) : () => false,
    stateOf: (cells, svcState) => {
      const status = svcState === '' ? stateOfRow(cells) : (readSvcState(svcState) ?? stateOfRow(cells));
      const hasNoState = status.state === 'none' && status.unknown === undefined;
      return hasNoState && withoutStatus.state !== 'none' ? withoutStatus : status;
    },
  };
}

/**
 * The state in a cell of the column svc_state of a rejects file. Undefined if the cell is empty; then the other cells
 * decide.
 */
function readSvcState(cell: string): StatusReading | undefined {
  const word = cell.trim().toLowerCase();
  if (word === '' || word === 'none') {
    return undefined;
  }
  return isState(word)
    ? { state: word, why: word === 'skip' ? 'by_request' : undefined }
    : { state: 'none', unknown: cell };
}

// An index for a lookup of answers that name no column.
const NO_COLUMN = -1;

interface RowRule {
  readonly base: StateOf;
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
    return { base: () => status, from: '--reason', answeredColumns: [], statements: NO_STATEMENTS };
  }
  const { reading, consentColumns, otherColumns, header, platformColumns, answers } = parts;
  const consentIndexes = new Set(consentColumns.map(({ index }) => index));
  const isRead = (index: number) => platformColumns.has(index) || consentIndexes.has(index);
  const answered = findAnsweredColumns(answers, isRead);
  const stateByPlatform = platformRule(parts);
  const ofConsent = consentColumns.map((column) => ({ index: column.index, stateOf: columnRule(column, parts) }));
  const consent = [...ofConsent, ...answered];
  const otherRules = otherColumns.map((column) => ({ index: column.index, stateOf: otherColumnRule(column, parts) }));
  const withoutLists = consent.filter(({ index }) => !parts.listColumns.has(index));
  const statements = createColumnStatements({
    ...parts,
    answerFor: createAnswerFinder(parts, [...ofConsent, ...otherRules]),
  });
  const question: StatusReading = { state: 'none', unknown: LISTS_DISAGREE };
  const { forWordAnywhere, forAnyWord } = createAnswerLookup(answers, NO_COLUMN)(LISTS_DISAGREE);
  const disagreement = forWordAnywhere ?? forAnyWord ?? question;
  const deciding = consentColumns.filter(({ holdsStates }) => holdsStates).map(({ index }) => index);
  const from = [reading.stateSource, describeColumns(header, deciding)];
  return {
    from: from.filter((text) => text !== undefined).join(' and ') || undefined,
    answeredColumns: answered.map(({ index }) => index),
    base: (cells) => {
      const status = readOthers(cells, readColumns(cells, stateByPlatform(cells), consent), otherRules);
      const found = status.state === 'unsubscribed' ? statements.contradictionIn(cells) : undefined;
      if (found?.isAsked) {
        // The user's answer is about list columns only, so an opt-out or a question of another column counts anyway.
        const besideLists = readOthers(cells, readColumns(cells, stateByPlatform(cells), withoutLists), otherRules);
        return besideLists.state === 'unsubscribed' ? status : combineReadings(disagreement, besideLists);
      }
      return (found && answerForContradiction(parts.answers, found.leaves)) ?? status;
    },
    statements,
  };
}

// Tells for which cells an answer without a column counts: for all words in a column of the platform, for each word of
// a consent column but a plain yes or no, and for the opt-out words of other columns.
function answerReader({ platformColumns, consentColumns, otherColumns }: StateParts): StateRule['readsAnswer'] {
  const consentColumn = new Map(consentColumns.map((column) => [column.index, column]));
  const otherColumn = new Map(otherColumns.map((column) => [column.index, column]));
  return (index, cell) => {
    const status = consentColumn.get(index)?.stateOf(cell);
    const isOpen = status !== undefined && !isClearYesNo(status, status.unknown ?? cell.trim());
    return platformColumns.has(index) || isOpen || (otherColumn.get(index)?.stateOf(cell) ?? NONE) !== NONE;
  };
}

// True for a yes or no with a clear state. Only an answer that names the column changes it.
function isClearYesNo(status: StatusReading, word: string): boolean {
  return isPlainYesNo(word) && status.unknown === undefined && status !== AGREES_READING;
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

/**
 * The rule of a column about something else. The user can answer for a word, or for all words of the column
 * (`Address:*`). The answer `subscribed` only means that the word does not count: it subscribes no person. If the
 * status of the row is blank, svc asks even about a clear opt-out word, because the cells of the row may be shifted.
 */
function otherColumnRule({ index, stateOf }: OtherColumn, { answers }: StateParts) {
  const answersFor = createAnswerLookup(answers, index);
  const withAnswer = (reading: StatusReading, word: string): StatusReading => {
    const isQuestion = reading.unknown !== undefined;
    const { forWord, forWordAnywhere, forColumn, forAnyWord } = answersFor(word);
    const answer = forWord ?? forWordAnywhere ?? (isQuestion ? (forColumn ?? forAnyWord) : undefined);
    if (answer) {
      return answer.state === 'subscribed' ? NONE : answer;
    }
    return isQuestion ? { ...reading, unknownIndex: index } : reading;
  };
  return (cell: string, isBlank: boolean): StatusReading => {
    const read = cell === '' ? NONE : stateOf(cell);
    if (read === NONE) {
      return read;
    }
    const found: StatusReading = isBlank && read.unknown === undefined ? { state: 'none', unknown: cell.trim() } : read;
    // A JSON cell may have several unknown words. Each has its own answer. Without an answer the reading stays the same
    // object, by which the warning about contradictions knows that the user said nothing.
    return readingsOfWords(found)
      .map((reading) => withAnswer(reading, reading.unknown ?? cell))
      .reduce(combineReadings, NONE);
  };
}

/**
 * The rule of one consent column with the answers of the user. An answer can be for a word (`Newsletter:no=skip`), for
 * all other words (`Notes:*=skip`), or for blank cells (`Newsletter:=skip`). An answer without a column, such as
 * `no=skip`, never changes a plain yes or no with a clear state, because a yes means different things in different
 * columns.
 */
function columnRule(column: ConsentColumn, { answers }: StateParts): (cell: string) => StatusReading {
  const { index, stateOf, meaning } = column;
  if (!hasAnswers(answers)) {
    return stateOf;
  }
  const answersFor = createAnswerLookup(answers, index);
  // In a column of notes, the answer `subscribed` only means that the note does not count.
  const answerOf = (answer: StatusReading | undefined) =>
    meaning === 'text' && answer?.state === 'subscribed' ? NONE : answer;
  const withAnswer = (status: StatusReading, text: string): StatusReading => {
    const word = status.unknown ?? text;
    const { forWord, forWordAnywhere, forColumn, forAnyWord } = answersFor(word);
    if (word === '') {
      return forWord ?? status;
    }
    const isQuestion = status.unknown !== undefined;
    const found =
      forWord ??
      (isClearYesNo(status, word) ? undefined : forWordAnywhere) ??
      (isQuestion ? (forColumn ?? forAnyWord) : undefined);
    return answerOf(found) ?? status;
  };
  // The answer for the whole text of a cell that svc reads as a blank (`n/a`), as another word, or as several.
  const answerForText = (text: string): StatusReading | undefined => {
    const { forWord, forWordAnywhere } = answersFor(text);
    return answerOf(forWord ?? forWordAnywhere);
  };
  const readWords = (cell: string): StatusReading => {
    const status = stateOf(cell);
    const text = cell.trim();
    const readings = readingsOfWords(status);
    const isWholeText = readings.length === 1 && (status.unknown ?? text) === text;
    const forText = isWholeText || text === '' ? undefined : answerForText(text);
    if (forText !== undefined || readings.length === 1) {
      return forText ?? withAnswer(status, text);
    }
    const answered = readings.map((reading) => withAnswer(reading, text));
    const isAnswered = answered.some((reading, place) => reading !== readings[place]);
    return isAnswered ? answered.reduce(combineReadings) : status;
  };
  // An answer for one value of several, such as a tag, can only keep mail away.
  return (cell) => {
    const values = listedValues(cell);
    const isList = values.length > 1 && answerForText(cell.trim()) === undefined;
    const answered = isList
      ? values.filter((value) => value.trim() !== '').map((value) => withAnswer(NONE, value))
      : [];
    return answered.filter(keepsMailAway).reduce(combineReadings, readWords(cell));
  };
}
