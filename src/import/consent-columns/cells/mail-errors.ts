import type { StatusReading } from '../../../platforms/lib/states.ts';
import { COMPLAINED, NONE } from '../../../platforms/lib/status-words.ts';
import type { CellReading } from '../headers/header-reading.ts';
import { OPT_OUT_STEMS } from '../headers/header-words.ts';
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
import { containsStem, wordsOf } from '../words-and-stems.ts';
import { isDate } from './days.ts';
import { EVENT_WORDS } from './mail-events.ts';
import { isOrderWord } from './purchase-states.ts';

// Columns with what a mail server answered to the last message: `SMTP error`, `Diagnostic code`. Most texts there mean
// that mail came back, in more words than any table can hold. So svc asks about each text that is not clearly harmless.

/**
 * The reading of a cell under a header such as `SMTP error`. A final reply skips the person, as under `Bounced`. A yes
 * or a date does so too, if the header names mail. A success, a temporary failure (C6), and `active` under `Delivery
 * status` give no state. svc asks about any other text, if it must understand each cell of the column.
 */
export function readMailError(text: string, column: CellReading): StatusReading {
  if (isFinalReply(text)) {
    return skipReading('bounced');
  }
  if (isHarmless(text, column)) {
    return NONE;
  }
  const event = EVENT_WORDS.get(wordLookupKey(text));
  // A server also refuses mail as spam. So the word is no complaint of the person, and a suppression can't be undone.
  if (event && event !== COMPLAINED) {
    return event;
  }
  const isFailure = NAMES_MAIL.test(column.headerKey ?? '') && (isPlainYesNo(text) || isDate(text));
  return isFailure && !column.needsConfirmation
    ? skipReading('bounced')
    : column.asksAboutUnknown
      ? questionReading(text)
      : NONE;
}

// True for a cell without an error, such as a no under `SMTP error`. False for a no under `Delivery status`, which may
// be a failed delivery, and for words such as `opted out` and `disabled`, which mean no too. svc asks about these.
function isHarmless(text: string, { needsConfirmation: isDelivery }: CellReading): boolean {
  if (readYesNo(text) === false) {
    return isPlainYesNo(text) && !isDelivery;
  }
  const isReply = HARMLESS_REPLY.test(text) && !containsStem(OPT_OUT_STEMS, wordsOf(text));
  return isEmptyValue(text) || isReply || NO_ERROR.test(wordsOf(text)) || (isDelivery === true && isGenericYes(text));
}

// Matches a reply of a mail server that is no final failure: `250 OK`, `4.2.2 mailbox full`. Also matches an address
// and a phone number, which are no errors.
const HARMLESS_REPLY =
  /^\W*(?:smtp;\s*)?(?:ok(?:ay)?\W*$|[24]\d\d(?!\d)|[24]\.\d{1,3}\.\d{1,3}(?![\d.]))|^[^\s@]+@[^\s@]+$|^\+?\(?\d{2,4}\)?[ -]\d{3,4}[ -]\d{3,5}$/iu;
const NO_ERROR =
  /^success$|^(?:no|0|kein|keine|sin|aucune?|pas d|nessun|geen|brak|inget|ingen|nenhum|sem) (?:errors?|failures?|fehler|erreurs?|errore|erros?|fout|fouten|bledow|bledu|fel|feil|fejl)$/u;
// Matches headers, without their blanks, that surely name mail. `DSN` can also be a telephone number.
const NAMES_MAIL = /mail|smtp|ndr|deliver|zustell|versand|livraison|envoi|envio|entrega|invio|consegna|bounce/u;

/**
 * True for a reply of a mail server that refuses for good: `550 5.1.1 user unknown`, `550 no such user`. No other text
 * has these numbers, or this number beside these words.
 */
export function isFinalReply(text: string): boolean {
  return FINAL_REPLY.test(text) || UNKNOWN_RECIPIENT.test(text);
}

/** True if most cells are replies of a mail server, and one of them is a final failure. */
export function holdsReplies(cells: readonly string[]): boolean {
  return cells.some(isFinalReply) && cells.filter((cell) => REPLY.test(cell)).length * 2 > cells.length;
}

// Matches a text that begins with the number of a reply.
const REPLY = /^\W*(?:smtp;\s*)?[245](?:\d\d(?!\d)|\.\d{1,3}\.\d)/iu;
const FINAL_REPLY = /(?<![\d.])5[0-5]\d[ \-#;:]{1,3}5\.\d{1,3}\.\d{1,3}(?![\d.])/u;
const UNKNOWN_RECIPIENT =
  /^\W*(?:smtp;\s*)?55[0-4][ \-#;:].{0,60}(?:(?:user|recipient|mailbox|address|account)\b.{0,40}\b(?:unknown|not found|unavailable|not exist|doesn't exist|disabled|rejected|invalid)|(?:no such|unknown|invalid) (?:user|recipient|mailbox|address|account))/iu;

/**
 * True for a column such as `Delivery status` or `Versand` whose cells are states of mail or of an address:
 * `delivered`, `blocked`. False if a cell is the state of a parcel or of a subscription.
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
