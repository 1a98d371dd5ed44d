import { memoize } from '../../../base/lib/memoize.ts';
import { isEmptyValue } from '../../../platforms/lib/blank-cells.ts';
import type { StatusReading } from '../../../platforms/lib/states.ts';
import { isDate } from '../cells/days.ts';
import { namesEndOfConsent } from '../headers/date-headers.ts';
import type { CellReading } from '../headers/header-reading.ts';
import { readCell } from '../read-cell.ts';
import { keepsMailAway } from '../several-columns/combine-readings.ts';
import { withoutBlanks, wordsOf } from '../words/plain-words.ts';
import { isPlainYesNo, readYesNo } from '../words/value-words.ts';
import { refusesByYes } from './topic-headers.ts';

/**
 * What a cell of a topic column says. `chosen`: the topic is sent. `refused`: the person does not want it. `unread`: a
 * text that svc reads neither as a yes nor as a no. `nothing`: a blank, or a no to an opt-out.
 */
export type TopicChoice = 'chosen' | 'refused' | 'unread' | 'nothing';

interface TopicReading {
  readonly header: string;
  /** The value of `--topic-value`. */
  readonly value: string;
  /** True if the user said that this word means a yes: `--status-map 'Interests:Weekly mail=subscribed'`. */
  isAnsweredYes(cell: string): boolean;
}

const AGREEMENT: CellReading = {
  meaning: 'agreed',
  asksAboutUnknown: true,
  filledMeansHappened: false,
  mayMeanSubscribed: false,
};

/** Makes the reader of a topic column. No text turns a topic on unless svc reads it as a yes (C10). */
export function createTopicReader(column: TopicReading): (cell: string) => TopicChoice {
  const { header, value, isAnsweredYes } = column;
  const words = wordsOf(header);
  const reading: CellReading = { ...AGREEMENT, headerKey: withoutBlanks(words), headerWords: words };
  const isOptOut = refusesByYes(header);
  const sendsRefusals = isRefusal(value);
  const ofAgreement = (cell: string): TopicChoice => {
    if (isRefusal(cell)) {
      return 'refused';
    }
    const read = cell === value ? AGREES : readCell(cell, reading);
    if (read.unknown !== undefined) {
      return isAnsweredYes(cell) ? 'chosen' : 'unread';
    }
    const isChosen = read.state === 'subscribed' || read.agreesToMail === true;
    return isChosen || (isDate(cell) && !namesEndOfConsent(header, [])) ? 'chosen' : 'unread';
  };
  const ofOptOut = (cell: string): TopicChoice =>
    readYesNo(cell) === false || readCell(cell, AGREEMENT).state === 'subscribed' ? 'nothing' : 'refused';
  return memoize((text: string): TopicChoice => {
    const cell = text.trim();
    if (isEmptyValue(cell)) {
      return 'nothing';
    }
    const choice = isOptOut ? ofOptOut(cell) : ofAgreement(cell);
    // If the value of `--topic-value` is itself a refusal, a refusing word chooses the topic. A plain `no` never does.
    return choice === 'refused' && sendsRefusals && !isPlainNo(cell) ? 'chosen' : choice;
  });
}

const AGREES: StatusReading = { state: 'none', agreesToMail: true };

/** True for a text that refuses a topic: a plain `no`, `opt_out`, `no thanks`, `paused`. */
export const isRefusal = memoize((text: string): boolean => {
  const status = readCell(text, { ...AGREEMENT, asksAboutUnknown: false });
  return isPlainNo(text) || status.unknown !== undefined || keepsMailAway(status);
});

function isPlainNo(text: string): boolean {
  return isPlainYesNo(text) && readYesNo(text) === false;
}
