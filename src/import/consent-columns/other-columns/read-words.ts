import { memoize } from '../../../base/lib/memoize.ts';
import type { StatusReading } from '../../../platforms/lib/states.ts';
import { NONE } from '../../../platforms/lib/status-words.ts';
import { FIVE_MARK, NON_ASCII_MARK, NON_LETTER_MARK, NON_NUMBER_MARK, SEPARATOR_MARK } from '../../csv/row-types.ts';
import { plainWordsOf } from '../cells/compounds.ts';
import { withoutTime } from '../cells/days.ts';
import { FIELDS_START, jsonOrPhpFieldsOf, stateOfValues } from '../cells/fields.ts';
import { mayBeFinalReply, readFinalReply } from '../cells/mail-results.ts';
import { refusesOtherChannel } from '../cells/other-subjects.ts';
import { readCell } from '../read-cell.ts';
import { isLeftPhrase } from '../sentences/left-phrases.ts';
import { asksForRemoval } from '../sentences/removal-requests.ts';
import { combineReadings, keepsMailAway, questionReading } from '../several-columns/combine-readings.ts';
import { DEATH_SYMBOL, mentionsEnd } from '../words/end-words.ts';
import { asksToStop, hasNegation, isUnwilling, mentionsMail } from '../words/phrases.ts';
import { inBothSpellings, withoutBlanks, wordsOf } from '../words/plain-words.ts';
import { ANSWER_WORDS, CLEAR_WORDS, wordLookupKey } from '../words/value-words.ts';
import { LIST_NAME_STARTS, namesOptOutFile } from './list-names.ts';
import {
  ABBREVIATED_NOTES,
  isFormOfOptOut,
  OPT_OUT_STARTS,
  OPT_OUT_WORDS,
  type OtherColumnKind,
} from './opt-out-words.ts';
import { isLetterByte, mayBeCrossedOut, mayHoldNote, mayHoldReply } from './quick-tests/byte-kinds.ts';
import { createWordFilter, isNumberLike } from './quick-tests/word-filter.ts';
import { stateOfPairs } from './read-fields.ts';

const LONGEST_LIST = 200;
const LONGEST_PHRASE = 40;
const LONGEST_JSON = 20_000;

/** The words that keep mail away in any column. `status` or the like may stand before them: `status: unsubscribed`. */
const OPT_OUTS = [...CLEAR_WORDS].flatMap(([word, state]) => (keepsMailAway(state) ? [word] : []));
const BEFORE_A_WORD = ['status', 'state', 'subscription'];
const wordFilter = createWordFilter(
  inBothSpellings([...OPT_OUTS, ...BEFORE_A_WORD, ...OPT_OUT_STARTS, ...LIST_NAME_STARTS]),
  ANSWER_WORDS,
);

const SHORTEST_NUMBER = 9; // Bytes of a telephone number, an identifier or a time.

/**
 * A quick test of the bytes of a cell (valid UTF-8). If it is false, the cell gives no state in a column about
 * something else, and svc does not decode it. Quotes in it may still be doubled. `marks` comes from `cellMarkBits`.
 */
export function mayHoldState(bytes: Uint8Array, start: number, end: number, marks: number): boolean {
  if ((marks & NON_NUMBER_MARK) === 0 && end - start >= SHORTEST_NUMBER) {
    return (marks & FIVE_MARK) !== 0 && mayHoldReply(bytes, start, end);
  }
  return (
    end - start > LONGEST_LIST ||
    ((marks & SEPARATOR_MARK) === 0 ? wordFilter.item(bytes, start, end) : wordFilter.bytes(bytes, start, end)) ||
    ((marks & FIVE_MARK) !== 0 && mayHoldReply(bytes, start, end))
  );
}

/** Like `mayHoldState`, for the cell of a name: any word of it can be the opt-out word, as in `Miller DECEASED`. */
export function mayHoldMark(bytes: Uint8Array, start: number, end: number, marks: number): boolean {
  return (
    mayHoldState(bytes, start, end, marks) ||
    ((marks & NON_LETTER_MARK) !== 0 && (mayHoldLaterWord(bytes, start, end) || mayBeCrossedOut(bytes, start, end))) ||
    ((marks & (SEPARATOR_MARK | NON_ASCII_MARK)) !== 0 && mayHoldNote(bytes, start, end)) ||
    ((marks & NON_ASCII_MARK) !== 0 && mayHoldCross(bytes, start, end))
  );
}

