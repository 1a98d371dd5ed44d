import { mayMeanOptOut } from './headers/contrary-headers.ts';
import type { HeaderReading } from './headers/header-reading.ts';
import { LINK_WORDS, NEGATION_WORDS, OTHER_CHANNEL_WORDS, PAPER_MAIL_WORDS } from './headers/header-words.ts';
import { readHeader } from './headers/read-header.ts';
import { isAnswer, meaningOfValues } from './meaning-of-values.ts';
import { holdsChannels } from './sentences/preferred-channel.ts';
import { wordsOf } from './words/plain-words.ts';
import { isPlainYesNo, readYesNo } from './words/value-words.ts';

// Headers about consent or an opt-out that also name a link, a channel or a reason. Their cells decide if they count.

/**
 * The meaning of a header about an opt-out that also names a link, or how or why the person left: `Unsubscribed
 * (clicked link)`, `Unsubscribed by phone`, `Cancellation reason`. The person may have left, so svc asks. Undefined for
 * a link without any answer below it, such as `Unsubscribe link`.
 */
export function doubtfulOptOut(header: string, cells: readonly string[]): HeaderReading | undefined {
  const words = wordsOf(header);
  const withoutReason = words.replace(REASON_TO_LEAVE, ' ').trim();
  if (withoutReason !== words && (mayMeanOptOut(withoutReason) || LEAVES.test(withoutReason)) && !DEAL.test(words)) {
    return { meaning: 'optedOut', asksAboutUnknown: true, filledMeansHappened: true, needsConfirmation: true };
  }
  const withoutWay = words.replace(WAY_OF_OPTING_OUT, ' ').trim();
  const namesWay = withoutWay !== words && !REFUSES_CHANNEL.test(words);
  const otherWords = namesWay ? withoutWay : words.replace(LINKS, ' ').trim();
  // A header that says how people left (`Unsubscribed by phone`) always counts. Each person can have a link. So a
  // header with a link counts only if a cell is an answer, or if svc knows no cells.
  const mayAsk = namesWay || cells.length === 0 || cells.some(isAnswer);
  const read = otherWords === words || !mayAsk ? undefined : readHeader(otherWords);
  return read?.meaning === 'optedOut' ? { ...read, needsConfirmation: true } : undefined;
}

/**
 * The meaning of `Info` above plain answers, of which one is a no: it asks who wants information. Undefined above other
 * cells, which are notes.
 */
export function wishForInfo(header: string, cells: readonly string[]): HeaderReading | undefined {
  const isAsked = INFO.test(wordsOf(header)) && cells.every(isPlainYesNo) && cells.some((cell) => !readYesNo(cell));
  return isAsked
    ? { meaning: 'agreed', asksAboutUnknown: false, filledMeansHappened: false, needsConfirmation: true }
    : undefined;
}

/** The meaning of a header such as `May we contact you by`, above names of channels. Undefined above other cells. */
export function askedChannel(header: string, cells: readonly string[]): HeaderReading | undefined {
  return ASKS_HOW.test(wordsOf(header)) && holdsChannels(header, cells)
    ? { meaning: 'channel', asksAboutUnknown: false, filledMeansHappened: false }
    : undefined;
}

const ASKS_HOW =
  /^(?:please )?(?:how |when )?(?:may|can|shall|should|could) (?:we|i) |^(?:wie )?(?:durfen|darf) |^(?:comment )?pouvons nous |^(?:como )?podemos |^mogen we /u;

const INFO =
  /^(?:infos?|informations?|informazion[ei]|informacion(?:es)?|informatie|informationen|informationer|informacje|informace|informac(?:ao|oes)|informasjon|tiedot?|информация|情報|信息|정보)$/u;

/**
 * The meaning of a header about consent that also names a link or a page: `Newsletter via link`, `Consent page`. The
 * header counts only if each cell below it is a yes or a no, and at least one is a plain yes or no. A no is a question,
 * because it may be about the link.
 */
export function linkedConsent(header: string, cells: readonly string[]): HeaderReading | undefined {
  const words = wordsOf(header);
  const otherWords = words
    .replace(LINKS, ' ')
    .trim()
    .replace(/ (?:via|by|per|par|over|on|through|with)$/u, '');
  if (
    otherWords === words ||
    otherWords === '' ||
    !cells.some(isPlainYesNo) ||
    !cells.every((cell) => readYesNo(cell) !== undefined)
  ) {
    return undefined;
  }
  const read = readHeader(otherWords) ?? meaningOfValues(otherWords, cells);
  return read?.meaning === 'agreed' ? { ...read, needsConfirmation: true } : undefined;
}

const LINKS = new RegExp(LINK_WORDS, 'gu');
// Matches how a person left: `by phone`, `over the phone`, `per Telefon`, `telefonisch`.
const WAY_OF_OPTING_OUT = new RegExp(
  `(?:^| )(?:(?:by|via|per|with|over|on|after|am|par|por|door|przez|pr|durch) (?:the )?(?:${OTHER_CHANNEL_WORDS.source}|${PAPER_MAIL_WORDS.source})|(?:fern)?telefonisch|brieflich)(?= |$)`,
  'u',
);
// Matches `reason` in several languages, also at the end of a compound: `Austrittsgrund`, `Motif de départ`.
const REASON_TO_LEAVE =
  /(?:^| )(?:reasons?|motif|raison|motivo|causa|causale|razon|reden|syy|powod|pricina|duvod|neden|причина)(?: (?:for|of|de|d|du|des|di|del|della|do|da|van|till|til|la|el|il))?(?= |$)|grund(?: (?:fur|der|des|zur|zum))?(?= |$)|(?:orsak|arsag|arsak|nedeni)(?: (?:till|til))?(?= |$)|理由|原因|사유/gu;
// Matches words for an end that count only beside a word such as `reason`, because they occur in many other headers.
const LEAVES = /^(?:deactivat|suspen|lapse|exit|eroamis)/u;
// Matches a lost sale: `Closed lost reason`, `Lost reason`.
const DEAL = /(?:^| )(?:(?:closed? )?lost|deal|sale|opportunity|order|return)(?= |$)/u;
// Matches a refusal of the channel itself: `Do not contact by phone`, `Opt-out by SMS`.
const REFUSES_CHANNEL = new RegExp(`${NEGATION_WORDS.source}|^opt out `, 'u');
