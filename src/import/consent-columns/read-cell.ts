import { isEmptyValue, isMissingTime } from '../../platforms/lib/blank-cells.ts';
import type { StatusReading } from '../../platforms/lib/states.ts';
import { NONE, SUPPRESSED, UNSUBSCRIBED } from '../../platforms/lib/status-words.ts';
import { mayEndTick } from './ambiguous-symbols.ts';
import { isDate, isDayInDigits, readDateCell } from './cells/days.ts';
import { holdsValues, jsonOrPhpFieldsOf, namesChannels, stateOfValues } from './cells/fields.ts';
import { mayBeFinalReply, readMailError } from './cells/mail-results.ts';
import { mayBeOrderState } from './cells/other-subjects.ts';
import { readFreeText } from './cells/read-text.ts';
import { isTicked, readRepeatedHeader } from './cells/repeated-headers.ts';
import { readEmptyCell, readEventCount, YES_NO_READINGS } from './cells/yes-and-no.ts';
import { type CellReading, MEANINGS_THAT_SIGN_UP, type Meaning } from './headers/header-reading.ts';
import { readPreferredChannel } from './sentences/preferred-channel.ts';
import { combineWords, questionReading, unknownReading } from './several-columns/combine-readings.ts';
import { withoutMarkup } from './words/plain-words.ts';
import {
  CLEAR_WORDS,
  isBusinessWord,
  isGenericYes,
  isPlainYesNo,
  readYesNo,
  STATE_WORDS,
  wordLookupKey,
} from './words/value-words.ts';

const NUMBER = /^\d{1,4}(?:[.,]\d{1,4})?(?: ?%)?$/;
const LONGEST_LIST = 400;

/**
 * The state that a cell gives its row. If svc must ask what the cell means, the field `unknown` of the result has the
 * text of the cell. For a blank cell that is the empty text.
 */
export function readCell(cell: string, column: CellReading): StatusReading {
  const text = withoutMarkup(cell)
    .replace(/\p{Cf}+/gu, '')
    .trim();
  if (text === '' && PICTURE.test(cell) && !column.filledMeansHappened && MEANINGS_WITH_PICTURES.has(column.meaning)) {
    return unknownReading(cell.trim());
  }
  if (column.meaning === 'mailError' || mayBeFinalReply(text)) {
    return readMailError(text, column);
  }
  if (mayEndTick(text, column)) {
    return questionReading(text);
  }
  if (column.holdsBoxes && OPEN_BOX.test(text)) {
    const reading = readCell('☐', column);
    return reading.unknown === undefined ? reading : unknownReading(text);
  }
  if (column.endsConsent && (isEmptyValue(text) || isMissingTime(text) || isDate(text))) {
    return NONE;
  }
  if (isEmptyValue(text) && !(column.minusMeansNo && MINUS_SIGN.test(text))) {
    return readEmptyCell(text, column);
  }
  if (column.filledMeansHappened && isMissingTime(text) && (column.holdsDates || !PLAIN_MINUS_ONE.test(text))) {
    return readEmptyCell(text, column);
  }
  const fields = column.meaning === 'channel' ? undefined : jsonOrPhpFieldsOf(text);
  if (fields) {
    const state = stateOfValues(fields, column, readCell);
    // The key of `{"reason":"too many"}` says nothing. But under `Opted out` a cell with a value is not blank.
    if (state === NONE && MEANINGS_OF_ENDED_MAIL.has(column.meaning) && holdsValues(fields)) {
      return readFreeText(text, column);
    }
    // `{"sms":true}` and `{"email":null}` do not say whether the person wants email, so svc asks.
    const isOpen =
      state === NONE && column.meaning === 'agreed' && !column.filledMeansHappened && namesChannels(fields);
    return isOpen ? unknownReading(text) : state;
  }
  return readWord(text, column) ?? readList(text, column) ?? readFreeText(text, column);
}

