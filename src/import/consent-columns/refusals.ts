import type { StatusReading } from '../../platforms/lib/states.ts';
import { NONE } from '../../platforms/lib/status-words.ts';
import { deniesHeader } from './cells/repeated-headers.ts';
import { ONLY_ANSWER, type Request, requestIn } from './header-requests.ts';
import { contradictsItself } from './headers/contrary-headers.ts';
import { questionReading } from './several-columns/combine-readings.ts';
import { endsSubscription, isBriefEndText, isEndedTag, isRefusalInWords, saysLeaving } from './words/end-words.ts';
import { isVagueAnswer } from './words/hedged-refusals.ts';
import { refusesMessages } from './words/phrases.ts';
import { wordsOf } from './words/plain-words.ts';
import { INACTIVE_WORDS, isEmptyValue, isPlainYesNo, readYesNo, wordLookupKey } from './words/value-words.ts';

// Refusals that only their header explains: `Kein Versand` under `E-Mail-Versand`, `rather not` under `Answer`.

/**
 * Makes `stateOf` also ask about a refusal that only the header explains. `beside` has the other headers of the table.
 * Undefined under a header that asks for nothing.
 */
export function askAboutRefusals(
  header: string,
  stateOf: (cell: string) => StatusReading,
  beside: readonly string[] = [],
): ((cell: string) => StatusReading) | undefined {
  const request = requestIn(header, beside);
  if (request === undefined) {
    return undefined;
  }
  const refuses = TESTS_OF_REFUSALS[request];
  const headerWords = wordsOf(header);
  return (cell) => {
    const status = stateOf(cell);
    const isRefusal = () => isRefusalInWords(wordsOf(cell)) || refuses(cell, headerWords);
    return status === NONE && cell.length <= LONGEST_REFUSAL && isRefusal() ? questionReading(cell) : status;
  };
}

type Test = (cell: string, headerWords: string) => boolean;

const refusesSending: Test = (cell, headerWords) =>
  refusesMessages(wordsOf(cell)) || deniesHeader(wordsOf(cell), headerWords);
const endsReceipt: Test = (cell) =>
  [isEndedTag, saysLeaving].some((ends) => ends(wordsOf(cell))) || isBriefEndText(cell) || endsSubscription(cell);

/** For each request: true for a cell that refuses it, besides a refusal of a few words. */
const TESTS_OF_REFUSALS: Readonly<Record<Request, Test>> = {
  mail: (cell, headerWords) =>
    [refusesSending, endsReceipt].some((refuses) => refuses(cell, headerWords)) ||
    [isContraryWord, isVagueAnswer].some((refuses) => refuses(wordsOf(cell))),
  sending: refusesSending,
  answer: (cell, headerWords) =>
    ONLY_ANSWER.test(headerWords) && (isNoInWords(cell) || REFUSED.test(wordsOf(cell)) || isEndedTag(wordsOf(cell))),
  // `Lapsed` and `Expired` say nothing: the membership may only be unpaid.
  membership: (cell) => isBriefEndText(cell) || saysLeaving(wordsOf(cell)) || INACTIVE_WORDS.has(wordLookupKey(cell)),
  subscription: (cell, headerWords) => endsReceipt(cell, headerWords) || deniesHeader(wordsOf(cell), headerWords),
};

// Matches an answer that refuses. Words such as `missing` are none: then there is no answer.
const REFUSED =
  /^(?:refus|declin|reject|absage|abgesagt|abgelehnt|negativ|negatief|negatywn|negatif|rechaz|rifiut|recus|afgewezen|geweigerd|odmow|avboj|avslag|afslag|avvist|nekad|kielt|отказ|拒否|辞退|拒绝|拒絕|거절)\p{L}*$/u;

// True for a plain no of at least two letters. A single letter can be the code of an answer.
function isNoInWords(cell: string): boolean {
  return isPlainYesNo(cell) && readYesNo(cell) === false && /\p{L}{2}/u.test(cell);
}

const LONGEST_REFUSAL = 60;

// True for a single word that is contrary to mail: `withhold`. A plain no can be about anything, or stand for Norway.
function isContraryWord(words: string): boolean {
  return !words.includes(' ') && contradictsItself(words) && readYesNo(words) === undefined && !isEmptyValue(words);
}
