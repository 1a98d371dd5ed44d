import type { StatusReading } from '../../../platforms/lib/states.ts';
import { NONE } from '../../../platforms/lib/status-words.ts';
import { questionReading } from '../several-columns/combine-readings.ts';
import { isEmptyValue, isPlainYesNo, readYesNo, skipReading, wordLookupKey } from '../value-words.ts';
import { isDate } from './days.ts';
import { EVENT_WORDS } from './mail-events.ts';

// Columns with what a mail server answered to the last message: `SMTP error`, `Diagnostic code`. Most texts there mean
// that mail came back, in words without end. So svc asks about each text that is not plainly harmless.

/**
 * The reading of a cell under a header such as `SMTP error`. A final reply, a date or a yes skips the person, as under
 * `Bounced`. A success, and a failure that passes, give no state (C6). svc asks about any other text.
 */
export function readMailError(text: string): StatusReading {
  if (isEmptyValue(text) || readYesNo(text) === false || HARMLESS_REPLY.test(text)) {
    return NONE;
  }
  const event = EVENT_WORDS.get(wordLookupKey(text));
  const isEvent = isFinalReply(text) || isPlainYesNo(text) || isDate(text);
  return event ?? (isEvent ? skipReading('bounced') : questionReading(text));
}

// Matches a reply of a mail server that is no final failure: `250 OK`, `4.2.2 mailbox full`.
const HARMLESS_REPLY = /^\W*(?:smtp;\s*)?(?:[24]\d\d(?!\d)|[24]\.\d{1,3}\.\d{1,3}(?![\d.]))/iu;

/** True for a reply of a mail server that refuses for good: `550 5.1.1 user unknown`. No other text has these numbers. */
export function isFinalReply(text: string): boolean {
  return FINAL_REPLY.test(text);
}

const FINAL_REPLY = /(?<![\d.])5[0-5]\d[ \-#;:]{1,3}5\.\d{1,3}\.\d{1,3}(?![\d.])/u;
