import type { StatusReading } from '../../platforms/lib/states.ts';
import { NONE, SUPPRESSED, UNSUBSCRIBED } from '../../platforms/lib/status-words.ts';
import { isDate, isNoMoment, readDateCell } from './cells/days.ts';
import { namesChannels, stateOfValues, structureOf } from './cells/fields.ts';
import {
  beginsWithRefusal,
  clearOptOut,
  isLimited,
  isShortDenial,
  isUnlikelyListName,
  namesOtherChannel,
  readHardBounce,
  refusesEmail,
  saysYesToMail,
  stateInText,
} from './cells/sentences.ts';
import { readEmptyCell, readEventCount, readPreferredChannel, YES_AND_NO } from './cells/yes-and-no.ts';
import { combineReadings } from './combine-readings.ts';
import type { CellReading, Meaning } from './headers/header-reading.ts';
import { OPT_OUT_WORDS } from './other-columns/opt-out-words.ts';
import { asksToStop } from './phrases.ts';
import {
  AGREES,
  CLEAR_WORDS,
  isBusinessWord,
  isEmptyValue,
  isPlainYesNo,
  isStateWord,
  keyOf,
  mayMeanNo,
  STATE_WORDS,
  skipReading,
  yesNoIn,
} from './value-words.ts';
import { withoutMarkup, wordsOf } from './words-and-stems.ts';

// Matches a cell that is only a link.
const URL = /^(?:https?:\/\/|www\.|mailto:)\S+$/iu;
const NUMBER = /^\d{1,4}$/;
const LONGEST = 400;

/** The state that a cell gives its row. `unknown` is set if it should say a status that svc does not understand. */
export function readCell(cell: string, column: CellReading): StatusReading {
  const text = withoutMarkup(cell)
    .replace(/\p{Cf}+/gu, '')
    .trim();
  if (text === '' && PICTURE.test(cell) && !column.filledMeansHappened && SHOWS.has(column.meaning)) {
    return unknownReading(cell.trim());
  }
  if (column.endsConsent && (isEmptyValue(text) || isNoMoment(text) || isDate(text))) {
    return NONE;
  }
  if (isEmptyValue(text) && !(column.minusMeansNo && MINUS.test(text))) {
    return readEmptyCell(text, column);
  }
  if (column.filledMeansHappened && isNoMoment(text) && (column.dates || !PLAIN_MINUS_ONE.test(text))) {
    return readEmptyCell(text, column);
  }
  const fields = column.meaning === 'channel' ? undefined : structureOf(text);
  if (fields) {
    const state = stateOfValues(fields, column, readCell);
    // `{"sms":true}` and `{"email":null}` give no answer about email, so svc asks.
    const isOpen =
      state === NONE && column.meaning === 'agreed' && !column.filledMeansHappened && namesChannels(fields);
    return isOpen ? unknownReading(text) : state;
  }
  return readWord(text, column) ?? readList(text, column) ?? readText(text, column);
}

// Matches a picture in HTML, which can be an answer: `<img src="cross.png">`, `<i class="fa fa-times"></i>`.
const PICTURE = /<(?:img|svg|use|input|i|span)\s[^<>]*\w=/iu;
const SHOWS: ReadonlySet<Meaning> = new Set(['optedOut', 'agreed', 'either', 'status', 'confirmed', 'active']);
// Access writes -1 for true.
const PLAIN_MINUS_ONE = /^-1(?:\.0+)?$/;
const MINUS = /^[-\u2212\u2013]$/u;
const NEGATIVE = /^[-\u2212]\d/u;

