import { contactIn } from '../sentences/contact-headers.ts';
import { withoutBlanks, wordsOf } from '../words/plain-words.ts';
import {
  MAYBE_STATUS_WORDS,
  namesPaidSubscription,
  OTHER_STATUS_WORDS,
  STATUS_HEADER,
} from '../words/status-headers.ts';
import { containsStem, wordPattern } from '../words/word-patterns.ts';
import { contradictsItself } from './contrary-headers.ts';
import { isOptOutHeader } from './header-predicates.ts';
import { type HeaderReading, NOTE_READING } from './header-reading.ts';
import { withoutStatusWords } from './header-subjects.ts';
import {
  ACTIVE_HEADER,
  AGREEMENT_STEMS,
  CELLS_MAY_NAME_LISTS,
  CHANNEL_HEADER,
  CONFIRMATION_STEMS,
  EVENT_COUNT_WORDS,
  GROUP_WORDS,
  LINK_WORDS,
  NOTE_WORDS,
  OTHER_PURPOSE_WORDS,
  STATUS_DATE_WORDS,
} from './header-words.ts';
import { negativeMeaning } from './negative-headers.ts';

// Matches headers of an id, a name or an address. `RecipientType` of Microsoft Exchange is the kind of a mailbox.
const IDENTITY =
  /^recipient type(?: details)?$|\b(?:id|ids|nr|hash|first name|last name|full name|ref)$|^(?:subscriber|abonne|abonnent|suscriptor|iscritto)s? (?:name|e ?mail(?: address)?)$/u;

/** True for a header of an id, a name or an address: `Newsletter id`, `Subscriber name`. */
export function namesIdentity(header: string): boolean {
  return IDENTITY.test(wordsOf(header));
}

// Matches `still` in a header that asks whether the person is still there: `Still at school`, `singt noch mit`.
const STILL = wordPattern(
  'still(?!_life) noch toujours encore todavia aun sigue ancora ainda nog nadal wciaz fortfarande stadig fortsatt edelleen porad ακομη еще',
);
// Matches words about something still to do or to pay: `Still to pay`. Such a header asks nothing about the person.
const TO_DO =
  /(?:^| )(?:to|zu|offen\w*|open|due|owes?|owed|outstanding|needs?|missing|fehlt|da|te|por|pag\w*|zahl\w*|pay\w*|paid|bezahl\w*)(?= |$)/u;
const LONGEST_QUESTION = 5;

function asksWhetherStill(words: string): boolean {
  return STILL.test(words) && words.split(' ').length <= LONGEST_QUESTION && !TO_DO.test(words);
}

/**
 * The meaning of a header about an agreement, a status, groups or notes, by its words. Undefined for any other header.
 */
export function positiveMeaning(words: string, filledMeansHappened: boolean): HeaderReading | undefined {
  const text = withoutBlanks(words);
  if (ACTIVE_HEADER.test(words) || asksWhetherStill(words)) {
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
  if (namesPaidSubscription(words)) {
    return { meaning: 'status', asksAboutUnknown: false, filledMeansHappened, isStatusOfOtherThing: true };
  }
  const agrees = containsStem(AGREEMENT_STEMS, words);
  // A word such as `Zustand` can mean a status or something else. It means a status if the header is about agreement
  // too, or if none of the tests below applies.
  if (STATUS_HEADER.test(words) || (MAYBE_STATUS_WORDS.test(words) && agrees)) {
    return statusHeader(words, agrees);
  }
  if (containsStem(CONFIRMATION_STEMS, words)) {
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
  // `Wants info` asks for an answer, although a column `Info` holds notes.
  return NOTE_WORDS.test(words) && contactIn(words) === undefined ? NOTE_READING : undefined;
}

function statusHeader(words: string, isAgreement: boolean): HeaderReading {
  const isStatusOfOtherThing = OTHER_STATUS_WORDS.test(words) && !isAgreement;
  const filledMeansHappened = STATUS_DATE_WORDS.test(words);
  // Without its word for a status the header may be about an opt-out: `Stop status`.
  const otherWords = withoutStatusWords(words);
  if (!isStatusOfOtherThing && (negativeMeaning(otherWords, false) === 'optedOut' || isOptOutHeader(otherWords))) {
    return { meaning: 'optedOut', asksAboutUnknown: true, filledMeansHappened, needsConfirmation: true };
  }
  return {
    meaning: 'status',
    asksAboutUnknown: !isStatusOfOtherThing,
    filledMeansHappened,
    ...(isStatusOfOtherThing && { isStatusOfOtherThing }),
    ...(isAgreement && { isConsentStatus: isAgreement }),
  };
}
