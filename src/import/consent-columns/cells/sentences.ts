import { isEmptyValue } from '../../../platforms/lib/blank-cells.ts';
import type { StatusReading } from '../../../platforms/lib/states.ts';
import { BOUNCED, COMPLAINED, NONE, SUPPRESSED, UNSUBSCRIBED } from '../../../platforms/lib/status-words.ts';
import { contradictsItself, isBriefEnd, mentionsDeath } from '../headers/contrary-headers.ts';
import type { CellReading, Meaning } from '../headers/header-reading.ts';
import { mayBeAboutOther } from '../headers/header-subjects.ts';
import * as stems from '../headers/header-words.ts';
import { INVALID_ADDRESS_WORDS } from '../headers/invalid-address-words.ts';
import { OPT_OUT_WORDS } from '../other-columns/opt-out-words.ts';
import { isAgreement } from '../words/consent-sentences.ts';
import { DEATH_SYMBOL, isEndedTag, isRefusalInWords, mentionsEnd } from '../words/end-words.ts';
import { isVagueAnswer } from '../words/hedged-refusals.ts';
import { asksToStop, hasNegation, isUnwilling, statesRightToLeave } from '../words/phrases.ts';
import { withoutBlanks, wordsOf } from '../words/plain-words.ts';
import { holdsMisspelledOptOut } from '../words/typing-errors.ts';
import { isStateWord, readYesNo, STATE_WORDS, skipReading, wordLookupKey } from '../words/value-words.ts';
import { compileWords, containsStem } from '../words/word-patterns.ts';
import { RARE_SCRIPT_LETTER } from '../words/words-of-further-languages.ts';
import { plainWordsOf, withoutCompounds } from './compounds.ts';
import { fieldsInsideText } from './fields.ts';
import { refusesOtherChannel } from './other-subjects.ts';

const SHORTEST_LABEL = 8;

/**
 * True for a yes in other words. It can be a sentence that agrees, the name of a list, or a text that repeats the
 * header, as forms write it for a ticked box.
 */
export function saysYesToMail(text: string, { meaning, headerKey = '' }: CellReading): boolean {
  const words = plainWordsOf(text);
  const bare = withoutBlanks(words);
  const holdsHeader = headerKey !== '' && bare.includes(headerKey);
  const repeatsHeader = bare.length >= SHORTEST_LABEL && (headerKey.includes(bare) || holdsHeader);
  // A text with values can name email and refuse it, so it is no yes: `email=0;sms=1`.
  const namesEmail =
    (stems.EMAIL_CHANNEL.test(words) || stems.FREQUENCY_WORDS.test(words)) &&
    !stems.NEGATION_WORDS.test(words) &&
    !/[=:]/.test(text);
  return isAgreement(text) || (meaning === 'agreed' && (repeatsHeader || namesEmail));
}

/**
 * True for a text with a yes (`yes`, `all`, `weekly`) and words that deny or doubt it: `left all`, `weekly off`, `yes
 * (inactive)`.
 */
export function deniesYes(text: string): boolean {
  const words = plainWordsOf(text);
  return (
    contradictsItself(words) ||
    isUnwilling(words) ||
    mentionsDeath(words) ||
    DEATH_SYMBOL.test(text) ||
    holdsRefusal(text) ||
    UNCERTAIN_YES.test(words) ||
    (mentionsEnd(words) && !isAgreement(text))
  );
}

// Matches words after a yes about an earlier time, a doubt or a mistake: `yes (old)`, `yes, tbc`, `ja (früher)`.
const UNCERTAIN_YES = compileWords(
  '^\\S+ (?:\\S+ )?(?:old|earlier|past|historic\\p{L}*|obsolete|deprecated|superseded|void|(?:by )?mistake|accident\\p{L}*|erroneous\\p{L}*|fake|test|tbc|tba|to be confirmed|maybe|perhaps|probably|unsure|not sure|once|one time|(?:by|via|per) (?:post|phone|sms|letter)|except .*|alt|fruher|vorher|damals|ausgesetzt|vielleicht|unsicher|versehentlich|antigu\\p{L}*|quizas|tal vez|vecchi\\p{L}*|forse|peut etre|par erreur|oud|misschien|wygasl\\p{L}*|stary|moze|gammal|utgang\\p{L}*|kanske|maske|talvez)$',
);

