import type { StatusReading } from '../../platforms/lib/states.ts';
import { BOUNCED, COMPLAINED, NONE, PENDING, SUBSCRIBED, SUPPRESSED, UNSUBSCRIBED } from '../../platforms/lib/words.ts';
import { strictest } from './combine.ts';
import * as stems from './header-words.ts';
import { readJsonCell } from './json-cell.ts';
import { affirms, asksToStop } from './phrases.ts';
import type { CellReading, Meaning } from './read-header.ts';
import { squashed, withoutMarkup, wordsOf } from './text.ts';
import {
  AGREES,
  answerIn,
  CLEAR_WORDS,
  isBareAnswer,
  isNothing,
  isPipelineWord,
  keyOf,
  notMailed,
  STATE_WORDS,
} from './value-words.ts';

const URL = /^(?:https?:\/\/|www\.|mailto:)\S+$/iu;
const DATE =
  /^\D{0,12}\d{1,4}[-./ 年]\s?(?:\d{1,2}|\p{L}{3,10}\.?)[-./ 月,]\s?\d{1,4}|^\p{L}{3,10}\.? \d{1,2},? \d{4}|^\d{8}(?:T|$)|^\d{10}(?:\d{3})?(?:\.\d+)?$|^\d{5}(?:\.\d+)?$/u;
const LONGEST = 400;

/** True for a date, with or without a time, in any form that exports write. */
export function isDate(text: string): boolean {
  return DATE.test(text);
}

/**
 * The state that a cell gives its row. Pure. The reading is `unknown` if the cell should hold a status and isn't
 * understood.
 */
