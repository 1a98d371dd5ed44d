import type { StatusReading } from '../../../platforms/lib/states.ts';
import { NONE, UNSUBSCRIBED } from '../../../platforms/lib/status-words.ts';
import type { CellReading } from '../headers/header-reading.ts';
import { unknownReading } from '../several-columns/combine-readings.ts';
import { hasNegation } from '../words/phrases.ts';
import { wordsOf } from '../words/plain-words.ts';
import { AGREES_READING, STATE_WORDS, wordLookupKey } from '../words/value-words.ts';
import { saysYesToMail } from './sentences.ts';

// Cells that repeat their header, or the verb of their header.

/**
 * True for a cell that means yes without a word for yes, under a header about a record out of use. Microsoft Access
 * writes -1 for true. Forms repeat the header for a ticked box: `inactive` under `Inactive`. Words such as `deleted`
 * don't count, because they give a reason of their own.
 */
export function isTicked(text: string, { meaning, headerWords }: CellReading): boolean {
  if (meaning !== 'withheld') {
    return false;
  }
  const isHeader = wordsOf(text).replace(/^(?:x|is) /, '') === headerWords;
  const hasReason = STATE_WORDS.get(wordLookupKey(text))?.why !== undefined;
  return text === '-1' || (isHeader && !hasReason);
}

/**
 * True for a cell that repeats the verb of its header. Programs write such answers in many languages: `Do Not Allow` or
 * `Allow` under `Do not allow emails`, `Niet toestaan` under `E-mail niet toestaan`.
 */
export function repeatsHeader(text: string, headerWords: string): boolean {
  const verb = withoutNegation(wordsOf(text));
  const wordsOfHeader = withoutNegation(headerWords);
  return verb.some(isVerb) && verb.length < wordsOfHeader.length && verb.every((word) => wordsOfHeader.includes(word));
}

// False for a short word, which may be one of the answers that a header lists: `Newsletter OK/KO`.
function isVerb(word: string): boolean {
  return word.length >= SHORTEST_VERB;
}

const SHORTEST_VERB = 4;

function withoutNegation(words: string): readonly string[] {
  return words.split(' ').filter((word) => word !== '' && !hasNegation(word));
}

// Matches the verb of an answer by Microsoft Dynamics in several languages, without its "not": `allow`, `zulassen`.
const ALLOWS =
  /^(?:do |ne )?(?:allow|zulassen|toestaan|autoriser|permitir|consenti|zezwalaj|tillad|tillat|salli|izin ver)$/u;
// Matches the verb of a cell under a header without a "not": `Marketingmaterial senden`.
const SENDS = /^send(?:en)?$/u;

/**
 * The reading of a cell that repeats the verb of its header. The cell alone says what it means: `Do Not Allow` under
 * `Do not allow emails` is an opt-out, and not the denial of an opt-out. Undefined for any other cell.
 */
export function readRepeatedHeader(text: string, column: CellReading): StatusReading | undefined {
  const { meaning, headerWords = '', filledMeansHappened } = column;
  const refuses = hasNegation(wordsOf(text));
  const isNegated = hasNegation(headerWords);
  // Without a "not" in the header, a repeated word can be the name of a list: `Newsletter` under `Unsubscribed from
  // newsletter`.
  const isAllowing = meaning === 'agreed' || (isNegated && (meaning === 'optedOut' || meaning === 'either'));
  if (!isAllowing || filledMeansHappened || !repeatsHeader(text, headerWords)) {
    return undefined;
  }
  const verb = withoutNegation(wordsOf(text)).join(' ');
  if (!ALLOWS.test(verb)) {
    // svc asks about `Email` under `Do not email or call`, which can name what the person refuses, and about `no phone`
    // under `Consent (email, phone)`, which is no opt-out from email.
    const isSending = !isNegated && SENDS.test(verb);
    return refuses ? unknownReading(text) : isSending ? NONE : undefined;
  }
  if (!refuses) {
    return isNegated || saysYesToMail(text, column) ? AGREES_READING : NONE;
  }
  return meaning === 'either' ? { state: 'none', unknown: text, refusesMail: true } : UNSUBSCRIBED;
}
