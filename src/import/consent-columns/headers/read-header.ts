import { memoize } from '../../../platforms/lib/status-words.ts';
import { plainWordsOf } from '../cells/compounds.ts';
import { findsStem, isSpelledOut, withoutBlanks } from '../words-and-stems.ts';
import { mayBeAboutOther } from './about-other-things.ts';
import { contradictsItself } from './contrary-headers.ts';
import {
  endsAgreement,
  explainsCells,
  isClearOptOut,
  isOptOutHeader,
  mayNameList,
  namesBothStates,
  namesNoOtherChannel,
  namesOpt,
  partsInBrackets,
  withoutAnswers,
} from './header-predicates.ts';
import { type HeaderReading, type Meaning, TEXT } from './header-reading.ts';
import {
  ACTIVE_HEADER,
  AGREEMENT_STEMS,
  BOUNCED_WORDS,
  CELLS_MAY_NAME_LISTS,
  CHANNEL_HEADER,
  COMPLAINED_WORDS,
  CONFIRMATION_STEMS,
  EARLIER_STATUS_WORDS,
  EVENT_COUNT_WORDS,
  EVENT_DATE_WORDS,
  EVENT_REASON_WORDS,
  FORECAST_WORDS,
  GROUP_WORDS,
  LINK_WORDS,
  MAYBE_STATUS_WORDS,
  NEGATION_WORDS,
  NOTE_WORDS,
  OPT_OUT_STEMS,
  OPT_OUT_WORD,
  OTHER_PURPOSE_WORDS,
  OTHER_STATUS_WORDS,
  REFUSED_MAIL_WORDS,
  STATUS_DATE_WORDS,
  STATUS_HEADER,
  SUPPRESSED_WORDS,
  UNCONFIRMED_STEMS,
  UNUSED_RECORD_WORDS,
} from './header-words.ts';
import { INVALID_ADDRESS_WORDS } from './invalid-address-words.ts';
import { readCorrected } from './misspelled-headers.ts';

// Matches headers of the reason for a suppression.
const REASON = /^(?:suppress(?:ion|ed) )?reason$|\bsub ?status$|\bstatus reason$/u;
const IDENTITY =
  /\b(?:id|ids|nr|hash|first name|last name|full name|ref)$|^(?:subscriber|abonne|abonnent|suscriptor|iscritto)s? (?:name|e ?mail(?: address)?)$/u;

/** The meaning of a header about consent. Undefined if it is not about consent. */
export function readHeader(header: string): HeaderReading | undefined {
  return remembered(header).reading;
}

// Cached, because keys of JSON cells are read like headers in each row.
const remembered = memoize((header: string) => ({ reading: readOnce(header) }));

