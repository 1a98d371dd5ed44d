import type { StatusReading } from '../../../platforms/lib/states.ts';
import { NONE, SUPPRESSED, UNSUBSCRIBED } from '../../../platforms/lib/status-words.ts';
import type { CellReading, Meaning } from '../headers/header-reading.ts';
import { OPT_OUT_WORDS } from '../other-columns/opt-out-words.ts';
import { isLimitedMail, saysZero } from '../sentences/limited-mail.ts';
import { namesRemoval } from '../sentences/removal-requests.ts';
import { questionReading, unknownReading } from '../several-columns/combine-readings.ts';
import { refusesConsent } from '../words/consent-sentences.ts';
import { isNoAgreement } from '../words/opt-out-lists.ts';
import { asksToStop } from '../words/phrases.ts';
import { wordsOf } from '../words/plain-words.ts';
import { AGREES_READING, isStateWord, mayMeanNo, skipReading, wordLookupKey } from '../words/value-words.ts';
import { plainWordsOf } from './compounds.ts';
import {
  beginsWithRefusal,
  deniesYes,
  isLimitedYes,
  isShortDenial,
  isUnlikelyListName,
  namesOtherChannel,
  readClearOptOut,
  refusesEmail,
  saysYesToMail,
  stateInText,
} from './sentences.ts';
import { readHardBounce } from './yes-and-no.ts';

// Matches a cell that is only a link.
const URL = /^(?:https?:\/\/|www\.|mailto:)\S+$/iu;
const NEGATIVE = /^[-\u2212]\d/u;

/**
 * The reading of a text that is not a known word. Its words can give a state or a yes to mail. Otherwise the column
 * decides. If each filled cell means that something happened, so does this text. If svc must understand each cell, the
 * text is a question. In other columns it says nothing.
 */
export function readFreeText(text: string, column: CellReading): StatusReading {
  const { meaning, asksAboutUnknown } = column;
  if (URL.test(text) && meaning !== 'status') {
    return NONE;
  }
  const stated =
    asksAboutUnknown || MEANINGS_OF_EVENTS.has(meaning) ? stateInText(text, meaning) : CLEAR_TEXT[meaning]?.(text);
  return (
    stated ??
    readConsentText(text, column) ??
    readFilledCell(text, column) ??
    (asksAboutUnknown ? unknownReading(text) : NONE)
  );
}

/**
 * Reads a text under a header that asks for consent. Undefined under other headers, and if the text is no answer about
 * mail.
 */
function readConsentText(text: string, column: CellReading): StatusReading | undefined {
  const { meaning, asksAboutUnknown, filledMeansHappened, headerWords = '' } = column;
  if (!MEANINGS_WITH_QUESTION.has(meaning) || filledMeansHappened) {
    return undefined;
  }
  if (column.isStatusOfOtherThing && STAYS_AWAY.test(wordsOf(text))) {
    return undefined;
  }
  // Under a header about agreement a text can be the name of a list, so svc asks only about texts that can't be such a
  // name.
  const mayBeList = meaning === 'agreed';
  const words = plainWordsOf(text);
  if (
    mayBeList &&
    (canBeNoName(text) || saysZero(words) || namesOtherChannel(text) || isShortDenial(text) || refusesConsent(words))
  ) {
    return unknownReading(text);
  }
  if (beginsWithRefusal(text) || asksToStop(text) || refusesEmail(text) || isLimitedYes(text)) {
    return unknownReading(text);
  }
  if (isLimitedMail(words, headerWords)) {
    return asksAboutUnknown ? unknownReading(text) : questionReading(text);
  }
  // Some opt-out words begin like a yes in another language: `đã mất` means died, and `da` means yes.
  if (OPT_OUT_WORDS.foreign.has(wordLookupKey(text))) {
    return asksAboutUnknown ? unknownReading(text) : NONE;
  }
  const saysYes = saysYesToMail(text, column);
  if (saysYes && !deniesYes(text)) {
    return AGREES_READING;
  }
  // `left all`, `paused`, or a word that may mean no can't be the name of a list.
  const isNoList = mayBeList && (saysYes || isStateWord(text) || mayMeanNo(text) || isUnlikelyListName(text));
  return isNoList ? unknownReading(text) : undefined;
}