function readWord(text: string, column: CellReading): StatusReading | undefined {
  const { meaning, words } = column;
  const known = words?.get(keyOf(text)) ?? (NUMBER.test(text) ? readEventCount(text, column) : undefined);
  if (known) {
    return known;
  }
  if (meaning === 'channel') {
    return readPreferredChannel(text, column);
  }
  // Access writes -1 for true.
  const answer = text === '-1' && meaning === 'withheld' ? true : yesNoIn(text);
  // `O` means yes in French (oui). It means out if other rows have `I` for in.
  if (/^o$/i.test(text) && (column.oMeansOut || column.headerKey?.includes('opt'))) {
    return unknownReading(text);
  }
  // A cross means yes in Europe, and no in Japan and Korea.
  if ((text === '×' || (column.xMayMeanNo && keyOf(text) === 'x')) && ASKING_CROSS.has(meaning)) {
    return unknownReading(text);
  }
  if (answer !== undefined && (isPlainYesNo(text) || text === '-1')) {
    return YES_AND_NO[meaning](answer, column, text);
  }
  // Under a header such as `Order status`, `cancelled` describes an order, so only clear opt-out words count.
  const clearOnly = meaning === 'status' && !column.asksAboutUnknown;
  if (column.statusOfOtherThing && isBusinessWord(text)) {
    return NONE;
  }
  const state =
    meaning === 'reason' ? reasonWord(text) : stateWord(text, { clearOnly, clearFirst: meaning === 'invalid' });
  if (state !== undefined) {
    return ambiguousState(state, text, column) ? unknownReading(text) : state;
  }
  if (answer !== undefined && meaning === 'optedOut') {
    // `Allow` under `Do not allow emails` is ambiguous. `never` under the date of an opt-out is clear: there was none.
    return column.filledMeansHappened && keyOf(text) === 'never' ? NONE : unknownReading(text);
  }
  const asks = column.isConsentStatus && column.asksAboutUnknown;
  if (answer !== undefined && (meaning !== 'status' || asks)) {
    return YES_AND_NO[asks ? 'agreed' : meaning](answer, column, text);
  }
  return isDate(text) ? readDateCell(text, column) : undefined;
}

const ASKING_CROSS: ReadonlySet<Meaning> = new Set(['optedOut', 'agreed', 'active', 'confirmed', 'status']);

// `active` under `Unsubscribed` is ambiguous: the person or the opt-out may be active.
function ambiguousState({ state }: StatusReading, text: string, { meaning }: CellReading): boolean {
  return meaning === 'optedOut' && state === 'subscribed' && !CLEAR_WORDS.has(keyOf(text));
}

// Under `Invalid email`, `bounced` proves no hard bounce, so the clear meaning comes first (`clearFirst`).
function stateWord(text: string, { clearOnly, clearFirst }: { clearOnly: boolean; clearFirst: boolean }) {
  const word = keyOf(text);
  const clear = CLEAR_WORDS.get(word);
  return clearOnly ? clear : ((clearFirst ? clear : undefined) ?? STATE_WORDS.get(word));
}

// The state of a word in a column of reasons. There `unsubscribed` means an opt-out from all lists.
function reasonWord(text: string): StatusReading | undefined {
  const known = STATE_WORDS.get(keyOf(text));
  return known === UNSUBSCRIBED ? SUPPRESSED : known?.state === 'subscribed' ? undefined : known;
}

