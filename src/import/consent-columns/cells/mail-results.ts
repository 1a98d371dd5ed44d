import { isEmptyValue } from '../../../platforms/lib/blank-cells.ts';
import type { StatusReading } from '../../../platforms/lib/states.ts';
import { COMPLAINED, NONE, PENDING, UNSUBSCRIBED } from '../../../platforms/lib/status-words.ts';
import type { CellReading, Meaning } from '../headers/header-reading.ts';
import { OPT_OUT_STEMS } from '../headers/header-words.ts';
import { questionReading } from '../several-columns/combine-readings.ts';
import { wordsOf } from '../words/plain-words.ts';
import {
  CLEAR_WORDS,
  isGenericYes,
  isPlainYesNo,
  isStateWord,
  mayBeMark,
  readYesNo,
  skipReading,
  wordLookupKey,
} from '../words/value-words.ts';
import { compileWords, containsStem } from '../words/word-patterns.ts';
import { isDate } from './days.ts';
import { isOrderWord } from './other-subjects.ts';

/**
 * The reading of a final reply of a mail server. It skips the person and suppresses no address, like a date under
 * `Bounced`.
 */
export const FAILED_MAIL = skipReading('bounced');

// Words of email services for what happened to the last message. None of them proves a hard bounce.
const EVENTS: readonly (readonly [StatusReading, string])[] = [
  [NONE, 'open, opened, email opened, opened email, unique open, click, clicked, link clicked, clicked link, read'],
  [NONE, 'sent, send, email sent, delivered, delivery, processed, deferred, deferral, queued, accepted, soft bounce'],
  [
    FAILED_MAIL,
    'bounce, bounced, email bounced, dropped, drop, failed, rejected, reject, undelivered, not delivered, permanent fail, permanent failure, zustellfehler, rebond, rebote, rimbalzo',
  ],
  [PENDING, 'confirmation sent, confirmation email sent, bestatigungsmail versendet'],
  [COMPLAINED, 'complaint, spam complaint, spam report, complained, marked as spam, spam'],
  [UNSUBSCRIBED, 'unsubscribe, unsubscribed, list unsubscribe, group unsubscribe'],
];

/** The status that each event gives, by the `wordLookupKey` of its word. */
export const EVENT_WORDS: ReadonlyMap<string, StatusReading> = new Map(
  EVENTS.flatMap(([status, words]) =>
    words.split(',').map((word): [string, StatusReading] => [wordLookupKey(word), status]),
  ),
);

// Matches headers of events: `Last event`, `Email activity`. Under other headers `open` and `sent` can be about a
// parcel.
const EVENT_HEADER =
  /(?:^| )(?:events?|activity|actions?|engagement|interaction|response|result|e ?mail|ereignis|aktion|aktivitat|evento|accion|accao|acao|azione|evenement|gebeurtenis|actie|zdarzenie|handelse|handling|hendelse|tapahtuma|olay|событие)(?: (?:type|name|status|typ))?$/u;
const MAIL_ONLY_EVENTS: ReadonlySet<string> = new Set(
  ['opened', 'click', 'clicked', 'bounce', 'bounced', 'soft bounce', 'spam report', 'spam complaint'].map(
    wordLookupKey,
  ),
);
const MIN_SHARE = 0.8;

/** True for a column that says what happened to the last message: `opened`, `clicked`, `bounce`. */
export function holdsMailEvents(header: string, cells: readonly string[]): boolean {
  const keys = cells.map(wordLookupKey);
  const knownCount = keys.filter((key) => EVENT_WORDS.has(key)).length;
  const isMostly = keys.length > 0 && knownCount >= keys.length * MIN_SHARE;
  const isMail = keys.some((key) => MAIL_ONLY_EVENTS.has(key));
  return EVENT_HEADER.test(wordsOf(header)) ? isMostly || isMail : isMostly && isMail;
}

// Columns with the answer of a mail server: `SMTP error`, `Diagnostic code`. Most texts in them mean that mail came
// back, and no table can hold all their words. So svc asks about each text that is not clearly harmless.

