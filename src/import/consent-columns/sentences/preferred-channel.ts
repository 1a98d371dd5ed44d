import type { StatusReading } from '../../../platforms/lib/states.ts';
import { NONE } from '../../../platforms/lib/status-words.ts';
import { beginsWithRefusal, holdsRefusal } from '../cells/sentences.ts';
import { NO_LIST } from '../cells/yes-and-no.ts';
import { mentionsDeath } from '../headers/contrary-headers.ts';
import type { CellReading } from '../headers/header-reading.ts';
import * as stems from '../headers/header-words.ts';
import { unknownReading } from '../several-columns/combine-readings.ts';
import { isRefusalInWords, mentionsEnd } from '../words/end-words.ts';
import { asksToStop } from '../words/phrases.ts';
import { wordsOf } from '../words/plain-words.ts';
import { AGREES_READING, isGenericYes, readYesNo, STATE_WORDS, wordLookupKey } from '../words/value-words.ts';
import { compileWords } from '../words/word-patterns.ts';
import { isLimitedMail } from './limited-mail.ts';

// Matches a refusal of one or two channels: `Do not phone`, `No SMS`.
const REFUSES_ONE_CHANNEL =
  /^(?:do not|dont|not by|no|kein\p{L}*|nicht per|pas de|pas par|sin|geen|niet per|nessun\p{L}*|bez|inga|ingen) \S+(?: (?:or|and|oder|ou|o|of|y|e) \S+)?$/u;

function namesOther(words: string): boolean {
  return (
    words === 'text' ||
    stems.OTHER_CHANNEL_WORDS.test(words) ||
    stems.PAPER_MAIL_WORDS.test(words) ||
    stems.NO_EMAIL_CHANNEL.test(words)
  );
}

// Matches words for any channel, in several languages.
const ANY_CHANNEL = /(?:^| )(?:any|all|both|either|egal|alle|beide|tous|todos|tutti)(?: |$)/u;