/** Reads a cell with several words: `unsubscribed; bounced`. Undefined if svc does not understand one of them. */
function readList(text: string, column: CellReading): StatusReading | undefined {
  const texts = text.length > LONGEST ? [] : text.split(/[;,|/+]|(?<!\s)\s+and\s/u);
  const parts = texts.map((part) => part.trim()).filter((part) => part !== '');
  const read = parts.length > 1 ? parts.map((part) => readWord(part.replace(/^["']|["']$/g, ''), column)) : [];
  return read.length > 0 && read.every((status) => status !== undefined) ? read.reduce(combineReadings) : undefined;
}

// The reading of a text about which svc asks.
function unknownReading(text: string): StatusReading {
  return { state: 'none', unknown: text };
}

/** The state of a text that is not a known word. Its words can give a state or a question; otherwise it has none. */
function readText(text: string, column: CellReading): StatusReading {
  const { meaning, asksAboutUnknown } = column;
  if (URL.test(text) && meaning !== 'status') {
    return NONE;
  }
  const stated = asksAboutUnknown || HAPPENED.has(meaning) ? stateInText(text, meaning) : CLEAR_TEXT[meaning]?.(text);
  return (
    stated ??
    readConsentText(text, column) ??
    readFilledCell(text, column) ??
    (asksAboutUnknown ? unknownReading(text) : NONE)
  );
}

/** Reads a text under a header that asks for consent. Undefined if it speaks neither for mail nor against it. */
function readConsentText(text: string, column: CellReading): StatusReading | undefined {
  const { meaning, asksAboutUnknown, filledMeansHappened } = column;
  if (!ASKING.has(meaning) || filledMeansHappened) {
    return undefined;
  }
  // Under a header of agreements, the name of a list is an agreement.
  const mayBeList = meaning === 'agreed';
  if (mayBeList && (hasNoName(text) || namesOtherChannel(text) || isShortDenial(text))) {
    return unknownReading(text);
  }
  if (beginsWithRefusal(text) || asksToStop(text) || refusesEmail(text) || isLimited(text)) {
    return unknownReading(text);
  }
  // Some opt-out words begin like a yes in another language: `đã qua đời` means that the person died.
  if (OPT_OUT_WORDS.foreign.has(keyOf(text))) {
    return asksAboutUnknown ? unknownReading(text) : NONE;
  }
  if (saysYesToMail(text, column)) {
    return AGREES;
  }
  // `paused`, or a word that may mean no, is not the name of a list.
  const isNoList = mayBeList && (isStateWord(text) || mayMeanNo(text) || isUnlikelyListName(text));
  return isNoList ? unknownReading(text) : undefined;
}

// True for a sign, an emoji or a negative number, which can't be the name of a list: `🙅`, `-2`.
function hasNoName(text: string): boolean {
  return !/[\p{L}\p{N}]/u.test(text) || NEGATIVE.test(text);
}

/** Reads a text in a column where any filled cell has a meaning. Undefined in other columns. */
function readFilledCell(text: string, { meaning, filledMeansHappened }: CellReading): StatusReading | undefined {
  if (!filledMeansHappened) {
    return undefined;
  }
  // A complaint can be about late goods, and a suppression can't be undone, so svc asks.
  const asks = meaning === 'complained' || (meaning === 'optedOut' && STILL.test(wordsOf(text)));
  return asks ? unknownReading(text) : FILLED[meaning];
}

// Matches a text under an opt-out date that says there was none: `noch aktiv`, `still a member`, `not yet`.
const STILL =
  /^(?:(?:still|noch|toujours|encore|sigue|todavia|ancora|ainda|nog|fortfarande|stadig|fortsatt|edelleen|nadal|wciaz|еще) (?:(?:an?|ein|un|een) )?(?:active?|aktiv|actif|activo|attivo|ativo|actief|aktywny|aktiivinen|активен|subscribed|member|mitglied|abonniert|abonne|dabei|da|here)|(?:not|noch nicht|nicht|pas|nog niet|non|no) (?:yet|encore|todavia|ancora)|noch nicht|nog niet|ongoing|laufend|current|present)$/u;

const HAPPENED: ReadonlySet<Meaning> = new Set([
  'optedOut',
  'bounced',
  'invalid',
  'complained',
  'suppressed',
  'reason',
]);
/** For the meaning of an ambiguous header: finds the few texts that are clear under it. */
const CLEAR_TEXT: Readonly<Partial<Record<Meaning, typeof clearOptOut>>> = {
  agreed: clearOptOut,
  bounces: readHardBounce,
};
const ASKING: ReadonlySet<Meaning> = new Set(['agreed', 'status', 'confirmed']);

// For the meaning of a header: the state of any filled cell with a reason, a campaign or a date.
const FILLED: Readonly<Partial<Record<Meaning, StatusReading>>> = {
  optedOut: UNSUBSCRIBED,
  suppressed: SUPPRESSED,
  bounced: skipReading('bounced'),
  invalid: skipReading('invalid'),
  agreed: NONE,
  confirmed: NONE,
};