export function readCell(cell: string, column: CellReading): StatusReading {
  const text = withoutMarkup(cell)
    .replace(/\p{Cf}+/gu, '')
    .trim();
  if (isNothing(text)) {
    return text !== '' && NO_LIST.test(text) && WANTS.has(column.meaning) && !column.detail
      ? { state: 'none', unknown: text, denies: true }
      : blankIn(column);
  }
  if (/^[[{]/.test(text)) {
    const inside = readJsonCell(text, column, readCell);
    if (inside) {
      return inside;
    }
  }
  return readWord(text, column) ?? readList(text, column) ?? unclear(text, column);
}

// `None` under a preference is an answer, not a blank.
const NO_LIST = /^none$/iu;
const WANTS: ReadonlySet<Meaning> = new Set(['agreed', 'channel']);

function blankIn({ meaning, sure, detail }: CellReading): StatusReading {
  const asks = meaning === 'agreed' || meaning === 'status' || meaning === 'confirmed' || meaning === 'either';
  return asks && sure && !detail ? { state: 'none', unknown: '' } : NONE;
}

function readWord(text: string, column: CellReading): StatusReading | undefined {
  const { meaning, words } = column;
  const known = words?.get(keyOf(text)) ?? (NUMBER.test(text) ? counted(text, column) : undefined);
  if (known) {
    return known;
  }
  if (meaning === 'channel') {
    return channelIn(text);
  }
  const answer = answerIn(text);
  if (answer !== undefined && isBareAnswer(text)) {
    return ANSWERS[meaning](answer, column, text);
  }
  // Under the status of something else, `cancelled` may describe an order.
  const clearOnly = meaning === 'status' && !column.sure;
  if (column.foreign && isPipelineWord(text)) {
    return NONE;
  }
  const state = meaning === 'reason' ? reasonWord(text) : (clearOnly ? CLEAR_WORDS : STATE_WORDS).get(keyOf(text));
  if (state !== undefined) {
    return misplaced(state, text, column) ? { state: 'none', unknown: text } : state;
  }
  if (answer !== undefined && meaning === 'left') {
    // `Allow` under `Do not allow emails` has two possible meanings.
    return { state: 'none', unknown: text };
  }
  if (answer !== undefined && meaning !== 'status') {
    return ANSWERS[meaning](answer, column, text);
  }
  return DATE.test(text) ? dateIn(text, column) : undefined;
}

const NUMBER = /^\d{1,4}$/;

// Reads a count of events. A single bounce may be old, so the user is asked about it.
function counted(text: string, { meaning }: CellReading): StatusReading | undefined {
  const count = Number(text);
  switch (meaning) {
    case 'bounces':
      return count > 0 ? { state: 'none', unknown: text } : NONE;
    case 'bounced':
      return count > 1 ? notMailed('bounced') : undefined;
    case 'complained':
      return count > 0 ? COMPLAINED : NONE;
    default:
      return undefined;
  }
}

const ANY_CHANNEL = /(?:^| )(?:any|all|both|either|egal|alle|beide|tous|todos|tutti)(?: |$)/u;

// An email channel is a yes. Another channel, or none, is a no to mail.
function channelIn(text: string): StatusReading | undefined {
  const clear = STATE_WORDS.get(keyOf(text));
  if (clear) {
    return clear;
  }
  const words = wordsOf(text);
  const named = stems.EMAIL_CHANNEL.test(words) || ANY_CHANNEL.test(words);
  const refused = answerIn(text) === false || asksToStop(text) || refuses(text);
  return refused || (!named && (stems.PHONE.test(words) || stems.PAPER.test(words)))
    ? { state: 'none', unknown: text, denies: true }
    : named
      ? AGREES
      : undefined;
}

// `active` under `Unsubscribed` may describe the person or the opt-out.
function misplaced({ state }: StatusReading, text: string, { meaning }: CellReading): boolean {
  return meaning === 'left' && state === 'subscribed' && !CLEAR_WORDS.has(keyOf(text));
}

// On a suppression list, an unsubscribe means that the person left all lists.
function reasonWord(text: string): StatusReading | undefined {
  const known = STATE_WORDS.get(keyOf(text));
  return known === UNSUBSCRIBED ? SUPPRESSED : known?.state === 'subscribed' ? undefined : known;
}

type Answer = (yes: boolean, column: CellReading, text: string) => StatusReading;

const ask: Answer = (_, __, text) => ({ state: 'none', unknown: text });
const deny: Answer = (_, __, text) => ({ state: 'none', unknown: text, denies: true });
const says =
  (status: StatusReading): Answer =>
  (yes) =>
    yes ? status : NONE;

const ANSWERS: Readonly<Record<Meaning, Answer>> = {
  left: (yes, { permits }) => (yes ? UNSUBSCRIBED : permits ? SUBSCRIBED : NONE),
  agreed: (yes, column, text) =>
    yes ? (column.permits ? SUBSCRIBED : AGREES) : column.detail && text === '0' ? NONE : deny(yes, column, text),
  either: ask,
  status: (yes, column, text) =>
    !column.sure
      ? NONE
      : yes && !column.unexplained && ['yes', 'true', '1'].includes(keyOf(text))
        ? SUBSCRIBED
        : ask(yes, column, text),
  suppressed: says(SUPPRESSED),
  bounced: says(BOUNCED),
  complained: says(COMPLAINED),
  confirmed: (yes, column, text) =>
    yes ? AGREES : column.detail && text === '0' ? NONE : column.proof ? deny(yes, column, text) : PENDING,
  unconfirmed: says(PENDING),
  withheld: says(notMailed('disabled')),
  bounces: ask,
  channel: deny,
  text: () => NONE,
  active: (yes, column, text) => (yes ? AGREES : deny(yes, column, text)),
  reason: (yes, column, text) => (column.sure ? ask(yes, column, text) : NONE),
};

// A date in a column about an event means that the event happened. The date of a sign-up is proof, but no state.
function dateIn(text: string, { meaning, sure }: CellReading): StatusReading {
  switch (meaning) {
    case 'left':
      return UNSUBSCRIBED;
    case 'suppressed':
      return SUPPRESSED;
    case 'complained':
      return COMPLAINED;
    case 'bounced':
      // Bounces may be soft, and a suppression can't be undone (rule C6: soft bounces are never suppressed).
      return notMailed('bounced');
    case 'withheld':
      return notMailed('disabled');
    case 'status':
    case 'either':
      return sure ? { state: 'none', unknown: text } : NONE;
    default:
      return NONE;
  }
}

/** Several words in one cell: `unsubscribed; bounced`. Each word must be understood. */
function readList(text: string, column: CellReading): StatusReading | undefined {
  const parts = text.length > LONGEST ? [] : text.split(/\s*[;,|/+]\s*|\s+and\s+/u).filter((part) => part !== '');
  const read = parts.length > 1 ? parts.map((part) => readWord(part.replace(/^["']|["']$/g, ''), column)) : [];
  return read.length > 0 && read.every((status) => status !== undefined) ? read.reduce(strictest) : undefined;
}

/** Text that isn't a known word: its content, or a reading that isn't understood. */
function unclear(text: string, column: CellReading): StatusReading {
  const { meaning, sure, detail } = column;
  if (URL.test(text) && meaning !== 'status') {
    return NONE;
  }
  const found =
    sure || HAPPENED.has(meaning) ? inText(text, meaning) : meaning === 'agreed' ? clearStem(text) : undefined;
  if (found) {
    return found;
  }
  if (ASKING.has(meaning) && !detail) {
    if (refuses(text) || asksToStop(text)) {
      return { state: 'none', unknown: text };
    }
    if (wants(text, column)) {
      return AGREES;
    }
  }
  if (detail && FILLED[meaning]) {
    return FILLED[meaning];
  }
  return sure ? { state: 'none', unknown: text } : NONE;
}

const HAPPENED: ReadonlySet<Meaning> = new Set(['left', 'bounced', 'complained', 'suppressed', 'reason']);
const ASKING: ReadonlySet<Meaning> = new Set(['agreed', 'status', 'confirmed']);
const SHORTEST_LABEL = 8;

// A yes in other forms: a ticked checkbox that repeats its header, `Newsletter` as the wanted mail, or a sentence.
function wants(text: string, { meaning, label = '' }: CellReading): boolean {
  const words = wordsOf(text);
  const bare = squashed(words);
  const repeats = bare.length >= SHORTEST_LABEL && (label.includes(bare) || (label !== '' && bare.includes(label)));
  const named = (stems.EMAIL_CHANNEL.test(words) || stems.OFTEN.test(words)) && !stems.NEGATED.test(words);
  return affirms(text) || (meaning === 'agreed' && (repeats || named));
}

// A reason, a campaign or a date, in any words.
const FILLED: Readonly<Partial<Record<Meaning, StatusReading>>> = {
  left: UNSUBSCRIBED,
  suppressed: SUPPRESSED,
  complained: COMPLAINED,
  bounced: notMailed('bounced'),
  agreed: NONE,
  confirmed: NONE,
};

const LONGEST_PHRASE = 80;

// Finds the stems of headers in a cell: `Unsubscribed on 3 May`, `has opted out of everything`, `désinscrite(s)`.
function inText(text: string, meaning: Meaning): StatusReading | undefined {
  const words = wordsOf(text);
  // The negation in `Hard bounce: no such user` doesn't deny the bounce.
  if (text.length > LONGEST_PHRASE || (meaning !== 'reason' && stems.NEGATED.test(words))) {
    return undefined;
  }
  const bare = squashed(words);
  if (stems.COMPLAINED_WORDS.test(bare)) {
    return COMPLAINED;
  }
  if (
    stems.BOUNCED_WORDS.test(bare) ||
    (meaning === 'bounced' && /hard|permanent|soft|transient|temporar/u.test(bare))
  ) {
    return /soft|transient|temporar/u.test(bare) ? NONE : /hard|permanent/u.test(bare) ? BOUNCED : notMailed('bounced');
  }
  const left = clearStem(text) ?? (asksToStop(text) ? UNSUBSCRIBED : undefined);
  return stems.SUPPRESSED_WORDS.test(bare) || (left && meaning === 'reason') ? SUPPRESSED : left;
}

// Text that refuses mail: `No thanks`, `no longer wants it`, `former`. The words after it can't be the name of a list
// that the person is on.
function refuses(text: string): boolean {
  return (
    text.length <= LONGEST_PHRASE &&
    /^(?:no|not|never|nein|nicht|kein\w*|non|pas|nao|nie|nee|niet|geen|nej|nei|ei|нет|не|former|formerly|ex|ehemalig\w*|ancien\w*)(?: |$)/u.test(
      wordsOf(text),
    )
  );
}

function clearStem(text: string): StatusReading | undefined {
  const words = wordsOf(text);
  const left = text.length <= LONGEST_PHRASE && stems.LEFT.test(squashed(words)) && !stems.NEGATED.test(words);
  return left ? UNSUBSCRIBED : undefined;
}

/** True if all filled cells of a column in the first rows are dates. */
export function holdsDates(sample: readonly (readonly string[])[], at: number): boolean {
  const filled = sample.map((cells) => (cells[at] ?? '').trim()).filter((cell) => !isNothing(cell));
  return filled.length > 0 && filled.every((cell) => DATE.test(cell) && answerIn(cell) === undefined);
}
