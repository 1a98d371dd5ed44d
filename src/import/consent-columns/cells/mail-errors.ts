import type { StatusReading } from '../../../platforms/lib/states.ts';
import { NONE } from '../../../platforms/lib/status-words.ts';
import type { CellReading } from '../headers/header-reading.ts';
import { questionReading } from '../several-columns/combine-readings.ts';
import {
  CLEAR_WORDS,
  isEmptyValue,
  isGenericYes,
  isPlainYesNo,
  isStateWord,
  readYesNo,
  skipReading,
  wordLookupKey,
} from '../value-words.ts';
import { wordsOf } from '../words-and-stems.ts';
import { isDate } from './days.ts';
import { EVENT_WORDS } from './mail-events.ts';
import { isOrderWord } from './purchase-states.ts';

// Columns with what a mail server answered to the last message: `SMTP error`, `Diagnostic code`. Most texts there mean
// that mail came back, in words without end. So svc asks about each text that is not plainly harmless.

/**
 * The reading of a cell under a header such as `SMTP error`. A final reply, a date or a yes skips the person, as under
 * `Bounced`. A success and a failure that passes give no state (C6), nor does `active` under `Delivery status`. svc
 * asks about any other text.
 */
export function readMailError(text: string, { needsConfirmation }: CellReading): StatusReading {
  const isFine = needsConfirmation === true && isGenericYes(text);
  if (isFine || isEmptyValue(text) || readYesNo(text) === false || HARMLESS_REPLY.test(text)) {
    return NONE;
  }
  const event = EVENT_WORDS.get(wordLookupKey(text));
  const isEvent = isFinalReply(text) || isPlainYesNo(text) || isDate(text);
  return event ?? (isEvent ? skipReading('bounced') : questionReading(text));
}

// Matches a reply of a mail server that is no final failure: `250 OK`, `4.2.2 mailbox full`.
const HARMLESS_REPLY = /^\W*(?:smtp;\s*)?(?:ok(?:ay)?\W*$|[24]\d\d(?!\d)|[24]\.\d{1,3}\.\d{1,3}(?![\d.]))/iu;

/**
 * True for a reply of a mail server that refuses for good: `550 5.1.1 user unknown`. No other text has these numbers.
 */
export function isFinalReply(text: string): boolean {
  return FINAL_REPLY.test(text);
}

const FINAL_REPLY = /(?<![\d.])5[0-5]\d[ \-#;:]{1,3}5\.\d{1,3}\.\d{1,3}(?![\d.])/u;

/**
 * True for a column such as `Delivery status` or `Versand` whose cells are states of mail or of an address:
 * `delivered`, `blocked`. False if a cell is the state of a parcel, or speaks of a subscription.
 */
export function holdsDeliveryStates(header: string, cells: readonly string[]): boolean {
  return DELIVERY_HEADER.test(wordsOf(header)) && cells.length > 0 && cells.every(isDeliveryState);
}

function isDeliveryState(cell: string): boolean {
  const word = wordLookupKey(cell);
  const state = CLEAR_WORDS.get(word)?.state;
  const isOfSubscription = state === 'subscribed' || state === 'unsubscribed';
  return EVENT_WORDS.has(word) ? !isOfSubscription : isStateWord(cell) && !isOfSubscription && !isOrderWord(cell);
}

const DELIVERY_HEADER =
  /^(?:e ?mail |mail |newsletter |last )?(?:delivery|versand|zustellung|sending|envoi|envio|invio)(?: (?:status|state))?$/u;
