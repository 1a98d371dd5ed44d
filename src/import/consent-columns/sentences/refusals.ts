import { isEmptyValue } from '../../../platforms/lib/blank-cells.ts';
import type { StatusReading } from '../../../platforms/lib/states.ts';
import { NONE } from '../../../platforms/lib/status-words.ts';
import { deniesHeader } from '../cells/repeated-headers.ts';
import { contradictsItself } from '../headers/contrary-headers.ts';
import { optOutReader } from '../other-columns/read-words.ts';
import { asQuestion, questionReading } from '../several-columns/combine-readings.ts';
import { endsSubscription, isBriefEndText, isEndedTag, isRefusalInWords, saysLeaving } from '../words/end-words.ts';
import { isVagueAnswer } from '../words/hedged-refusals.ts';
import { isUnwilling, refusesMessages } from '../words/phrases.ts';
import { wordsOf } from '../words/plain-words.ts';
import { INACTIVE_WORDS, isPlainYesNo, readYesNo, wordLookupKey } from '../words/value-words.ts';
import { wordStartPattern } from '../words/word-patterns.ts';
import { namesCallResult } from './contact-headers.ts';
import { ONLY_ANSWER, type Request, requestIn } from './header-requests.ts';
import { isLimitedMail, NOTHING } from './limited-mail.ts';
import { asksForRemoval, namesRemoval, namesRightOfRemoval } from './removal-requests.ts';

// Refusals that only their header explains: `Kein Versand` under `E-Mail-Versand`, `rather not` under `Answer`.

/** What svc knows about a column, besides its header, before it asks about refusals below it. */
interface Surroundings {
  /** The headers of the table. */
  readonly beside: readonly string[];
  /** The filled cells of the column in the first rows. */
  readonly cells: readonly string[];
}

/**
 * Makes `stateOf` also ask about a refusal that only the header explains. Undefined under a header that asks for
 * nothing.
 */
export function askAboutRefusals(
  header: string,
  stateOf: (cell: string) => StatusReading,
  { beside, cells }: Surroundings,
): ((cell: string) => StatusReading) | undefined {
  const request = requestIn(header, beside);
  if (request === undefined) {
    return undefined;
  }
  const headerWords = wordsOf(header);
  const refuses = TESTS_OF_REFUSALS[request];
  const isAskedForContact = REQUESTS_OF_CONTACT.has(request) && cells.every(isPlainYesNo);
  const isShortNo = isAskedForContact ? shortNoUnder(headerWords) : never;
  const answersEvent = request === 'answer' && isAnswerToEvent(beside, cells) ? isPlainNo : never;
  // Beside names, `keine` under `Kontakt` says that there is no contact person.
  const deniesContactPerson =
    request === 'contact' && cells.some(isLikeName) ? (cell: string) => NOTHING.test(wordsOf(cell)) : never;
  return (cell) => {
    const status = stateOf(cell);
    const isRefusal = () =>
      ASKED_ANYWHERE.some((refuses) => refuses(wordsOf(cell))) ||
      isShortNo(cell) ||
      (refuses(cell, headerWords) && !answersEvent(cell) && !deniesContactPerson(cell));
    return status === NONE && cell.length <= LONGEST_REFUSAL && isRefusal() ? questionReading(cell) : status;
  };
}

// The tests of refusals and requests that count under each header that asks for something.
const ASKED_ANYWHERE = [isRefusalInWords, asksForRemoval, namesRemoval];
const REQUESTS_OF_CONTACT: ReadonlySet<Request> = new Set(['contact', 'followUp']);
const never = () => false;

// True for two words in capital and small letters, as in the name of a person.
function isLikeName(cell: string): boolean {
  return /^\s*\p{Lu}\p{Ll}+[\s,]+\p{Lu}\p{Ll}+/u.test(cell);
}

// Matches an ending of a plural. Below `Invitations` a number says how many there were.
const PLURAL = /(?:s|gen|ti|nar|er|ki|ia|ty)$/u;

// Makes the test of a plain no, such as `n` or `0`. Below a plural, a digit is a number and not an answer. The test is
// for columns that have only yes and no.
function shortNoUnder(headerWords: string): (cell: string) => boolean {
  return PLURAL.test(headerWords) ? (cell) => isPlainNo(cell) && !/\d/u.test(cell) : isPlainNo;
}

// Matches headers of an event and its guests.
const EVENT = wordStartPattern(
  'event rsvp guests?(?=_|$) plus_one attend ticket party_size headcount veranstaltung gaste begleit anzahl_personen evenement invites?(?=_|$) evento ospiti invitati acompan evenemang gaster gjester arrangement wydarzen goscie aantal_personen',
);
// Matches an unsure answer to an invitation: `maybe`, `not sure yet`.
const PERHAPS_COMES =
  /^(?:maybe|tentative|not sure(?: yet)?|vielleicht|unsicher|peut etre|quizas?|tal vez|forse|talvez|misschien|kanske|maske|kanskje|moze)$/u;

// True if some answers are like `Maybe` and the table has a column about an event. The answers then say who comes.
function isAnswerToEvent(beside: readonly string[], cells: readonly string[]): boolean {
  return (
    beside.some((header) => EVENT.test(wordsOf(header))) && cells.some((cell) => PERHAPS_COMES.test(wordsOf(cell)))
  );
}

