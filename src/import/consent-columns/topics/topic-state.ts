import { memoize } from '../../../base/lib/memoize.ts';
import { isEmptyValue } from '../../../platforms/lib/blank-cells.ts';
import { reasonOf, type StatusReading } from '../../../platforms/lib/states.ts';
import { NONE } from '../../../platforms/lib/status-words.ts';
import { stateOfNote } from '../cells/notes.ts';
import { optOutReader } from '../other-columns/read-words.ts';
import { readCell } from '../read-cell.ts';
import { keepsMailAway, questionReading } from '../several-columns/combine-readings.ts';
import { endsSubscription } from '../words/end-words.ts';
import { wordsOf } from '../words/plain-words.ts';
import { isPlainYesNo } from '../words/value-words.ts';
import { wordPattern } from '../words/word-patterns.ts';
import { isRefusal } from './topic-choice.ts';

const readAnyColumn = optOutReader('other');

// Matches words for all mail: `unsubscribed from all lists`.
const ALL_MAIL = wordPattern(
  'all alle allen allem everything every_list any_mail any_email global globally todo todos todas tout tous toutes tutto tutti tutte alles все всех всего',
);

/**
 * The state that a cell gives its row in a topic column of one list or one kind of mail. A no, `unsubscribed` or
 * `paused` there refuses only the topic. A cell about the whole address (`complained`, `bounced`, `unsubscribed from
 * all`) counts as in any other column. svc asks about `deceased` and other texts that may mean that the person left:
 * `left July`.
 */
export const topicCellState = memoize((text: string): StatusReading => {
  const cell = text.trim();
  if (isEmptyValue(cell) || isPlainYesNo(cell)) {
    return NONE;
  }
  const read = readCell(cell, ANY_ANSWER);
  const elsewhere = readAnyColumn(cell);
  if (isAboutAddress(elsewhere)) {
    return elsewhere;
  }
  const speaksOfAll = ALL_MAIL.test(wordsOf(cell));
  if (read.unknown === undefined && keepsMailAway(read)) {
    const ofAddress = reasonOf(read.state) === undefined ? NONE : questionReading(cell);
    return speaksOfAll ? read : ofAddress;
  }
  if (isRefusal(cell)) {
    return speaksOfAll ? questionReading(cell) : NONE;
  }
  const mayHaveLeft = elsewhere !== NONE || stateOfNote(cell) !== NONE || endsSubscription(cell);
  return read.unknown !== undefined && mayHaveLeft ? questionReading(cell) : NONE;
});

const ANY_ANSWER = {
  meaning: 'agreed',
  asksAboutUnknown: true,
  filledMeansHappened: false,
  mayMeanSubscribed: false,
} as const;

// True for a complaint, a bounce and the like. False for an opt-out, which may be about the topic alone, and for a
// question. Also false for a person who never confirmed or never agreed: `not subscribed`.
function isAboutAddress({ state, why = '', unknown }: StatusReading): boolean {
  return unknown === undefined && (reasonOf(state) !== undefined || REASONS_OF_ADDRESS.has(why));
}

const REASONS_OF_ADDRESS: ReadonlySet<string> = new Set(['bounced', 'suppressed']);