// Matches a box without a tick, as text: `[ ]`.
const OPEN_BOX = /^(?:\[\s*(?:_\s*)?\]|\(\s*(?:_\s*)?\)|_+)$/u;
// Matches a picture in HTML, which can be an answer: `<img src="cross.png">`, `<i class="fa fa-times"></i>`.
const PICTURE = /<(?:img|svg|use|input|i|span)\s[^<>]*\w=/iu;
const MEANINGS_WITH_UNCLEAR_CROSS: ReadonlySet<Meaning> = new Set([
  'optedOut',
  'agreed',
  'active',
  'confirmed',
  'status',
]);
const MEANINGS_WITH_PICTURES: ReadonlySet<Meaning> = new Set([...MEANINGS_WITH_UNCLEAR_CROSS, 'either']);
// Microsoft Access writes -1 for true.
const PLAIN_MINUS_ONE = /^-1(?:\.0+)?$/;
const MINUS_SIGN = /^[-\u2212\u2013]$/u;

/** Reads a cell with one word, symbol or date that svc knows. Undefined for any other cell. */
function readWord(text: string, column: CellReading): StatusReading | undefined {
  if (isDayInDigits(text) && column.meaning !== 'channel') {
    return readDateCell(text, column);
  }
  const ofColumn =
    column.words?.get(wordLookupKey(text)) ?? (NUMBER.test(text) ? readEventCount(text, column) : undefined);
  if (ofColumn) {
    return ofColumn;
  }
  if (column.meaning === 'channel') {
    return readPreferredChannel(text, column);
  }
  const isYes = isTicked(text, column) ? true : readYesNo(text);
  return (
    readAmbiguousSymbol(text, column) ??
    readPlainAnswer(text, isYes, column) ??
    readStateWord(text, column) ??
    readRepeatedHeader(text, column) ??
    readOtherAnswer(text, isYes, column) ??
    (isDate(text) ? readDateCell(text, column) : undefined)
  );
}

/** Asks about a symbol that means yes in some lists and no in others. Undefined for any other cell. */
function readAmbiguousSymbol(text: string, column: CellReading): StatusReading | undefined {
  // `O` means yes in French (oui), out beside `I` for in, and perhaps out under a header such as `Opt`. A cross means
  // yes in Europe and no in Japan and Korea, where a circle beside a cross means yes.
  const isAmbiguousO = /^o$/i.test(text) && (column.oMeansOut || column.headerKey?.includes('opt'));
  const isCross = text === '×' || (column.xMayMeanNo && wordLookupKey(text) === 'x');
  const mayMeanNo = isCross || (column.circleMayMeanNo && /^[○◯〇]$/u.test(text));
  const isAsked = isAmbiguousO || (mayMeanNo && MEANINGS_WITH_UNCLEAR_CROSS.has(column.meaning));
  return isAsked ? unknownReading(text) : undefined;
}

function readPlainAnswer(text: string, isYes: boolean | undefined, column: CellReading): StatusReading | undefined {
  return isYes !== undefined && (isPlainYesNo(text) || text === '-1' || isTicked(text, column))
    ? YES_NO_READINGS[column.meaning](isYes, column, text)
    : undefined;
}

function readStateWord(text: string, column: CellReading): StatusReading | undefined {
  const { meaning } = column;
  if (column.isStatusOfOtherThing && isBusinessWord(text)) {
    return NONE;
  }
  // Under a header such as `Order status`, `cancelled` describes an order, so only clear opt-out words count.
  const clearOnly = meaning === 'status' && !column.asksAboutUnknown;
  const state =
    meaning === 'reason' ? reasonWord(text) : stateWord(text, { clearOnly, clearFirst: meaning === 'invalid' });
  const isAsked = state && (isAmbiguous(state, text, column) || (column.holdsOrders && mayBeOrderState(text, state)));
  return isAsked ? unknownReading(text) : state;
}