// Matches headers of the last error or reply of a mail server: `SMTP error`, `Zustellfehler`, `Diagnostic code`.
const MAIL_ERROR = compileWords(
  [
    '^(?:last |remote )?(?:smtp|dsn|ndr|mta) (?:ERROR|code|reply|response|answer|status|result|text|message|log)DETAIL$|^(?:ndr|dsn)$',
    '^(?:last |remote )?(?:smtp |mail )?server (?:reply|response|answer)$',
    '^(?:remote )?diagnostics?(?: code| message| text)?$',
    '(?:^| )(?:smtp|(?:e ?)?mails?|mailing|deliver(?:y|ies)|send(?:ing)?|bounce|zustell\\p{L}*|versand|livraison|envoi|envio|entrega|invio|consegna|bezorg\\p{L}*|verzend\\p{L}*|dostarcz\\p{L}*|wysylk\\p{L}*|доставк\\p{L}*|отправк\\p{L}*) (?:\\p{L}{1,4} )?ERRORDETAIL$',
    '^(?:last )?ERROR (?:d|de |di |do |da |van |bei |beim )?(?:l )?(?:smtp|e ?mails?|mail|delivery|zustellung|versand|livraison|envoi|envio|entrega|invio|consegna|bezorging|verzending|доставки|отправки)DETAIL$',
    '^(?:letzter )?(?:zustell|versand|sende|mail)fehler(?:meldung|code|text|grund)?DETAIL$',
    '^(?:last|latest|letzter|derniere|ultimo|laatste|ostatni|senaste|siste|sidste|последняя)? ?ERROR$',
    '^ERROR (?:message|text|code|reason|meldung|melding)$|^(?:message d|mensaje de|messaggio di|mensagem de) ?ERROR$|^(?:fehler|fout|fel|feil|fejl)(?:meldung|text|melding|meddelande|meddelelse)(?:en)?$',
  ]
    .join('|')
    .replaceAll(
      'DETAIL',
      '(?: (?:code|message|text|reason|type|dates?|datum|time|count|description|details?|status|flags?|y ?n|at|on|am|since|seit|depuis|sinds))?',
    )
    .replaceAll(
      'ERROR',
      '(?:errors?|failures?|fehler|erreurs?|errore?s?|errori|erros?|fouten|fout|blad|fel|feil|fejl|ошибк[аи])',
    ),
);
const LONGEST_MAIL_ERROR = 5;

/** True for a header, in plain words, of the last error or reply of a mail server. */
export function namesMailError(words: string): boolean {
  return MAIL_ERROR.test(words) && words.split(' ').length <= LONGEST_MAIL_ERROR;
}

/**
 * The reading of a cell under a header such as `SMTP error`. A final reply skips the person. So does a yes or a date,
 * if the header names mail. A success, a temporary failure (C6), and `active` under `Delivery status` give no state.
 * svc asks about any other text, if it must understand each cell of the column.
 */
export function readMailError(text: string, column: CellReading): StatusReading {
  if (mayBeFinalReply(text)) {
    const isSure = FAILURES.has(column.meaning) || (column.meaning === 'mailError' && column.asksAboutUnknown);
    return isSure ? FAILED_MAIL : readFinalReply(text);
  }
  if (mayBeMark(text, column)) {
    return questionReading(text);
  }
  if (isHarmless(text, column)) {
    return NONE;
  }
  const event = EVENT_WORDS.get(wordLookupKey(text));
  // `spam` is no complaint here: a server also refuses mail as spam, and a suppression can't be undone.
  if (event && event !== COMPLAINED) {
    return event;
  }
  const isFailure = NAMES_MAIL.test(column.headerKey ?? '') && (isPlainYesNo(text) || isDate(text));
  return isFailure && !column.needsConfirmation ? FAILED_MAIL : column.asksAboutUnknown ? questionReading(text) : NONE;
}

const FAILURES: ReadonlySet<Meaning> = new Set(['bounced', 'bounces', 'invalid']);

// True for a cell without an error, such as a no under `SMTP error`. False for cells about which svc asks: a no under
// `Delivery status`, which may be a failed delivery, and more than a plain no, such as `opted out`.
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
  /^success$|^(?:no|0|kein|keine|sin|aucune?|pas d|nessun|geen|brak|inget|ingen|nenhum|sem) (?:errors?|failures?|fehler|erreurs?|errores?|erros?|fout|fouten|bledow|bledu|fel|feil|fejl)$/u;
// Matches headers, without their blanks, that surely name mail. `DSN` can also be a telephone number.
const NAMES_MAIL = /mail|smtp|ndr|deliver|zustell|versand|livraison|envoi|envio|entrega|invio|consegna|bounce/u;

/**
 * True for a reply of a mail server that refuses for good: `550 5.1.1 user unknown`, `host mx.x.test said: 550 5.1.1`,
 * `550 no such user`. False if the numbers may be those of a thing, or the text may be a postal address.
 */
export function isFinalReply(text: string): boolean {
  if (!FINAL_REPLY.test(text)) {
    return UNKNOWN_RECIPIENT.test(text) && (!STREET.test(text) || SERVER_WORDS.test(text));
  }
  const isSure = USUAL_CODE.test(text) || REPLY_SENTENCE.test(text) || FAILURE_WORDS.test(text);
  return isSure && (!NUMBERED_THING.test(text) || FAILURE_WORDS.test(text));
}

/** Like `isFinalReply`, but also true for a few other texts: `Order 512 - 5.3.21`, `550 Elm St - address unknown`. */
export function mayBeFinalReply(text: string): boolean {
  return FINAL_REPLY.test(text) || UNKNOWN_RECIPIENT.test(text);
}

