import { memoize } from '../../../base/lib/memoize.ts';
import { plainWordsOf } from '../cells/compounds.ts';
import { AT_ANY_TIME } from '../words/phrases.ts';
import { isSpelledOut, wordsOf } from '../words/plain-words.ts';
import { EARLIER_STATUS_WORDS } from '../words/status-headers.ts';
import { wordPattern } from '../words/word-patterns.ts';
import {
  explainsCells,
  isClearOptOut,
  isInOrOutHeader,
  isOptOutHeader,
  mayBeAboutEmail,
  namesBothStates,
  splitBrackets,
  withoutAnswers,
} from './header-predicates.ts';
import { type HeaderReading, type Meaning, NOTE_READING } from './header-reading.ts';
import { businessIn, mayBeAboutOther, withDirection } from './header-subjects.ts';
import { EVENT_DATE_WORDS, EVENT_REASON_WORDS, FORECAST_WORDS, TAG_WORDS } from './header-words.ts';
import { readMisspelledHeader } from './misspelled-headers.ts';
import { endsOptOut, isNegatedFailure, negativeMeaning } from './negative-headers.ts';
import { positiveMeaning } from './positive-headers.ts';
import { maySayLeft, withoutRightToLeave } from './right-to-leave.ts';

// Matches headers of the reason for a status: `Reason`, `Suppression reason`, `Status reason`, `Sub status`.
const REASON = /^(?:suppress(?:ion|ed) )?reason$|\bsub ?status$|\bstatus reason$/u;
/** The meaning of a header about consent, notes or groups. Undefined for any other header, such as `City`. */
export function readHeader(header: string): HeaderReading | undefined {
  return readCached(header).reading;
}

/** True for a header about the status or the group of a person, such as `List` or `Segment`. False for tags. */
export function namesStatusOrGroup(header: string): boolean {
  const { meaning, holdsGroups } = readHeader(header) ?? {};
  return meaning === 'status' || (holdsGroups === true && !TAG_WORDS.test(wordsOf(header)));
}

// Cached, because keys of JSON cells are read like headers in each row.
const readCached = memoize((header: string) => {
  const known = ADDRESS_CHECK.test(wordsOf(header)) ? 'Email verification result' : header;
  return { reading: withDirection(readUncached(known), known) };
});

// Matches headers with the result of a service that checks addresses: `ZeroBounce status`. Its `valid` is no sign-up.
const ADDRESS_CHECK =
  /^(?:zero ?bounce|never ?bounce|de ?bounce|bouncer|bouncify|hunter(?: io)?|kickbox|brite ?verify|million ?verifier|e?mail ?list ?verify|verifalia|emailable|clearout|mailbox ?validator|quick ?email ?verification|my ?email ?verifier|snov(?: io)?|xverify|reoon|proofy|captain ?verify|email ?checker) (?:e ?mail )?(?:status|result|state|verdict|verification|validation|check)(?: (?:status|result))?$/u;