// True if the bytes have a symbol of the Unicode block Dingbats (U+2700 to U+27BF), such as ✗ or ❌. In columns of names
// it may be a mark. In other columns a cross is a plain no, so the word filter does not search for it.
function mayHoldCross(bytes: Uint8Array, start: number, end: number): boolean {
  for (let position = start; position < end - 2; position++) {
    if (bytes[position] === 0xe2 && ((bytes[position + 1] as number) & 0xfc) === 0x9c) {
      return true;
    }
  }
  return false;
}

function mayHoldLaterWord(bytes: Uint8Array, start: number, end: number): boolean {
  let letterBefore = 1;
  for (let position = start; position < end; position++) {
    const letter = LETTERS[bytes[position] as number] as number;
    if (letter > letterBefore && wordFilter.item(bytes, position, end)) {
      return true;
    }
    letterBefore = letter;
  }
  return false;
}

/** For each byte: 1 if it is a letter, or a part of a character beyond ASCII. */
const LETTERS = Uint8Array.from({ length: 256 }, (_, byte) => Number(isLetterByte(byte)));

/**
 * The state that a cell gives its row under a header that is not clearly about consent. Only a clear opt-out word
 * counts, if it is the whole cell, a whole item of a list, or a value in JSON. `mayHoldOptOut` is a quick test that
 * rules out most cells.
 */
export function optOutState(cell: string): StatusReading {
  return mayHoldOptOut(cell) ? (stateInJson(cell) ?? stateInList(cell)) : NONE;
}

/**
 * Makes a reader like `optOutState` that also reads final replies of mail servers and fields such as `optin=0`, and
 * asks about further words. Which words these are depends on the kind of the column.
 */
export function optOutReader(kind: OtherColumnKind): (cell: string) => StatusReading {
  const isOptOutItem = memoize((item: string): boolean => isOptOutWord(item, kind));
  return (cell) => {
    if (mayBeFinalReply(cell)) {
      return readFinalReply(cell);
    }
    if (isNumberLike(cell) || !mayHoldOptOut(cell)) {
      return NONE;
    }
    const inside = stateInJson(cell);
    const state = inside ?? stateInList(cell);
    const status = state === NONE ? stateOfPairs(cell) : state;
    if (status !== NONE || inside !== undefined || cell.length > LONGEST_LIST) {
      return status;
    }
    const hasMark = itemsOf(cell).some(isOptOutItem) || (kind === 'name' && hasWordBetweenMarks(cell));
    return hasMark ? questionReading(cell) : NONE;
  };
}

function mayHoldOptOut(cell: string): boolean {
  return cell.length > LONGEST_LIST ? FIELDS_START.test(cell) : wordFilter.text(cell);
}

function stateInJson(cell: string): StatusReading | undefined {
  const inside = FIELDS_START.test(cell) && cell.length <= LONGEST_JSON ? jsonState(cell) : NO_JSON;
  return inside === NO_JSON ? undefined : inside;
}

// Matches the separator between two items of a list. Stars and brackets count too: `Berg *** DO NOT EMAIL ***`.
const SEPARATOR = /[,;|()*!{}[\]]| [-–/] /;
// The result for a text in brackets that is not JSON.
const NO_JSON: StatusReading = { state: 'none' };

function itemsOf(cell: string): readonly string[] {
  return SEPARATOR.test(cell) ? [cell, ...cell.split(SEPARATOR)] : [cell];
}

function stateInList(cell: string): StatusReading {
  if (cell.length > LONGEST_LIST) {
    return NONE;
  }
  if (!SEPARATOR.test(cell)) {
    return wordState(cell);
  }
  // The whole cell counts first, because a dash can stand inside one status: `Consent - Pending`.
  const whole = cell.length <= LONGEST_PHRASE ? CLEAR_WORDS.get(wordLookupKey(cell)) : undefined;
  return whole && keepsMailAway(whole)
    ? whole
    : cell.split(SEPARATOR).reduce((state, part) => combineReadings(state, wordState(part)), NONE);
}

const wordState = memoize((text: string): StatusReading => {
  if (refusesOtherChannel(text)) {
    return NONE;
  }
  // In such phrases only the first word counts: `Unsubscribed by phone`, `Unsubscribed contacts`.
  const isPhrase = text.length <= LONGEST_PHRASE && /^\W*unsubscribed\s/i.test(text);
  const state = CLEAR_WORDS.get(isPhrase ? 'unsubscribed' : wordLookupKey(text));
  return state && keepsMailAway(state) ? state : NONE;
});