function isPlainNo(cell: string): boolean {
  return isPlainYesNo(cell) && readYesNo(cell) === false;
}

type Test = (cell: string, headerWords: string) => boolean;

const refusesSending: Test = (cell, headerWords) =>
  refusesMessages(wordsOf(cell)) ||
  isLimitedMail(wordsOf(cell), headerWords) ||
  (deniesHeader(wordsOf(cell), headerWords) && !NAMES_POSTCODE.test(wordsOf(cell)));
// Matches a postcode and the like. `no postcode` begins like the header `Post`, but refuses nothing.
const NAMES_POSTCODE =
  /(?:^| )(?:post ?codes?|postal codes?|postage|post ?office|post ?box|postleitzahl|postfach|postbus|postnummer|postadresse|postanschrift)(?= |$)/u;
const endsReceipt: Test = (cell) =>
  [isEndedTag, saysLeaving].some((ends) => ends(wordsOf(cell))) || isBriefEndText(cell) || endsSubscription(cell);

const refusesContact: Test = (cell, headerWords) =>
  refusesSending(cell, headerWords) ||
  isNoOfWords(cell) ||
  [isEndedTag, isUnwilling, saysLeaving].some((refuses) => refuses(wordsOf(cell))) ||
  refusesInOneWord(cell) ||
  isBriefEndText(cell);

/** For each request: the test of a cell that refuses it. `ASKED_ANYWHERE` has the tests for all requests. */
const TESTS_OF_REFUSALS: Readonly<Record<Request, Test>> = {
  mail: (cell, headerWords) =>
    [refusesSending, endsReceipt].some((refuses) => refuses(cell, headerWords)) ||
    [isContraryWord, isVagueAnswer].some((refuses) => refuses(wordsOf(cell))),
  sending: refusesSending,
  answer: (cell, headerWords) =>
    isLimitedMail(wordsOf(cell), headerWords) ||
    (ONLY_ANSWER.test(headerWords) && (isNoInWords(cell) || refusesInOneWord(cell) || isEndedTag(wordsOf(cell)))),
  request: (cell) => namesRightOfRemoval(wordsOf(cell)),
  // `Lapsed` and `Expired` say nothing: the membership may only be unpaid.
  membership: (cell) => isBriefEndText(cell) || saysLeaving(wordsOf(cell)) || INACTIVE_WORDS.has(wordLookupKey(cell)),
  contact: (cell, headerWords) => refusesContact(cell, headerWords) || NOTHING.test(wordsOf(cell)),
  followUp: refusesContact,
  subscription: (cell, headerWords) => endsReceipt(cell, headerWords) || deniesHeader(wordsOf(cell), headerWords),
};

// Matches an answer that refuses. Words such as `missing` don't match: they say that there is no answer.
const REFUSED =
  /^(?:refus|declin|reject|absage|abgesagt|abgelehnt|negativ|negatief|negatywn|negatif|rechaz|rifiut|recus|afgewezen|geweigerd|odmow|avboj|avslag|afslag|avvist|nekad|kielt|отказ|拒否|辞退|拒绝|拒絕|거절)\p{L}*$/u;

/** True for an answer that refuses in one word: `refused`, `abgelehnt`. */
export function refusesInOneWord(cell: string): boolean {
  return REFUSED.test(wordsOf(cell));
}

// True for a plain no of at least two letters. A single letter can be the code of an answer.
function isNoInWords(cell: string): boolean {
  return isPlainNo(cell) && /\p{L}{2}/u.test(cell);
}

// True for a no that is not just one Latin letter. It may also be a word such as `never` or `不可`.
function isNoOfWords(cell: string): boolean {
  const isNo = (readYesNo(cell) === false && !NOTHING.test(wordsOf(cell))) || NO_IN_OTHER_SCRIPTS.test(wordsOf(cell));
  return isNo && (/\p{L}{2}/u.test(cell) || /^[否無无不]$/u.test(cell.trim()));
}

const NO_IN_OTHER_SCRIPTS = /^(?:しない|しません|出さない|送らない|ng|止め|中止|안함)$/u;

const LONGEST_REFUSAL = 60;

// True for a single word that is contrary to mail: `withhold`. A plain no can be about anything, or stand for Norway.
function isContraryWord(words: string): boolean {
  return !words.includes(' ') && contradictsItself(words) && readYesNo(words) === undefined && !isEmptyValue(words);
}

const readResult = optOutReader('foreign');

// Reads the status of a call: `not interested`. The refusal may be about calls only, so svc asks.
function readCallStatus(cell: string): StatusReading {
  return asQuestion(readResult(cell), cell);
}

// Like `readCallStatus`, but also asks about `declined`. As a status it may mean that the person did not answer.
function readCallResult(cell: string): StatusReading {
  const status = readCallStatus(cell);
  return status === NONE && refusesInOneWord(cell) ? questionReading(cell) : status;
}

/** The reader of the results of calls. Undefined under any other header. */
export function callReaderUnder(headerWords: string): ((cell: string) => StatusReading) | undefined {
  const ofResults = /status/u.test(headerWords) ? readCallStatus : readCallResult;
  return namesCallResult(headerWords) ? ofResults : undefined;
}
