import { plainWordsOf } from './cells/compounds.ts';
import { isDate } from './cells/days.ts';
import { contradictsItself, mayMeanOptOut, mayNameMailings } from './headers/contrary-headers.ts';
import { mayEndLater } from './headers/date-headers.ts';
import type { HeaderReading } from './headers/header-reading.ts';
import { namesIdentity } from './headers/positive-headers.ts';
import { isLimitedMail } from './sentences/limited-mail.ts';
import { wordsOf } from './words/plain-words.ts';
import { readYesNo } from './words/value-words.ts';

/**
 * The meaning of a header that is clear only together with its cells. It is used if the first cells are blank or show
 * no meaning. A later row may still say that the person left: a date under `Out` in row 200.
 */
export function meaningOfLaterValues(header: string, cells: readonly string[]): HeaderReading | undefined {
  const words = wordsOf(header);
  if (cells.length === 0 && mayNameMailings(header) && !namesIdentity(header) && !NAMES_ADDRESS.test(words)) {
    return contradictsItself(words) || mayMeanOptOut(header) ? CONTRARY_MAILING : MAILING;
  }
  if (cells.some(isNo) && deniesEnd(header)) {
    return CONTRARY_MAILING;
  }
  // `migrate/checks/consent-ends.ts` compares the last days of memberships with today. If some cells are a no, the
  // column has answers and not only days: a later yes can say that the membership has ended.
  const mayEnd = mayEndLater(header) ? cells.some(isNo) : mayMeanOptOut(header);
  return mayEnd && !cells.some(isCount) && !holdsVolumes(header, cells) ? RARE_END : undefined;
}

/** True for an archive by year: `2023` below `Archive` is a year, but not the year of an end. */
export function holdsVolumes(header: string, cells: readonly string[]): boolean {
  return cells.length > 0 && ARCHIVE.test(wordsOf(header)) && cells.every((cell) => YEAR.test(cell));
}

const ARCHIVE = /^(?:archiv(?:es?|o|io)?|archief|arkiv|archiwum|arquivo)$/u;

// True for a header such as `Not left`, which denies an end. A no under it may say that the person left.
function deniesEnd(header: string): boolean {
  const words = plainWordsOf(header);
  const affirmed = words.replace(NOT, '').trim();
  return affirmed !== words && mayMeanOptOut(affirmed);
}

// Matches a "not" beside a verb: `Not left`. A "no" beside a noun doesn't match, because it is usually about something
// else than an opt-out: `No returns`.
const NOT =
  /(?<!^do)(?:^| )(?:not|never|(?:did|has|have|is|was)nt|nicht|nie|pas|jamais|niet|nooit|inte|ikke|aldrig|nao|nunca|не)(?= |$)/u;

// True for a number of events, but not for a flag, a date or a year. Beside it a 1 is a number too, and not a yes.
function isCount(cell: string): boolean {
  return /^\W*\d+(?:[.,]\d+)?\W*$/u.test(cell) && readYesNo(cell) === undefined && !saysHappened(cell);
}

// Matches a header that may be about a second address: `Private email`. A no under it says that the person has none.
const NAMES_ADDRESS = /(?:mails?|address|adresse?)$/u;
const CONTRARY_MAILING: HeaderReading = { meaning: 'either', asksAboutUnknown: true, filledMeansHappened: false };
const MAILING: HeaderReading = { meaning: 'agreed', asksAboutUnknown: false, filledMeansHappened: false };
// Under a header about an end, such as `Left`, svc asks about a yes and a date. A no and any other text say nothing.
const RARE_END: HeaderReading = {
  meaning: 'withheld',
  asksAboutUnknown: false,
  filledMeansHappened: false,
  needsConfirmation: true,
};

/**
 * The meaning of a header about an end, above cells that say whether the end happened. Under a single word, such as
 * `Returned`, a no beside a yes clearly means that the end did not happen, so svc does not ask about the no. A header
 * of more words may mean the opposite or name mail: `Not left`, `Ban ended`, `Mail KO`.
 */
export function meaningOfEvents(header: string, cells: readonly string[]): HeaderReading {
  const words = wordsOf(header);
  const isBrief = isLimitedMail(words) || !words.replace(WORDS_BESIDE_END, '').includes(' ');
  const isClear = isBrief && !mayNameMailings(header) && !mayEndLater(header);
  return isClear && cells.some(isNo) ? { ...RARE_END, asksAboutUnknown: true } : CONTRARY_MAILING;
}

// Matches words beside a word for an end that do not change its meaning: `Is locked`, `Account locked`, `Supp flag`.
const WORDS_BESIDE_END = /^(?:(?:is|has|account|user|contact|record) )+| (?:flag|flg|kz)$/gu;

export function isYes(cell: string): boolean {
  return readYesNo(cell) === true;
}

function isNo(cell: string): boolean {
  return readYesNo(cell) === false;
}

/** True if each cell is a yes, a no, a date or a year, and at least one is not a no. */
export function holdsEvents(cells: readonly string[]): boolean {
  return cells.some(saysHappened) && cells.every((cell) => isNo(cell) || saysHappened(cell));
}

function saysHappened(cell: string): boolean {
  return isYes(cell) || isDate(cell) || YEAR.test(cell);
}

const YEAR = /^\s*(?:19|20)\d\d\s*$/;