/** True if the first or last words are a no, or a state that keeps mail away: `never subscribed, all`, `all paused`. */
export function holdsRefusal(text: string): boolean {
  const words = (text.length <= LONGEST_DENIAL && withoutCompounds(text).match(/[^\s\p{P}]+/gu)) || [];
  return words.some(
    (_, at) => at > 0 && [words.slice(0, at), words.slice(at)].some((part) => refusesMail(part.join(' '))),
  );
}

// Matches `na`: in Polish and Czech it means `by` (`na email`), in other texts it can be an empty value.
const BY = /^na$/iu;

function refusesMail(words: string): boolean {
  const key = wordLookupKey(words);
  const state = STATE_WORDS.get(key);
  return state
    ? state.state !== 'subscribed' && !state.agreesToMail
    : isStateWord(words) ||
        (!BY.test(words) && isEmptyValue(words)) ||
        OPT_OUT_WORDS.other.has(key) ||
        isBriefEnd(wordsOf(words)) ||
        readYesNo(words) === false;
}

const LONGEST_PHRASE = 80;

/**
 * The state that the words of a cell give: `Unsubscribed on 3 May`, `has opted out`, `désinscrite(s)`. Undefined if
 * they give none.
 */
export function stateInText(text: string, meaning: Meaning): StatusReading | undefined {
  const words = plainWordsOf(text);
  // Under a reason a `no` does not count as a denial: in `Hard bounce: no such user` it does not deny the bounce.
  if (text.length > LONGEST_PHRASE || (meaning !== 'reason' && stems.NEGATION_WORDS.test(words))) {
    return undefined;
  }
  const bare = withoutBlanks(words);
  const isComplaint = containsStem(stems.COMPLAINED_WORDS, words);
  if (refusesOtherChannel(text) || (isComplaint && mayBeAboutOther(text, true))) {
    return undefined;
  }
  if (isComplaint) {
    return COMPLAINED;
  }
  if (
    containsStem(stems.BOUNCED_WORDS, words) ||
    (meaning === 'bounced' && /hard|permanent|soft|transient|temporar/u.test(bare))
  ) {
    return /soft|transient|temporar/u.test(bare)
      ? NONE
      : /hard|permanent/u.test(bare)
        ? BOUNCED
        : skipReading('bounced');
  }
  if (containsStem(INVALID_ADDRESS_WORDS, words)) {
    return skipReading('invalid');
  }
  const optOut = readClearOptOut(text) ?? (asksToStop(text) ? UNSUBSCRIBED : undefined);
  return containsStem(stems.SUPPRESSED_WORDS, words) || (optOut && meaning === 'reason') ? SUPPRESSED : optOut;
}

/**
 * True for a text that begins with a refusal (`No thanks`, `former`), or in Japanese and Korean ends with one. Such a
 * text can't be the name of a list.
 */
export function beginsWithRefusal(text: string): boolean {
  return (
    text.length <= LONGEST_PHRASE &&
    /^[不无無未没沒勿](?!限|定期|明|来|料|印|二)|(?:ない|ません|不要|不可|無し|안함|않음|아님|거부|철회|불가|미동의)$|^(?:no|not|never|nein|nicht|kein\w*|non|pas|nao|nie|nee|niet|geen|nej|nei|ei|нет|не|former|formerly|ex|ehemalig\w*|ancien\w*)(?: |$)/u.test(
      plainWordsOf(text),
    )
  );
}

const UNTIL = 'until|till|unless|bis|jusqu\\w*|hasta|fino|tot|ate';
const LIMITING_WORDS = new RegExp(
  `(?:^| )(?:${UNTIL}|expired|lapsed|ended|abgelaufen|expiree?|caducad[oa]|scadut[oa]|verlopen|only|nur|seulement|uniquement|solo|solamente|alleen|tylko|somente|apenas|but|aber|pero|except|ausser|sauf|excepto|was)(?= |$)|(?:^| )(?:no|nein|non|nie|nej|nee)$`,
  'u',
);
const BEFORE_END = new RegExp(`(?:^| )(?:${UNTIL})(?= )`, 'u');
const STARTS_WITH_END = new RegExp(`^(?:${UNTIL}) (?:.* )?(?:19|20)\\d\\d(?: |$)`, 'u');
const LONGEST_LIMITED = 40;