function readUncached(header: string): HeaderReading | undefined {
  if (header.length > LONGEST_HEADER) {
    return undefined;
  }
  // The box of `Untick if you do not want emails` begins with a tick, so a no may be the opt-out. svc asks.
  if (UNTICKS.test(plainWordsOf(header)) && mayBeAboutEmail(header)) {
    return { meaning: 'either', asksAboutUnknown: true, filledMeansHappened: false };
  }
  const otherClauses = withoutRightToLeave(header);
  if (otherClauses !== undefined) {
    return readHeaderWithRight(header, otherClauses);
  }
  const brackets = splitBrackets(header);
  // `No Bulk Emails (User Opt Out)` means one opt-out, not a double negation.
  if (brackets?.every((part) => readWords(part)?.meaning === 'optedOut')) {
    return readWords(brackets[0]);
  }
  const isUndone = mayBeAboutEmail(header) && endsOptOut(withoutAnswers(header));
  if (isUndone || (TAKES_AWAY.test(header) && readWords(header)?.meaning === 'agreed')) {
    return { meaning: 'either', asksAboutUnknown: true, filledMeansHappened: false };
  }
  const asWritten = readWords(withoutAnswers(header));
  const reading = readMisspelledHeader(withoutAnswers(header), asWritten, readWords) ?? asWritten;
  if (!explainsCells(header)) {
    return reading;
  }
  const base = reading ?? readWords(header.replace(/[([{:].*/su, ''));
  const isExplained =
    base && EXPLAINED_BY_WORDS.has(base.meaning) && !(base.meaning === 'withheld' && namesBothStates(header));
  return base && !isExplained ? { meaning: 'either', asksAboutUnknown: true, filledMeansHappened: false } : base;
}

// The reading of a header that also states the right to opt out. A yes below it may be an opt-out if the rest of the
// header is no agreement, or if the person may have left: `Newsletter (blocked until revoked)`.
function readHeaderWithRight(header: string, otherClauses: string): HeaderReading | undefined {
  const meaning = readUncached(otherClauses)?.meaning === 'agreed' && !maySayLeft(header) ? 'agreed' : 'either';
  return readWords(header) && { meaning, asksAboutUnknown: true, filledMeansHappened: false };
}

// Matches a minus or a cross before a header, which may mean "no": `-News`, `🚫 Newsletter`.
const TAKES_AWAY = /^\s*(?:[-\u2212–!✗✘]|🚫|⛔|❌)\s*\p{L}/u;

// Matches a request to take a tick away: `Uncheck to opt out`, `Häkchen entfernen`, `Décochez`.
const UNTICKS = wordPattern(
  'un_?(?:tick|check) de_?select (?:clear|remove|delete|empty)_(?:the|this|your)?_?(?:tick|check|cross|box|tickbox|checkbox)(?:_?marks?|_box)? (?:tick|check|cross)_(?:entfernen|loschen)',
  '(?:haken|hakchen|kreuz|kreuzchen)_(?:(?:bitte|wieder|hier)_)?(?:entfernen|wegnehmen|wegklicken|herausnehmen|rausnehmen|loschen|weg) entfernen?_sie_(?:den|das)_(?:haken|hakchen|kreuz|kreuzchen) abwahlen',
  'decoche[rz]? deselectionne[rz]? retire[rz]_la_coche desmar(?:car|que) deselecciona[r]? deselezion(?:a|are|i) togli(?:ere)?_la_spunta uitvinken vink_.{0,40}_uit odznacz(?:yc)? avmarkera fjern_(?:flueben|fluebenet|haken|krysset)',
);

// A longer text is no header, and its words would take long to compare.
const LONGEST_HEADER = 10_000;

const EXPLAINED_BY_WORDS: ReadonlySet<Meaning> = new Set(['text', 'reason', 'channel', 'withheld']);

function readWords(header: string): HeaderReading | undefined {
  const words = plainWordsOf(header.replaceAll('%', ' percent '));
  if (words === '' || FORECAST_WORDS.test(words)) {
    return undefined;
  }
  if (businessIn(words) === 'event') {
    return undefined;
  }
  if (!mayBeAboutEmail(header)) {
    return CALL_NOTES.test(words) ? { ...NOTE_READING, isAboutCalls: true, needsConfirmation: true } : undefined;
  }
  if (REASON.test(words)) {
    return { meaning: 'reason', asksAboutUnknown: false, filledMeansHappened: false };
  }
  if (isInOrOutHeader(words)) {
    return { meaning: 'status', asksAboutUnknown: true, filledMeansHappened: false };
  }
  // `at any time` and `up to date` are no dates of an event.
  const filledMeansHappened =
    EVENT_DATE_WORDS.test(words.replace('up to date', '').replace(AT_ANY_TIME, ' ')) || EVENT_REASON_WORDS.test(words);
  const meaning = negativeMeaning(words, filledMeansHappened);
  if (meaning) {
    // svc asks when the header may be about something other than email. It also asks when a word for a bounce or the
    // like is spelled without umlauts (`Ruecklaeufer`): it can be a different word, and a suppression can't be undone.
    // It also asks about `Blocked until`, because the day may have passed.
    const needsConfirmation =
      MEANINGS_OF_LEAVING.has(meaning) &&
      (mayBeAboutOther(header, meaning === 'complained') || spellsOutBounce(meaning, header) || ENDS_LATER.test(words));
    return {
      meaning,
      asksAboutUnknown: !NOT_ASKED.has(meaning) || DELETION_MARK.test(words),
      // Under `No bounces since` a date is a question, and does not mean that mail bounced.
      filledMeansHappened: filledMeansHappened && !(meaning === 'either' && isNegatedFailure(words)),
      ...(needsConfirmation && { needsConfirmation }),
    };
  }
  if (isClearOptOut(words)) {
    return { meaning: 'optedOut', asksAboutUnknown: !filledMeansHappened, filledMeansHappened };
  }
  const positive = positiveMeaning(words, filledMeansHappened);
  if (positive?.meaning === 'status' && (EARLIER_STATUS_WORDS.test(words) || PAST_IN_OTHER_SCRIPTS.test(header))) {
    return { ...positive, isPreviousStatus: true };
  }
  return (
    positive ??
    (isOptOutHeader(words)
      ? {
          meaning: 'optedOut',
          asksAboutUnknown: false,
          filledMeansHappened,
          ...(mayBeAboutOther(header, false) && { needsConfirmation: true }),
        }
      : undefined)
  );
}

// Matches the last day of a block or a pause: `Blocked until`, `Gesperrt bis`.
const ENDS_LATER = /(?:^| )(?:until|till|bis|jusqu(?:au?|a la)?|hasta|fino|indtil)(?= |$)|\p{L} tot(?: (?:en )?met)?$/u;

// Matches headers of notes about calls: `Call notes`, `Phone comments`, `Telefonnotizen`.
const CALL_NOTES =
  /^(?:last )?(?:phone ?(?:calls?)?|calls?|telephone|tel|telefon|anruf) ?(?:notes?|notiz(?:en)?|notat(?:er)?|comments?|remarks?|memos?|log|summary|bemerkung(?:en)?|anteckning(?:ar)?)$/u;

function spellsOutBounce(meaning: Meaning, header: string): boolean {
  return meaning !== 'optedOut' && meaning !== 'withheld' && isSpelledOut(header);
}

// Matches `previous` in Chinese, Japanese and Korean.
const PAST_IN_OTHER_SCRIPTS = /旧|前回|以前|之前|上次|이전/u;

// Under headers with these meanings, svc does not ask about cells that it does not understand.
const NOT_ASKED: ReadonlySet<Meaning> = new Set(['withheld', 'bounces']);
// Matches headers of a mark for a deletion. Each letter below them may be the mark: `L` below `LOEKZ`.
const DELETION_MARK = /^lo(?:e|sch)? ?kz$|^losch ?kennz(?:eichen)?$|^(?:loevm|lvorm)$/u;
const MEANINGS_OF_LEAVING: ReadonlySet<Meaning> = new Set([
  'optedOut',
  'suppressed',
  'bounced',
  'complained',
  'withheld',
]);
