import { memoize } from '../../../base/lib/memoize.ts';
import { isEmptyValue } from '../../../platforms/lib/blank-cells.ts';
import type { TableReading } from '../../../platforms/lib/platform.ts';
import type { StatusReading } from '../../../platforms/lib/states.ts';
import { NONE, type StateOf } from '../../../platforms/lib/status-words.ts';
import type { CellReading } from '../../consent-columns/headers/header-reading.ts';
import { readCell } from '../../consent-columns/read-cell.ts';
import { combineReadings, keepsMailAway } from '../../consent-columns/several-columns/combine-readings.ts';
import { isPlainYesNo } from '../../consent-columns/words/value-words.ts';
import { isList, listedValues, textKey } from '../answers/answer-keys.ts';
import { answerInColumn, type CheckedAnswers, createAnswerLookup, hasAnswers } from '../answers/answer-lookup.ts';

// The states that answers of `--status-map` give: in the columns of the platform, and in columns that no other rule
// reads.

export interface PlatformParts {
  readonly reading: TableReading;
  /** The indexes of the columns that the platform reads for the state. */
  readonly platformColumns: ReadonlySet<number>;
  /**
   * True if `--map` names a column as the status or the reason. The platform's own rule can then only keep mail away.
   */
  readonly isStatusNamed: boolean;
  readonly answers: CheckedAnswers;
}

/** The platform's rule with the answers of `--status-map`. An answer overrides the platform's meaning of a word. */
export function platformRule({ reading, platformColumns, isStatusNamed, answers }: PlatformParts): StateOf {
  const plainState: StateOf = (cells) => readStructure(reading.stateOf(cells));
  const parts = { reading, answers, plainState };
  const columns = [...platformColumns];
  const stateByPlatform: StateOf = hasAnswers(answers)
    ? (cells) => stateByColumnAnswers(parts, columns, cells)
    : plainState;
  return isStatusNamed ? (cells) => onlyRestrictive(stateByPlatform(cells)) : stateByPlatform;
}

// Reads JSON in a column of the platform, because the rule of the platform reads only words. Other readings stay
// unchanged.
function readStructure(status: StatusReading): StatusReading {
  const ofJson = status.unknown?.startsWith('{') ? readCell(status.unknown, STATUS_CELL) : NONE;
  return ofJson.unknown === undefined && ofJson.state !== 'none' ? ofJson : status;
}

const STATUS_CELL: CellReading = {
  meaning: 'status',
  asksAboutUnknown: true,
  filledMeansHappened: false,
  mayMeanSubscribed: false,
};

interface AnswerParts extends Pick<PlatformParts, 'reading' | 'answers'> {
  /** The platform's rule without the answers of the user. */
  readonly plainState: StateOf;
}

// The state of a row with answers that name a column of the platform: `Status:cold=skip`, or `Status:=skip` for its
// blanks. The other columns count too, and the most restrictive state wins (C7).
function stateByColumnAnswers(parts: AnswerParts, columns: readonly number[], cells: readonly string[]): StatusReading {
  let others = cells;
  let status: StatusReading = NONE;
  for (const index of columns) {
    const cell = (cells[index] ?? '').trim();
    const forCell = answerInColumn(parts.answers, index, cell) ?? strictAnswer(parts.answers, cell);
    const answer = forCell ?? answerForValues(parts.answers, index, cell);
    if (answer) {
      others = cell === '' || forCell === undefined ? others : others.with(index, '');
      status = status === NONE ? answer : combineReadings(status, answer);
    }
  }
  const otherStatus = answeredState(parts, others);
  return status === NONE ? otherStatus : combineReadings(otherStatus, status);
}

// The answers for the single values of a cell that has several, such as `active, VIP`. They can only keep mail away.
function answerForValues(answers: CheckedAnswers, index: number, cell: string): StatusReading | undefined {
  const values = listedValues(cell);
  const found = isList(cell, values)
    ? values.flatMap((value) => answerInColumn(answers, index, value) ?? strictAnswer(answers, value) ?? [])
    : [];
  const restricting = found.filter(keepsMailAway);
  return restricting.length > 0 ? restricting.reduce(combineReadings) : undefined;
}