/** True for a short yes with a limit and without a word for email: `yes (until 2023)`, `only by phone`, `yes -> no`. */
export function isLimitedYes(text: string): boolean {
  const words = plainWordsOf(text);
  return (
    text.length <= LONGEST_LIMITED &&
    (STARTS_WITH_END.test(words) ||
      isAgreement(text) ||
      YES.test(words) ||
      stems.OTHER_CHANNEL_WORDS.test(words) ||
      stems.PAPER_MAIL_WORDS.test(words)) &&
    !stems.EMAIL_CHANNEL.test(words) &&
    (LIMITING_WORDS.test(words) || /→|[-=]>/u.test(text))
  );
}

const YES = /(?:^| )(?:yes|ja|oui|si|sim|tak|1)(?= |$)/u;

/**
 * The reading `unsubscribed` for a cell with a clear opt-out word. Undefined for any other text, also for `Until
 * revoked`, which states a right.
 */
export function readClearOptOut(text: string): StatusReading | undefined {
  const words = plainWordsOf(text);
  const saysLeft =
    text.length <= LONGEST_PHRASE &&
    containsStem(stems.OPT_OUT_STEMS, words) &&
    !stems.NEGATION_WORDS.test(words) &&
    !BEFORE_END.test(words) &&
    !statesRightToLeave(words);
  return saysLeft ? UNSUBSCRIBED : undefined;
}

/** True for one or two words that name another channel than email: `Print`, `per Telefon`. */
export function namesOtherChannel(text: string): boolean {
  const words = text.length <= LONGEST_CHANNEL ? wordsOf(text) : '';
  return (
    words !== '' &&
    words.split(' ').length <= 2 &&
    (stems.NO_EMAIL_CHANNEL.test(words) ||
      stems.OTHER_CHANNEL_WORDS.test(words) ||
      stems.PAPER_MAIL_WORDS.test(words)) &&
    !stems.namesEmail(words)
  );
}

/** True for a short denial, such as `I do not agree` or `disagree`. It can't be the name of a list. */
export function isShortDenial(text: string): boolean {
  const words = text.length <= LONGEST_DENIAL ? plainWordsOf(text) : '';
  return words.split(' ').length <= MAX_WORDS_OF_DENIAL && (hasNegation(words) || DISAGREES.test(words));
}

const LONGEST_DENIAL = 60;
const MAX_WORDS_OF_DENIAL = 6;
const DISAGREES =
  /(?:^| )(?:dis(?:agree|approv|allow)\w*|un(?:checked|ticked|approved|wanted|verified)|(?:stopp|cancell?|revok|withdr|expir)\w*|nega|niega|verboten|neudelen\w*|izinsiz|rifiut\w*|sms only|(?:invoices?|service|transactional) only)(?= |$)/u;

const LONGEST_CHANNEL = 20;

/**
 * True for a text that is hardly the name of a list. It is an opt-out word with a typing error, a word for an end, a
 * brief refusal, a vague answer, or a text in a script of which svc knows few words.
 */
export function isUnlikelyListName(text: string): boolean {
  const words = text.length <= LONGEST_NAME ? wordsOf(text) : '';
  return (
    RARE_SCRIPT_LETTER.test(text) ||
    [holdsMisspelledOptOut, isEndedTag, isRefusalInWords, isVagueAnswer].some((isNoName) => isNoName(words))
  );
}

const LONGEST_NAME = 40;

/** True for a text such as `email=0|sms=1`, which names email only to refuse it. */
export function refusesEmail(text: string): boolean {
  const isEmail = (key: string) => stems.EMAIL_CHANNEL.test(wordsOf(key));
  return fieldsInsideText(text).some(([key, value]) => isEmail(key) && readYesNo(value) === false);
}