function readOnce(header: string): HeaderReading | undefined {
  if (header.length > LONGEST_HEADER) {
    return undefined;
  }
  const twice = partsInBrackets(header);
  // `No Bulk Emails (User Opt Out)` means one opt-out, not a double negation.
  if (twice?.every((part) => readWords(part)?.meaning === 'optedOut')) {
    return readWords(twice[0]);
  }
  if (TAKES_AWAY.test(header) && readWords(header)?.meaning === 'agreed') {
    return { meaning: 'either', asksAboutUnknown: true, filledMeansHappened: false };
  }
  const read = readWords(withoutAnswers(header));
  const found = readCorrected(withoutAnswers(header), read, readWords) ?? read;
  if (!explainsCells(header)) {
    return found;
  }
  const own = found ?? readWords(header.replace(/[([{:].*/su, ''));
  const byWords =
    own && EXPLAINED_BY_WORDS.has(own.meaning) && !(own.meaning === 'withheld' && namesBothStates(header));
  return own && !byWords ? { meaning: 'either', asksAboutUnknown: true, filledMeansHappened: false } : own;
}

// Matches a sign before a header that may take the mailing away: `-News`, `🚫 Newsletter`.
const TAKES_AWAY = /^\s*(?:[-\u2212–!✗✘]|🚫|⛔|❌)\s*\p{L}/u;

// A longer text is no header, and its words would take long to compare.
const LONGEST_HEADER = 10_000;

const EXPLAINED_BY_WORDS: ReadonlySet<Meaning> = new Set(['text', 'reason', 'channel', 'withheld']);

function readWords(header: string): HeaderReading | undefined {
  const words = plainWordsOf(header.replaceAll('%', ' percent '));
  if (words === '' || FORECAST_WORDS.test(words) || !namesNoOtherChannel(header)) {
    return undefined;
  }
  if (REASON.test(words)) {
    return { meaning: 'reason', asksAboutUnknown: false, filledMeansHappened: false };
  }
  if (namesOpt(words)) {
    return { meaning: 'status', asksAboutUnknown: true, filledMeansHappened: false };
  }
  const filledMeansHappened = EVENT_DATE_WORDS.test(words.replace('up to date', '')) || EVENT_REASON_WORDS.test(words);
  const meaning = negativeMeaning(words, filledMeansHappened);
  if (meaning) {
    // A suppression can't be undone, so svc asks about words such as `Ruecklaeufer`.
    const needsConfirmation =
      LEAVING.has(meaning) && (mayBeAboutOther(header, meaning === 'complained') || spellsOutBounce(meaning, header));
    return {
      meaning,
      asksAboutUnknown: !NOT_SURE.has(meaning),
      filledMeansHappened,
      ...(needsConfirmation && { needsConfirmation }),
    };
  }
  if (isClearOptOut(words)) {
    return { meaning: 'optedOut', asksAboutUnknown: !filledMeansHappened, filledMeansHappened };
  }
  const found = positiveMeaning(words, filledMeansHappened);
  if (found?.meaning === 'status' && (EARLIER_STATUS_WORDS.test(words) || PAST_SIGNS.test(header))) {
    return { ...found, isPreviousStatus: true };
  }
  return (
    found ?? (isOptOutHeader(words) ? { meaning: 'optedOut', asksAboutUnknown: false, filledMeansHappened } : undefined)
  );
}

function spellsOutBounce(meaning: Meaning, header: string): boolean {
  return meaning !== 'optedOut' && isSpelledOut(header);
}

// Matches `previous` in scripts without blanks between words.
const PAST_SIGNS = /旧|前回|以前|之前|上次|이전/u;

// Under headers with these meanings, svc does not ask about cells that it does not understand.
const NOT_SURE: ReadonlySet<Meaning> = new Set(['withheld', 'bounces']);
const LEAVING: ReadonlySet<Meaning> = new Set(['optedOut', 'suppressed', 'bounced', 'complained']);

// The meaning of a header that keeps mail away. It is tested first, because `unsubscribed` contains `subscribed`.
function negativeMeaning(words: string, filledMeansHappened: boolean): Meaning | undefined {
  const text = withoutBlanks(words);
  if (LINK_WORDS.test(words) && !/\b(?:date|time|reason|campaign)\b/u.test(words)) {
    return undefined;
  }
  if (/opt(?:ed)? ?in/u.test(words) && /opt(?:ed)? ?out|(?:^| )out(?: |$)/u.test(words)) {
    return 'either';
  }
  const bounced = findsStem(BOUNCED_WORDS, words);
  if (!bounced && findsStem(INVALID_ADDRESS_WORDS, words)) {
    return 'invalid';
  }
  if (bounced) {
    return bounceMeaning(words);
  }
  if (findsStem(COMPLAINED_WORDS, words)) {
    return RATE.test(words) ? 'bounces' : 'complained';
  }
  if (findsStem(SUPPRESSED_WORDS, words)) {
    return 'suppressed';
  }
  if (findsStem(OPT_OUT_STEMS, words) || OPT_OUT_WORD.test(words)) {
    return isReversed(words) || (!filledMeansHappened && mayNameList(words)) ? 'either' : 'optedOut';
  }
  if (!filledMeansHappened && NO_AT_END.test(words) && findsStem(AGREEMENT_STEMS, words)) {
    return 'optedOut';
  }
  if (
    !filledMeansHappened &&
    !EVENT_COUNT_WORDS.test(words) &&
    (REFUSED_MAIL_WORDS.test(words) || (findsStem(AGREEMENT_STEMS, words) && NEGATION_WORDS.test(words)))
  ) {
    return mayNameList(words) ? 'either' : 'optedOut';
  }
  if (UNCONFIRMED_STEMS.test(text) && !filledMeansHappened) {
    return 'unconfirmed';
  }
  if (UNUSED_RECORD_WORDS.test(words)) {
    return 'withheld';
  }
  return endsAgreement(words) ? (!filledMeansHappened && mayNameList(words) ? 'either' : 'optedOut') : undefined;
}

// Matches the header of a column that marks a no, beside another column for yes: `Newsletter nein`, `Consent: none`.
const NO_AT_END =
  / (?:nein|nee|nej|нет|ei|hayir|false|none(?: of the above)?|keine[rs]?(?: davon)?)$|^(?:nein|nee|nej) /u;

// True for a header such as `Not opted out`, the opposite of an opt-out. False for `Do not mail`, which has no opt-out
// word beside its "not".
function isReversed(words: string): boolean {
  const rest = words.replace(EVERY_NO, ' ').trim();
  return rest !== words && (findsStem(OPT_OUT_STEMS, rest) || OPT_OUT_WORD.test(rest));
}

// Matches words for a rate: a rate of complaints is not a complaint of this person.
const RATE = /\b(?:rate|percent|ratio)\b/u;

const EVERY_NO = new RegExp(NEGATION_WORDS, 'gu');

function bounceMeaning(words: string): Meaning | undefined {
  if (/\b(?:hard|permanent)/u.test(words)) {
    return 'bounced';
  }
  if (/\bsoft\b/u.test(words)) {
    return undefined;
  }
  return EVENT_COUNT_WORDS.test(words) || /e ?mails bounced|bounces$/u.test(words) ? 'bounces' : 'bounced';
}

function positiveMeaning(words: string, filledMeansHappened: boolean): HeaderReading | undefined {
  const text = withoutBlanks(words);
  if (ACTIVE_HEADER.test(words)) {
    return { meaning: 'active', asksAboutUnknown: false, filledMeansHappened };
  }
  if (
    LINK_WORDS.test(words) ||
    EVENT_COUNT_WORDS.test(words) ||
    IDENTITY.test(words) ||
    OTHER_PURPOSE_WORDS.test(text)
  ) {
    return undefined;
  }
  const agrees = findsStem(AGREEMENT_STEMS, words);
  // A word such as `Zustand` can mean a status or something else. It means a status if the header is about agreement
  // too, or if all tests below fail.
  if (STATUS_HEADER.test(words) || (MAYBE_STATUS_WORDS.test(words) && agrees)) {
    return statusHeader(words, agrees);
  }
  if (findsStem(CONFIRMATION_STEMS, words)) {
    return { meaning: 'confirmed', asksAboutUnknown: false, filledMeansHappened };
  }
  if (CHANNEL_HEADER.test(text)) {
    return { meaning: 'channel', asksAboutUnknown: false, filledMeansHappened: false };
  }
  if (agrees && contradictsItself(words)) {
    return { meaning: 'either', asksAboutUnknown: true, filledMeansHappened: false };
  }
  if (agrees) {
    return {
      meaning: 'agreed',
      asksAboutUnknown: !filledMeansHappened && !CELLS_MAY_NAME_LISTS.test(text),
      filledMeansHappened,
    };
  }
  if (MAYBE_STATUS_WORDS.test(words)) {
    return { ...statusHeader(words, false), asksAboutUnknown: false };
  }
  if (GROUP_WORDS.test(words)) {
    return { meaning: 'text', asksAboutUnknown: false, filledMeansHappened: false, holdsGroups: true };
  }
  return NOTE_WORDS.test(words) ? TEXT : undefined;
}

function statusHeader(words: string, agrees: boolean): HeaderReading {
  const statusOfOtherThing = OTHER_STATUS_WORDS.test(words) && !agrees;
  return {
    meaning: 'status',
    asksAboutUnknown: !statusOfOtherThing,
    filledMeansHappened: STATUS_DATE_WORDS.test(words),
    ...(statusOfOtherThing && { statusOfOtherThing }),
    ...(agrees && { isConsentStatus: agrees }),
  };
}