/** Reads a word that means yes or no but is no plain yes or no: `granted`, `denied`. Undefined for any other word. */
function readOtherAnswer(text: string, isYes: boolean | undefined, column: CellReading): StatusReading | undefined {
  if (isYes === undefined) {
    return undefined;
  }
  const { meaning } = column;
  if (meaning === 'optedOut') {
    // `Allow` under `Do not allow emails` is unclear. `never` under an opt-out date is clear: there was no opt-out.
    return column.filledMeansHappened && wordLookupKey(text) === 'never' ? NONE : unknownReading(text);
  }
  // A no counts also in a column that is kept as proof of a sign-up: `Denied` under `Email permission status`.
  const shouldAsk = column.isConsentStatus && (column.asksAboutUnknown || !isYes) && !column.isDirectionUnknown;
  return meaning !== 'status' || shouldAsk
    ? YES_NO_READINGS[shouldAsk ? 'agreed' : meaning](isYes, column, text)
    : undefined;
}

// True for a word such as `active` under a header that does not show whether it means mail: `Freeze status`. Under
// `Unsubscribed` even `subscriber` may be about the opt-out, so there only words of `CLEAR_WORDS` are clear.
function isAmbiguous({ state, agreesToMail }: StatusReading, text: string, column: CellReading): boolean {
  const { meaning, filledMeansHappened, isDirectionUnknown, isPreviousStatus } = column;
  const agrees = agreesToMail === true && !filledMeansHappened;
  if (MEANINGS_OF_CLEAR_OPT_OUTS.has(meaning)) {
    return (state === 'subscribed' || agrees) && !CLEAR_WORDS.has(wordLookupKey(text));
  }
  if (isPreviousStatus || !isGenericYes(text)) {
    return false;
  }
  const isOpenStatus = isDirectionUnknown === true && (meaning === 'status' || state === 'subscribed');
  const isEnd = MEANINGS_OF_ENDS.has(meaning) || (state === 'subscribed' && !MEANINGS_THAT_SIGN_UP.has(meaning));
  return (state === 'subscribed' || agrees) && (isOpenStatus || isEnd);
}

const MEANINGS_OF_CLEAR_OPT_OUTS: ReadonlySet<Meaning> = new Set(['optedOut', 'suppressed', 'complained']);
const MEANINGS_OF_ENDED_MAIL: ReadonlySet<Meaning> = new Set([...MEANINGS_OF_CLEAR_OPT_OUTS, 'bounced']);
// The meanings under which `ok` is unclear: below `Frozen` it can mean the freeze or its end.
const MEANINGS_OF_ENDS: ReadonlySet<Meaning> = new Set(['withheld', 'either']);

// The reading of a status word. With `clearFirst` svc looks in `CLEAR_WORDS` first, where `bounced` suppresses no
// address. This is for headers such as `Invalid email`, because `bounced` below them proves no hard bounce.
function stateWord(text: string, { clearOnly, clearFirst }: { clearOnly: boolean; clearFirst: boolean }) {
  const word = wordLookupKey(text);
  const clear = CLEAR_WORDS.get(word);
  return clearOnly ? clear : ((clearFirst ? clear : undefined) ?? STATE_WORDS.get(word));
}

// The state of a word in a column of reasons. `unsubscribed` there means all lists, and `active` is no reason.
function reasonWord(text: string): StatusReading | undefined {
  const known = STATE_WORDS.get(wordLookupKey(text));
  const subscribed = isGenericYes(text) ? NONE : undefined;
  return known === UNSUBSCRIBED ? SUPPRESSED : known?.state === 'subscribed' ? subscribed : known;
}

/**
 * Reads a cell with several words: `unsubscribed; bounced`. Undefined for a single word, and if svc does not know one
 * of the words.
 */
function readList(text: string, column: CellReading): StatusReading | undefined {
  const texts = text.length > LONGEST_LIST ? [] : text.split(/[;,|/+]|(?<!\s)\s+and\s/u);
  const parts = texts.map((part) => part.trim()).filter((part) => part !== '');
  const read = parts.length > 1 ? parts.map((part) => readWord(part.replace(/^["']|["']$/g, ''), column)) : [];
  if (read.length === 0 || !read.every((status) => status !== undefined)) {
    return undefined;
  }
  // If svc understands none of the words, it asks about the whole cell: `Ja, gerne` under an unclear header.
  const isOneQuestion = read.every(({ unknown, refusesMail }) => unknown !== undefined && !refusesMail);
  return isOneQuestion ? unknownReading(text) : read.reduce(combineWords);
}