// Matches a text that gives values to channels. It can name email and refuse it: `email=0;sms=1`, `{"email":false}`.
const HOLDS_VALUES = /[={]/;

/**
 * The reading of a preferred channel. Email is a yes to mail. svc asks about another channel, or none, unless another
 * column keeps mail away. A refusal of another channel says nothing. Undefined for other texts.
 */
export function readPreferredChannel(text: string, column: CellReading): StatusReading | undefined {
  const clear = STATE_WORDS.get(wordLookupKey(text));
  if (clear) {
    return isGenericYes(text) ? unknownReading(text) : clear;
  }
  const words = wordsOf(text);
  const isLetter = (column.mailMeansLetter === true && words === 'mail') || LETTER_MAIL.test(text);
  const namesMail = (stems.namesEmail(words) && !isLetter) || ANY_CHANNEL.test(words);
  if (namesMail && HOLDS_VALUES.test(text)) {
    return unknownReading(text);
  }
  const namesOtherOnly = !namesMail && namesOther(words);
  if (namesOtherOnly && REFUSES_ONE_CHANNEL.test(words) && !/[,;:.–]/.test(text)) {
    return NONE;
  }
  const endsMail =
    namesMail && (mentionsEnd(words) || mentionsDeath(words) || (!namesOther(words) && holdsRefusal(text)));
  const isRefusal =
    endsMail ||
    NO_LIST.test(text) ||
    TAKES_EMAIL_AWAY.test(text) ||
    isCodeWithoutEmail(text) ||
    isLimitedMail(words, column.headerWords) ||
    readYesNo(text) === false ||
    asksToStop(text) ||
    isRefusalInWords(words) ||
    beginsWithRefusal(text);
  if (isRefusal || namesOtherOnly || isLetter) {
    return { state: 'none', unknown: text, refusesMail: true };
  }
  return namesMail ? AGREES_READING : undefined;
}

// Matches `Mail` with a word in brackets that shows that it means letters: `Mail (Post)`. `Mail, Post` names email too.
const LETTER_MAIL = /^\s*mail\s*[([]\s*(?:post|brief|letter|paper|papier|print|hard ?copy)/iu;

// Matches email with a sign that takes it away: `-email`, `sms,-e-mail`. `- Email` may be an item of a list.
const TAKES_EMAIL_AWAY = /(?:^|[\s,;|/"'[])[-\u2212–~¬]e-?mail(?![\p{L}\p{N}])/iu;

/**
 * True for a column in which each filled cell of the first rows names channels, and one names email. Its header must
 * also have a word for a contact, a wish or a permission (`Contact me via`), because `Missing` and `Invited by` are
 * about other things.
 */
export function holdsChannels(header: string, cells: readonly string[]): boolean {
  const words = wordsOf(header);
  return (
    CONTACT_OR_WISH.test(words) &&
    !stems.ORDINARY_WORDS.test(words) &&
    !OTHER_WAYS.test(words) &&
    cells.some((cell) => stems.namesEmail(wordsOf(cell))) &&
    cells.every(
      (cell) => cell.length <= LONGEST_LIST && !HOLDS_FIELDS.test(cell) && cell.split(BETWEEN).every(isChannel),
    )
  );
}

const LONGEST_LIST = 100;
// Matches an address, and fields with a value: `{"email":false}`.
const HOLDS_FIELDS = /[@={:[]/u;
const BETWEEN = /[,;|/+&\n]|\s(?:and|or|und|oder|et|ou|y|o|e|en|of)\s/iu;

function isChannel(part: string): boolean {
  const words = wordsOf(part);
  const isBrief = words.split(' ').length <= 3;
  return isBrief && (words === '' || stems.namesEmail(words) || namesOther(words) || ANY_CHANNEL.test(words));
}

// Matches words for a contact, a wish or a permission, in several languages.
const CONTACT_OR_WISH = compileWords(
  '(?:^| )(?:reach|prefer|prefs?(?= |$)|allow|permi(?:t|ss|s|so|te)(?= |\\p{L}|$)|(?:may|can|shall) (?:we|i)(?= |$)|happy to|wish|wants?(?= |$)|like to|hear from|notify me|consen|toestemm|samty|zgod|souhlas|tillat|tillad|erlaub|darf|durfen|gewunscht|bevorzug|erreich|einwillig|zustimm|joindre|souhait|autoris|autoriz|pouvons|podemos|quiere|dese[aoj]|bereik|gewenst|voorkeur|mogen|onsk|foretr|yhteyd|iletisim)|contact|contatt|contat|kontakt|comm?unic|comm?uniqu|kommunik|channel|kanal|canal|kanaal|kanava|wunsch|vorzug',
);

// Matches headers about how something came or went: `Signed up via`, `Activity type`, `Invoice by`.
const OTHER_WAYS = compileWords(
  '(?:^| )(?:types?|typ|typen?|tipo|arten?|activit\\p{L}*|aktivit\\p{L}*|interactions?|tasks?|actions?|touch\\p{L}*|inquir\\p{L}*|enquir\\p{L}*|anfragen?|requests?|requested|respon\\p{L}*|repl(?:y|ied|ies)|antwort|(?<!be )contacted|kontaktiert|registered|sign(?:ed)?|signup|added|booked|bookings?|gebucht|received|erhalten|eingang|sent|came|found|acqui\\p{L}*|leads?|entry|invoices?|bills?|statements?|receipts?|support|service|tickets?|reminders?|rechnung\\p{L}*|quittung\\p{L}*|herkunft|erfasst|touchpoint|communication type|verified|verify|verification|login|2fa|mfa|otp)(?= |$)',
);

// True for letters that each stand for a channel, none of them for email: `P`, `TP`, `S/T`.
function isCodeWithoutEmail(text: string): boolean {
  return /^[BFPSTW](?:[\s,;|/+&]*[BFPSTW]){0,4}$/u.test(text);
}