// The answer without a column for a word, if it keeps mail away: `left=unsubscribed`. A plain yes or no means different
// things in different columns, so it needs an answer that names its column.
function strictAnswer({ states }: CheckedAnswers, cell: string): StatusReading | undefined {
  const answer = cell === '' || isPlainYesNo(cell) ? undefined : states.anywhere.get(textKey(cell));
  return answer && keepsMailAway(answer) ? answer : undefined;
}

/**
 * The state that the platform and the answers give a row. The rule of a platform stops at an unknown word and reads no
 * column after it. So if the user has answered for this word, svc reads the row again without it, and the most
 * restrictive state wins (C7).
 */
function answeredState(parts: AnswerParts, cells: readonly string[]): StatusReading {
  const { reading, answers, plainState } = parts;
  const status = plainState(cells);
  const word = reading.statusWordOf?.(cells) ?? status.unknown;
  const forWord = word === undefined ? undefined : answers.states.anywhere.get(textKey(word));
  const wordAnswer = forWord && signsUpPlainYesNo(forWord, word, status) ? undefined : forWord;
  const answer = wordAnswer ?? (status.unknown ? answerForUnknown(parts, cells, status.unknown) : undefined);
  if (!answer) {
    return status;
  }
  const otherCells = status.unknown ? withoutWord(cells, status.unknown) : undefined;
  return otherCells ? combineReadings(answer, answeredState(parts, otherCells)) : answer;
}

// True if an answer without a column, such as `1=subscribed`, would undo a yes or no by which the platform keeps mail
// away. The answer may be about another column or input, so `unsubscribed=1` stays an opt-out.
function signsUpPlainYesNo(answer: StatusReading, word = '', status: StatusReading): boolean {
  return answer.state === 'subscribed' && isPlainYesNo(word) && status.unknown === undefined && keepsMailAway(status);
}

// The user's answer for an unknown word: for the word in its column, otherwise for all words of the column, otherwise
// for all words. The answer `subscribed` for all words of a column signs up no person: it only means that the words do
// not count.
function answerForUnknown({ answers }: AnswerParts, cells: readonly string[], word: string) {
  const exact = cells.findIndex((cell) => cell.trim() === word);
  const index = exact < 0 ? cells.findIndex((cell) => cell.includes(word)) : exact;
  const { forWord, forColumn, forAnyWord } = createAnswerLookup(answers, index)(word);
  return forWord ?? (forColumn?.state === 'subscribed' ? NONE : forColumn) ?? forAnyWord;
}

/**
 * Makes each cell that equals a word blank. If no cell equals the word, cuts it out of each cell that contains it.
 * Undefined if no cell contains the word.
 */
function withoutWord(cells: readonly string[], word: string): readonly string[] | undefined {
  const isWord = (cell: string) => cell.trim() === word;
  if (cells.some(isWord)) {
    return cells.map((cell) => (isWord(cell) ? '' : cell));
  }
  return cells.some((cell) => cell.includes(word)) ? cells.map((cell) => cell.replaceAll(word, '')) : undefined;
}

// The reading, if svc must ask about it or it keeps mail away. Otherwise NONE.
function onlyRestrictive(status: StatusReading): StatusReading {
  return status.unknown || keepsMailAway(status) ? status : NONE;
}

/** A column whose words svc knows only from answers of `--status-map`. */
interface AnsweredColumn {
  readonly index: number;
  stateOf(cell: string): StatusReading;
}

/**
 * The columns that an answer names, except those whose rules apply answers themselves (`isRead`). Example: svc takes
 * `Code` for an attribute, but `--status-map Code:B=unsubscribed` says that people with B left. The answer
 * `subscribed` signs no person up here, because the other words of the column have no meaning. A cell may list several
 * values, such as tags.
 */
export function findAnsweredColumns(
  { states: { inColumn } }: Pick<CheckedAnswers, 'states'>,
  isRead: (index: number) => boolean,
): readonly AnsweredColumn[] {
  return [...inColumn].flatMap(([index, states]) => {
    const restricting = new Map([...states].filter(([, { state }]) => state !== 'subscribed'));
    const readingOf = (text: string) =>
      restricting.get(textKey(text)) ?? (isEmptyValue(text) ? restricting.get('') : undefined) ?? NONE;
    const stateOf = memoize((cell) => [cell, ...listedValues(cell)].map(readingOf).reduce(combineReadings));
    return isRead(index) || restricting.size === 0 ? [] : [{ index, stateOf }];
  });
}
