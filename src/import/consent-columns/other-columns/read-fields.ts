import type { StatusReading } from '../../../platforms/lib/states.ts';
import { NONE, UNSUBSCRIBED } from '../../../platforms/lib/status-words.ts';
import { fieldsInsideText } from '../cells/fields.ts';
import type { Meaning } from '../headers/header-reading.ts';
import { readHeader } from '../headers/read-header.ts';
import { readCell } from '../read-cell.ts';
import { keepsMailAway, toQuestionReading } from '../several-columns/combine-readings.ts';
import { CLEAR_WORDS, readYesNo, STATE_WORDS, wordLookupKey } from '../words/value-words.ts';

const LONGEST_CELL = 400;

/**
 * The state that fields inside a text give: `consent: false`, `Berlin; optin=0`. Only plain answers and status words
 * count. `unsubscribed` counts without a question. svc asks about any other state that keeps mail away, because the
 * column is about something else.
 */
export function stateOfPairs(cell: string): StatusReading {
  if (cell.length > LONGEST_CELL || !/[:=：＝]/.test(cell)) {
    return NONE;
  }
  for (const [key, value] of fieldsInsideText(cell)) {
    const status = fieldState(key, value);
    if (status.state === UNSUBSCRIBED.state) {
      return UNSUBSCRIBED;
    }
    if (status.unknown !== undefined || keepsMailAway(status)) {
      return { state: 'none', unknown: cell.trim(), refusesMail: true };
    }
  }
  return NONE;
}

function fieldState(key: string, value: string): StatusReading {
  const reading = readHeader(key);
  if (reading === undefined || reading.isStatusOfOtherThing || UNREAD.has(reading.meaning)) {
    return NONE;
  }
  const words = wordLookupKey(value);
  const isPlain = readYesNo(value) !== undefined || CLEAR_WORDS.has(words) || STATE_WORDS.has(words);
  const status = isPlain ? readCell(value, { ...reading, mayMeanSubscribed: false }) : NONE;
  return reading.needsConfirmation ? toQuestionReading(status, value) : status;
}

const UNREAD: ReadonlySet<Meaning> = new Set(['text', 'reason', 'bounces']);