// Matches what the status of an event says about a person who does not come: `Not attending`. It says nothing about
// mail.
const STAYS_AWAY =
  /^(?:not|will not|wont|is not|nicht|nimmt nicht|ne|non|no|nao|niet|nie|inte|ikke|ej) (?:attend(?:ing|ed)?|coming|going|participating|present|checked in|teil|anwesend|erschienen|participe(?: pas)?|asiste|asistira|partecipa|aanwezig|narvarande)$/u;

// True for a symbol, an emoji or a negative number, which can't be the name of a list: `🙅`, `-2`.
function canBeNoName(text: string): boolean {
  return !/[\p{L}\p{N}]/u.test(text) || NEGATIVE.test(text);
}

/** Reads a text in a column where each filled cell means that something happened. Undefined in other columns. */
function readFilledCell(text: string, { meaning, filledMeansHappened }: CellReading): StatusReading | undefined {
  if (!filledMeansHappened) {
    return undefined;
  }
  if (meaning === 'agreed' && isNoAgreement(wordsOf(text))) {
    return questionReading(text);
  }
  const isPending = meaning === 'optedOut' && NOT_YET_OPTED_OUT.test(wordsOf(text));
  return isPending || OTHER_MARKS.test(text) ? unknownReading(text) : READING_OF_FILLED_CELL[meaning];
}

// Matches punctuation and control characters that may stand for a blank: `/`, `•`. A mark such as `*` doesn't match,
// because it shows that something happened.
const OTHER_MARKS = /^[^\p{L}\p{N}\p{S}*!#†‡]+$/u;

// Matches a text that denies the opt-out in a column of opt-out dates: `noch aktiv`, `still a member`, `not yet`.
const NOT_YET_OPTED_OUT =
  /^(?:(?:still|noch|toujours|encore|sigue|todavia|ancora|ainda|nog|fortfarande|stadig|fortsatt|edelleen|nadal|wciaz|еще) (?:(?:an?|ein|un|een) )?(?:active?|aktiv|actif|activo|attivo|ativo|actief|aktywny|aktiivinen|активен|subscribed|member|mitglied|abonniert|abonne|dabei|da|here)|(?:not|noch nicht|nicht|pas|nog niet|non|no) (?:yet|encore|todavia|ancora)|noch nicht|nog niet|ongoing|laufend|current|present)$/u;

const MEANINGS_OF_EVENTS: ReadonlySet<Meaning> = new Set([
  'optedOut',
  'bounced',
  'invalid',
  'complained',
  'suppressed',
  'reason',
]);
/**
 * Under headers with these meanings svc does not ask about unknown cells. These functions find the few texts that count
 * there nevertheless.
 */
const CLEAR_TEXT: Readonly<Partial<Record<Meaning, typeof readClearOptOut>>> = {
  agreed: readClearOptOut,
  bounces: readHardBounce,
  withheld: (text) => (namesRemoval(wordsOf(text)) ? questionReading(text) : undefined),
};
const MEANINGS_WITH_QUESTION: ReadonlySet<Meaning> = new Set(['agreed', 'status', 'confirmed']);

// The state that a text gives if each filled cell means that something happened: any text under `Unsubscribe reason` is
// an opt-out. `complained` is missing: a text can be about late goods, and a suppression can't be undone, so svc asks.
const READING_OF_FILLED_CELL: Readonly<Partial<Record<Meaning, StatusReading>>> = {
  optedOut: UNSUBSCRIBED,
  suppressed: SUPPRESSED,
  bounced: skipReading('bounced'),
  invalid: skipReading('invalid'),
  agreed: NONE,
  confirmed: NONE,
};
