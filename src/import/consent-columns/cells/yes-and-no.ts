import type { StatusReading } from '../../../platforms/lib/states.ts';
import {
  BOUNCED,
  COMPLAINED,
  NONE,
  PENDING,
  SUBSCRIBED,
  SUPPRESSED,
  UNSUBSCRIBED,
} from '../../../platforms/lib/status-words.ts';
import type { CellReading, Meaning } from '../headers/header-reading.ts';
import { unknownReading } from '../several-columns/combine-readings.ts';
import { AGREES_READING, mayBeMark, skipReading, wordLookupKey } from '../words/value-words.ts';

/** True for a byte of a BIT column of MySQL: a control character, 1 for yes and 0 for no. */
export function isBit(text: string): boolean {
  return text === '\u0000' || text === '\u0001';
}

/** The digit of a byte for which `isBit` is true. Any other text is unchanged. */
export function bitAsDigit(text: string): string {
  return isBit(text) ? String(text.charCodeAt(0)) : text;
}

type Answer = (yes: boolean, column: CellReading, text: string) => StatusReading;

const askAboutCell: Answer = (_, __, text) => unknownReading(text);
const refuseMailAndAsk: Answer = (_, __, text) => ({ state: 'none', unknown: text, refusesMail: true });
const answerWith =
  (status: StatusReading): Answer =>
  (yes, column, text) =>
    yes ? status : mayBeMark(text, column) ? unknownReading(text) : NONE;

/** For each meaning of a column: the function that reads a plain yes or a plain no. */
export const YES_NO_READINGS: Readonly<Record<Meaning, Answer>> = {
  optedOut: (yes, column, text) =>
    !yes && column.mayMeanSubscribed && !mayBeMark(text, column)
      ? SUBSCRIBED
      : answerWith(UNSUBSCRIBED)(yes, column, text),
  agreed: (yes, column, text) =>
    yes
      ? column.mayMeanSubscribed
        ? SUBSCRIBED
        : AGREES_READING
      : column.filledMeansHappened && text === '0'
        ? NONE
        : refuseMailAndAsk(yes, column, text),
  either: askAboutCell,
  status: (yes, column, text) =>
    !column.asksAboutUnknown && (yes || !column.isConsentStatus)
      ? NONE
      : yes && !column.isDirectionUnknown && ['yes', 'true', '1'].includes(wordLookupKey(text))
        ? SUBSCRIBED
        : askAboutCell(yes, column, text),
  suppressed: answerWith(SUPPRESSED),
  bounced: answerWith(BOUNCED),
  // A person with an invalid address gets no mail, but is not suppressed, because no mail bounced. A suppression would
  // also stop password mail, and can't be undone (C6).
  invalid: answerWith(skipReading('invalid')),
  mailError: answerWith(skipReading('bounced')),
  complained: answerWith(COMPLAINED),
  confirmed: (yes, column, text) =>
    yes
      ? AGREES_READING
      : column.filledMeansHappened && text === '0'
        ? NONE
        : column.isSignUpProof
          ? refuseMailAndAsk(yes, column, text)
          : PENDING,
  unconfirmed: answerWith(PENDING),
  withheld: answerWith(skipReading('disabled')),
  bounces: askAboutCell,
  channel: refuseMailAndAsk,
  text: () => NONE,
  active: (yes, column, text) => (yes ? AGREES_READING : refuseMailAndAsk(yes, column, text)),
  reason: (yes, column, text) => (column.asksAboutUnknown ? askAboutCell(yes, column, text) : NONE),
};

const [FIRST_YEAR, END_OF_YEARS] = [1900, 2100];

/**
 * The reading of a number of events. Under `Bounces` svc asks about each number above 0, because the bounces may be
 * old. Undefined if the number is no count under this header.
 */
export function readEventCount(text: string, { meaning }: CellReading): StatusReading | undefined {
  const count = Number(text.replace(',', '.').replace('%', ''));
  // A rate counts only under the meaning `bounces`, where it is a question. It proves nothing about this person.
  if (meaning !== 'bounces' && !/^\d+$/.test(text)) {
    return undefined;
  }
  switch (meaning) {
    case 'bounces':
      return count > 0 ? unknownReading(text) : NONE;
    case 'bounced':
      return count > 1 ? skipReading('bounced') : undefined;
    case 'invalid':
      return count > 1 ? skipReading('invalid') : undefined;
    case 'complained':
      return count > 0 ? COMPLAINED : NONE;
    // Under a header such as `Deceased`, a number such as `2020` is the year of the death.
    case 'withheld':
      return count >= FIRST_YEAR && count < END_OF_YEARS ? skipReading('disabled') : undefined;
    default:
      return undefined;
  }
}

/**
 * The reading of a hard bounce under a header such as `Email bounces`: `hard`, `permanent failure`. Undefined for other
 * texts, such as numbers.
 */
export function readHardBounce(text: string): StatusReading | undefined {
  return /^(?:hard|permanent)(?:bounces?|failures?|errors?)?$/.test(wordLookupKey(text)) ? BOUNCED : undefined;
}

/** Matches `None`, `Nil` and an empty list. In a column of preferences they are answers, not blanks. */
export const NO_LIST = /^(?:none|nil|\[\]|\{\})$/iu;
// Matches a header about how a person agreed: `Opt-in method`. Below it, `None` is an answer. Below `Consent date`, it
// is a blank.
const WAY_OF_AGREEING =
  /(?:^| )(?:method|source|origin|methode|methodik|quelle|herkunft|metodo|fuente|origen|fonte|bron)$/u;
const MEANINGS_OF_WISHES: ReadonlySet<Meaning> = new Set(['agreed', 'channel']);
const ASKS_ABOUT_BLANKS: ReadonlySet<Meaning> = new Set(['agreed', 'status', 'confirmed', 'either']);

/** The reading of a cell without content: blank, a dash, `NULL`. */
export function readEmptyCell(
  text: string,
  { meaning, asksAboutUnknown, filledMeansHappened, isDirectionUnknown, headerWords = '' }: CellReading,
): StatusReading {
  const isAnswer = !filledMeansHappened || WAY_OF_AGREEING.test(headerWords);
  const mayBeWish = MEANINGS_OF_WISHES.has(meaning) || (meaning === 'either' && isDirectionUnknown === true);
  if (NO_LIST.test(text) && mayBeWish && isAnswer) {
    return { state: 'none', unknown: text, refusesMail: true };
  }
  return ASKS_ABOUT_BLANKS.has(meaning) && asksAboutUnknown && !filledMeansHappened
    ? { state: 'none', unknown: '' }
    : NONE;
}