// Matches the date after a word: `verstorben am 3.4.`, `deceased in 2020`, `GESPERRT seit 05/2021`.
const DATE_AFTER_WORD =
  /[\s:,-]{1,10}(?:(?:on|in|im|am|at|le|el|il|em|op|den|since|seit|vom|per|zum|ab|dal|del|dne|od)\s{1,5})?[\d./-]{1,30}$/iu;
// Matches a telephone number or a postcode beside a word: `0731 5 verstorben`, `REMOVE +49 731 5`.
const NUMBER_BESIDE_WORD =
  /^\s{0,4}\+?[\d(](?=\D{0,4}\d\D{0,4}\d)[\d\s()/.+-]{3,30}[\s,;:–-](?=\p{L})|(?<=\p{L})[\s,;:–-]{1,4}\+?[\d(](?=\D{0,4}\d\D{0,4}\d)[\d\s()/.+-]{3,30}$/u;
// Matches `delete` and `remove` in small letters. No town or company is written like that.
const ONLY_DELETE = /^\s{0,4}(?:delete|remove)\s{0,4}$/u;
// Matches a text with a field. A field such as `unsubscribed=0` is no request to stop mail.
const HOLDS_A_FIELD = /[:=]/;

function isOptOutWord(item: string, kind: OtherColumnKind): boolean {
  if (refusesOtherChannel(item)) {
    return false;
  }
  const text = item.replace(DATE_AFTER_WORD, '').replace(NUMBER_BESIDE_WORD, '');
  const word = wordLookupKey(text);
  return (
    OPT_OUT_WORDS[kind].has(word) ||
    (kind !== 'foreign' && (isLeftPhrase(wordsOf(text)) || ONLY_DELETE.test(text))) ||
    OPT_OUT_WORDS[kind].has(withoutBlanks(withoutTime(wordsOf(item)))) ||
    DEATH_SYMBOL.test(item) ||
    (kind === 'other' && ABBREVIATION.test(item)) ||
    namesOptOutFile(item) ||
    (kind !== 'foreign' && isFormOfOptOut(word)) ||
    (!HOLDS_A_FIELD.test(item) && isOptOutRequest(text, kind))
  );
}

// Matches an abbreviation such as `gel.` for a word that means an end.
const ABBREVIATION = new RegExp(`^\\s{0,4}(?:${ABBREVIATED_NOTES.join('|')})\\.\\s{0,4}$`, 'iu');
const MAX_WORDS = 6;

// True for a request such as `please stop`. A name can be a word such as `Stop`, so in columns of the kinds `name` and
// `foreign` a single Latin word does not count.
function isOptOutRequest(text: string, kind: OtherColumnKind): boolean {
  const words = plainWordsOf(text);
  if (kind !== 'other') {
    return !/^[\p{Script=Latin}]+$/u.test(words) && asksToStop(text);
  }
  return asksToStop(text) || asksForRemoval(words) || (words.split(' ').length <= MAX_WORDS && refusesMail(words));
}

function refusesMail(words: string): boolean {
  return isUnwilling(words) || (mentionsMail(words) && (hasNegation(words) || mentionsEnd(words)));
}

// Matches a word between marks: `Berg (left)`, `*** GONE ***`. Without the marks it could be a name.
const WORD_BETWEEN_MARKS = /(?<![(*[{])[(*[{]+\s*(?=\S)([^()*[\]{}]{2,40}?)\s*[)*\]}]+/g;

function hasWordBetweenMarks(cell: string): boolean {
  return [...cell.matchAll(WORD_BETWEEN_MARKS)].some(([, word = '']) => isOptOutWord(word, 'other'));
}

const jsonState = memoize((cell: string): StatusReading => {
  const fields = jsonOrPhpFieldsOf(cell);
  if (fields === undefined) {
    return NO_JSON;
  }
  const inside = stateOfValues(
    fields,
    { meaning: 'status', asksAboutUnknown: false, filledMeansHappened: false, mayMeanSubscribed: false },
    readOther,
  );
  return keepsMailAway(inside) || inside.unknown !== undefined ? inside : NONE;
});

const readOther: typeof readCell = (cell, column) =>
  column.meaning === 'status' && !column.asksAboutUnknown ? wordState(cell) : readCell(cell, column);
