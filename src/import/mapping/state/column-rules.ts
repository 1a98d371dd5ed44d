import { isNoTime } from '../../../platforms/lib/blank-cells.ts';
import type { TableReading } from '../../../platforms/lib/platform.ts';
import type { StatusReading } from '../../../platforms/lib/states.ts';
import { NONE } from '../../../platforms/lib/status-words.ts';
import type { ConsentColumn } from '../../consent-columns/find-consent-columns.ts';
import type { OtherColumn } from '../../consent-columns/other-columns/find-other-columns.ts';
import {
  combineReadings,
  keepsMailAway,
  readingsOfWords,
} from '../../consent-columns/several-columns/combine-readings.ts';
import { AGREES_READING, isPlainYesNo } from '../../consent-columns/words/value-words.ts';
import { isList, listedValues, textKey } from '../answers/answer-keys.ts';
import {
  ALWAYS,
  type CheckedAnswers,
  createAnswerLookup,
  hasAnswers,
  strictBlankAnswer,
} from '../answers/answer-lookup.ts';

interface ColumnAnswers {
  readonly answers: CheckedAnswers;
}

/** The columns of a table in which svc reads words. */
interface ReadColumns {
  readonly reading: TableReading;
  readonly header: readonly string[];
  readonly platformColumns: ReadonlySet<number>;
  readonly consentColumns: readonly ConsentColumn[];
  readonly otherColumns: readonly OtherColumn[];
}

/**
 * The rule of a column about something else. The user can answer for a word, or for all words of the column
 * (`Address:*`). The answer `subscribed` only means that the word does not count: it subscribes no person. If the
 * status of the row is blank, svc asks even about a clear opt-out word, because the cells of the row may be shifted.
 */
export function otherColumnRule({ index, stateOf }: OtherColumn, { answers }: ColumnAnswers) {
  const answersFor = createAnswerLookup(answers, index, ALWAYS);
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
    // A JSON cell may have several unknown words, and each has its own answer. A word without an answer keeps its
    // reading object. The warning about contradictions recognizes this object, and so knows that the user gave no
    // answer.
    return readingsOfWords(found)
      .map((reading) => withAnswer(reading, reading.unknown ?? cell))
      .reduce(combineReadings, NONE);
  };
}

/**
 * The rule of one consent column with the answers of the user. An answer can be for a word (`Newsletter:no=skip`), for
 * all other words (`Notes:*=skip`), or for blank cells (`Newsletter:=skip`). An answer without a column, such as
 * `no=skip`, never changes a plain yes or no with a clear state. A yes means different things in different columns.
 */
export function columnRule(column: ConsentColumn, { answers }: ColumnAnswers): (cell: string) => StatusReading {
  const { index, stateOf, meaning, isTopic } = column;
  if (!hasAnswers(answers)) {
    return stateOf;
  }
  // In notes and topics svc asks only about words that may mean that a person left, so `ALWAYS` is right for them.
  const answersFor = createAnswerLookup(answers, index, meaning === 'text' || isTopic ? ALWAYS : undefined);
  // In a column of notes, the answer `subscribed` only means that the note does not count. For a word that may refuse a
  // topic, it means that the word refuses the topic alone.
  const answerOf = (answer: StatusReading | undefined, isQuestion = false) =>
    (meaning === 'text' || (isTopic && isQuestion)) && answer?.state === 'subscribed' ? NONE : answer;
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
    // A 0 that says nothing is a blank too: programs write it for the day of an agreement that was never given.
    const isBlankZero = isNoTime(word) && status.state === 'none' && !isQuestion;
    return answerOf(found, isQuestion) ?? (isBlankZero ? strictBlankAnswer(answers, index) : undefined) ?? status;
  };
  // The answer for the whole text of a cell that svc reads as a blank (`n/a`), as a word that differs from this text,
  // or as several words.
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
    const isAnswered = answered.some((reading, index) => reading !== readings[index]);
    return isAnswered ? answered.reduce(combineReadings) : status;
  };
  // An answer for one value of several, such as a tag, can only keep mail away.
  return (cell) => {
    const values = listedValues(cell);
    const isOpen = isList(cell, values) && answerForText(cell.trim()) === undefined;
    const answered = isOpen ? values.map((value) => withAnswer(NONE, value)) : [];
    return answered.filter(keepsMailAway).reduce(combineReadings, readWords(cell));
  };
}

/**
 * Makes a function that is true if an answer without a column (`left=skip`) counts for a word of a cell. In the
 * platform's columns it counts for each word, but for a plain yes or no only if the platform reads it as the status. In
 * consent columns it does not count for a yes or no with a clear state. In other columns it counts for opt-out words.
 * The word can be the whole cell, one value of a list, or a word about which svc asks. In a cell that keeps mail away
 * without answers, any word counts.
 */
export function createAnswerReader({
  reading,
  header,
  platformColumns,
  consentColumns,
  otherColumns,
}: ReadColumns): (index: number, cell: string, word: string) => boolean {
  const consentColumn = new Map(consentColumns.map((column) => [column.index, column]));
  const otherColumn = new Map(otherColumns.map((column) => [column.index, column]));
  const rowWith = (index: number, cell: string) => header.map((_, at) => (at === index ? cell : ''));
  const isStatusWord = (index: number, cell: string) => reading.statusWordOf?.(rowWith(index, cell)) === cell;
  return (index, cell, word) => {
    const status = consentColumn.get(index)?.stateOf(cell) ?? NONE;
    const isOpen = consentColumn.has(index) && !isClearYesNo(status, status.unknown ?? cell.trim());
    const isOfPlatform = platformColumns.has(index) && (!isPlainYesNo(cell) || isStatusWord(index, cell));
    const ofOther = otherColumn.get(index)?.stateOf(cell) ?? NONE;
    const ofPlatform = isOfPlatform ? reading.stateOf(rowWith(index, cell)) : NONE;
    const readings = [status, ofOther, ofPlatform].flatMap(readingsOfWords);
    return (isOfPlatform || isOpen || ofOther !== NONE) && isReadWord(word, cell, readings);
  };
}

function isReadWord(word: string, cell: string, readings: readonly StatusReading[]): boolean {
  const asked = readings.flatMap(({ unknown }) => unknown ?? []);
  const key = textKey(word);
  return readings.some(keepsMailAway) || [cell, ...listedValues(cell), ...asked].some((text) => textKey(text) === key);
}

// True for a yes or no with a clear state. Only an answer that names the column changes it.
function isClearYesNo(status: StatusReading, word: string): boolean {
  return isPlainYesNo(word) && status.unknown === undefined && status !== AGREES_READING;
}