/** The reading of a final reply, which skips the person. svc asks about a text that only resembles one. */
export const readFinalReply = (text: string) => (isFinalReply(text) ? FAILED_MAIL : questionReading(text));

/** True if most cells are replies of a mail server, and one of them is a final failure. */
export function holdsReplies(cells: readonly string[]): boolean {
  return cells.some(isFinalReply) && cells.filter((cell) => REPLY.test(cell)).length * 2 > cells.length;
}

const REPLY = /^\W*(?:smtp;\s*)?[245](?:\d\d(?!\d)|\.\d{1,3}\.\d)/iu;
const SEPARATORS = '[ \\-#;:]';
const REFUSED_RECIPIENT =
  "(?:user|recipient|mailbox|address|account)\\b.{0,40}\\b(?:unknown|not found|unavailable|not exist|doesn't exist|disabled|rejected|invalid)|(?:no such|unknown|invalid) (?:user|recipient|mailbox|address|account)";
const DETAILED_CODE = '5\\.[0-7]\\.(?:0|[1-9]\\d{0,2})(?![\\d.])';
const FINAL_REPLY = new RegExp(`(?<![\\d.])5[0-5]\\d${SEPARATORS}{1,3}${DETAILED_CODE}`, 'u');
const UNKNOWN_RECIPIENT = new RegExp(`^\\W*(?:smtp;\\s*)?55[0-4]${SEPARATORS}.{0,60}(?:${REFUSED_RECIPIENT})`, 'iu');
// Matches a usual code: `550 5.1.1`. Other codes count only at the start of a text that goes on with words, or beside
// words of mail servers.
const USUAL_CODE = new RegExp(`(?<![\\d.])55[0-4]${SEPARATORS}{1,3}${DETAILED_CODE}`, 'u');
const REPLY_SENTENCE = new RegExp(`^\\W*(?:smtp;\\s*)?5[0-5]\\d[ -]${DETAILED_CODE} *[\\p{L}<(:]`, 'iu');
const SERVER_WORDS =
  /(?<!\p{L})(?:smtp|dsn|ndr|mta|mx\d*|mailer|e-?mail|mailbox|user|resolver|returned|remote|host|server|bounced?|errore?|erreur|erro|permanent|sorry|requested|rcpt)(?!\p{L})|fail|fehl|reject|refus|deliver|zustell|said: *5|[^\s<>@]@[^\s<>]/iu;
const FAILURE_WORDS = new RegExp(`${SERVER_WORDS.source}|${REFUSED_RECIPIENT}`, 'iu');
// Matches a word for a thing that has numbers: `Order 512 - 5.3.21`, `Rev. 550 5.1.2`.
const NUMBERED_THING =
  /(?<!\p{L})(?:order|invoice|firmware|software|version|ver|rev(?:ision)?|release|build|modell?o?|part|item|art(?:ikel|icle)?|sku|din|iso|room|raum|zimmer|tel|phone|auftrag|bestellung|rechnung|commande|facture|pedido|factura|ordine|fattura)[.:#]? ?(?:no\.?|nr\.?|n°|#)? ?5[0-5]\d(?!\d)/iu;
// Matches the address of a house: `550 Elm St - address unknown`.
const STREET =
  /^\W*\d+ \p{Lu}[\p{L}.'’]{0,20}(?: \p{Lu}[\p{L}.'’]{0,20}){0,3} ?[-–,:;(]|(?<!\p{L})(?:st|street|rd|road|ave|avenue|dr|drive|ln|lane|blvd|way|court|square|rue|via|calle|\p{L}{0,20}stra(?:ss|ß)e)(?!\p{L})/u;

/**
 * True for a column such as `Delivery status` or `Versand`, if all its cells are states of mail or of an address:
 * `delivered`, `blocked`. False if a cell is the state of a parcel or of a subscription.
 */
export function holdsDeliveryStates(header: string, cells: readonly string[]): boolean {
  const areStates = cells.some(isDeliveryState) && cells.every((cell) => isDeliveryState(cell) || isFinalReply(cell));
  return DELIVERY_HEADER.test(wordsOf(header)) && areStates;
}

function isDeliveryState(cell: string): boolean {
  const word = wordLookupKey(cell);
  const state = CLEAR_WORDS.get(word)?.state;
  const isOfSubscription = state === 'subscribed' || state === 'unsubscribed';
  return EVENT_WORDS.has(word) ? !isOfSubscription : isStateWord(cell) && !isOfSubscription && !isOrderWord(cell);
}

const DELIVERY_HEADER =
  /^(?:e ?mail |mail |newsletter |last )?(?:delivery|versand|zustellung|sending|envoi|envio|invio)(?: (?:status|state))?$/u;
