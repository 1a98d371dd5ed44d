import type { StatusReading } from '../../../platforms/lib/states.ts';
import { NONE, UNSUBSCRIBED } from '../../../platforms/lib/status-words.ts';
import type { CellReading } from '../headers/header-reading.ts';
import { unknownReading } from '../several-columns/combine-readings.ts';
import { FURTHER_NEGATIONS } from '../words/hedged-refusals.ts';
import { hasNegation } from '../words/phrases.ts';
import { withoutBlanks, wordsOf } from '../words/plain-words.ts';
import { AGREES_READING, STATE_WORDS, wordLookupKey } from '../words/value-words.ts';
import { compileWords } from '../words/word-patterns.ts';
import { saysYesToMail } from './sentences.ts';

// Cells that repeat their header or the verb of their header, with or without a "no".

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
    // svc asks about `no phone` under `Consent (email, phone)`, because it is no opt-out from email. `Email` under `Do
    // not email or call` can name what the person refuses, so it is not read here.
    const isSending = !isNegated && SENDS.test(verb);
    return refuses ? unknownReading(text) : isSending ? NONE : undefined;
  }
  if (!refuses) {
    return isNegated || saysYesToMail(text, column) ? AGREES_READING : NONE;
  }
  return meaning === 'either' ? { state: 'none', unknown: text, refusesMail: true } : UNSUBSCRIBED;
}

// Words for a "no" that `hasNegation` does not know.
const FURTHER_NO = compileWords(
  `^(?:${FURTHER_NEGATIONS}|nincs|fara|jamais|nunca|mai|nooit|nigdy|aldrig?|nikdy|niemals|utan|uden|uten|zonder|(?:can|wo|did)nt|cannot|sans|yok|δεν|μην?|χωρις)$`,
);
// Words that can stand in a cell that denies its header, beside the words of the header.
const SMALL_WORD =
  /^(?:do|does|be|is|are|will|to|by|via|per|in|on|for|of|the|a|any|all|more|further|please|yet|bitte|mehr|wird|soll|par|de|d|des|du|la|le|les|el|los|il|di|da|o|os|se|si|te|van|meer|att|med|na|po)$/u;
// Matches a "no" that is a part of the word: `nezasílat`, `undelivered`. What follows must begin like the header.
const NO_IN_WORD = /^(?:ne|un|non|nie|не)(?=\p{L}{4})/u;
// Matches a "no" at the start or the end of words in Chinese, Japanese and Korean: `不发送`, `配信しない`.
const NO_IN_OTHER_SCRIPTS =
  /^(?:不|无|無|未|勿|禁止?)(?=.{2})|(?:[をはが]|しては?)?(?:し?ない|しません|なし|無し|不要|不可|停止|せず|안함|하지않음|없음|금지|거부)$/u;
const STEM = 4;
// Matches a French or Italian word that is joined to its article, because its apostrophe was removed: `denvoi` for
// `d’envoi`.
const ELISION = /^[dl](?=[aeiouh])/u;

/**
 * True for a cell that denies what its header names: `Kein Versand` under `E-Mail-Versand`, `Do not deliver` under
 * `Deliver mail`, `配信しない` under `メール配信`. Besides the "no" and small words, each word must begin like a part of the
 * header.
 */
export function deniesHeader(cellWords: string, headerWords: string): boolean {
  const header = withoutBlanks(headerWords);
  const bare = withoutBlanks(cellWords);
  const affirmed = bare.replace(NO_IN_OTHER_SCRIPTS, '');
  if (affirmed !== bare) {
    return affirmed.length > 1 && header.includes(affirmed);
  }
  const words = cellWords.split(' ').filter((word) => !SMALL_WORD.test(word));
  const others = withoutNegation(words.join(' ')).filter((word) => !FURTHER_NO.test(word));
  const isInHeader = (word: string): boolean =>
    word.length < STEM
      ? ` ${headerWords} `.includes(` ${word} `)
      : header.includes(word.slice(0, STEM)) || (ELISION.test(word) && isInHeader(word.slice(1)));
  const isDeniedInWord = (word: string) =>
    NO_IN_WORD.test(word) && ` ${headerWords}`.includes(` ${word.replace(NO_IN_WORD, '').slice(0, STEM)}`);
  return others.length > 0 && (others.length < words.length ? others.every(isInHeader) : others.every(isDeniedInWord));
}
