import type { ColumnTarget, TableReading, TableShape } from '../../platforms/lib/platform.ts';
import { bareWord, remember, SUBSCRIBED, UNSUBSCRIBED, words } from '../../platforms/lib/words.ts';
import { isDate } from './cells/days.ts';
import { fieldsOf } from './cells/fields.ts';
import { EVENT_WORDS, holdsMailEvents } from './cells/mail-events.ts';
import { keepsMailAway } from './combine-readings.ts';
import {
  contradictsItself,
  isNameless,
  mayMeanLeaving,
  maySpeakOfMailings,
  namesMailOnly,
  namesNoOtherChannel,
  namesOpt,
  refusesByTick,
} from './headers/header-predicates.ts';
import { type CellReading, type HeaderReading, type Meaning, readHeader, TEXT } from './headers/read-header.ts';
import { asksToStop } from './phrases.ts';
import { answerIn, CLEAR_WORDS, isBareAnswer, isNothing, isStateWord, keyOf, STATE_WORDS } from './value-words.ts';
import { withoutBlanks, wordsOf } from './words-and-stems.ts';

export interface RecognizedTable {
  readonly shape: TableShape;
  readonly reading: TableReading;
  readonly columns: readonly ColumnTarget[];
  /** Indexes that --map names. */
  readonly named: ReadonlySet<number>;
  /** True if no platform was recognized. Then a column may also mean subscribed. */
  readonly generic: boolean;
}

/** How the cells of a column are read. Undefined if neither its header nor its values say anything about consent. */
export function cellReadingAt(table: RecognizedTable, at: number): CellReading | undefined {
  const { shape, columns, named, generic, reading } = table;
  const header = shape.header[at] ?? '';
  const kind = columns[at]?.kind;
  const cells = shapeCells(table, at);
  const mapped = named.has(at) ? NAMED[kind as string] : undefined;
  const own = readHeader(header);
  const ownOrValues = own ?? (namesNoOtherChannel(header) ? fromValues(header, cells) : undefined);
  // A column that --map names as the status keeps the meaning of its header if a yes under that header is an opt-out.
  const found = mapped && !(own && OPPOSITE.has(own.meaning)) ? mapped : ownOrValues;
  const written = named.has(at) ? reading.words : undefined;
  if (found === undefined) {
    return undefined;
  }
  const permits = generic && PERMITS.has(bareWord(header));
  return {
    ...found,
    meaning: countsBounces(found, header, cells) ? 'bounces' : found.meaning,
    sure: isSure(found, cells, kind),
    permits,
    unexplained: mapped?.meaning === 'status' && own === undefined,
    words: written ?? (namesOpt(header) ? OPT_WORDS : found === MAIL_EVENTS ? EVENT_WORDS : undefined),
    proof: kind === 'ignore' && !generic,
    label: withoutBlanks(wordsOf(header)),
    signs: shape.sample.some((row) => row[at]?.trim() === '+'),
    ins: cells.some((cell) => /^\s*i\s*$/iu.test(cell)),
    letters: found.meaning === 'channel' && cells.some(isEmail) && !cells.some(namesPost),
    circles: cells.some((cell) => /^\s*[o○〇◯]\s*$/iu.test(cell)),
  };
}

/** Headers under which a yes to mail, or a no to an opt-out, always means `subscribed`. */
const PERMITS: ReadonlySet<string> = new Set(
  [
    'is subscribed,opted in,opt-in,email opt-in,accepts marketing,accepts email marketing,subscribed,subscription',
    'unsubscribed,is unsubscribed,opted out,opt-out,email opt-out,opted out of email,has opted out,do not contact',
    'do not email,do not mail,dnc,excluded from campaigns,is excluded from campaigns,blacklisted,email blacklisted',
    'blocklisted,abgemeldet,désinscrit,désabonné,dado de baja,disiscritto,afgemeld,uitgeschreven',
  ]
    .join(',')
    .split(',')
    .map(bareWord),
);

const MAIL_EVENTS: HeaderReading = { meaning: 'status', sure: false, detail: false };
const OPT_WORDS = words([SUBSCRIBED, 'in', 'i'], [UNSUBSCRIBED, 'out', 'o']);

// True for a header such as `Bounced` whose cells are numbers.
function countsBounces({ meaning, detail }: HeaderReading, header: string, cells: readonly string[]): boolean {
  return meaning === 'bounced' && !detail && !/hard|permanent/i.test(header) && cells.some(isCount);
}

const NAMED: Readonly<Record<string, HeaderReading>> = {
  status: { meaning: 'status', sure: true, detail: false },
  reason: { meaning: 'reason', sure: true, detail: false },
  unsubscribed_at: { meaning: 'left', sure: false, detail: true },
};

/** Meanings under which a yes keeps mail away, or may do so. */
export const OPPOSITE: ReadonlySet<Meaning> = new Set([
  'left',
  'bounced',
  'invalid',
  'complained',
  'suppressed',
  'withheld',
  'either',
]);

// True if every filled cell must be understood. Under an ambiguous header this holds if most filled cells of the first
// rows hold a status or an answer.
function isSure(found: HeaderReading, cells: readonly string[], kind: string | undefined): boolean {
  const { meaning, sure, detail } = found;
  // In a column that the platform names as proof or bookkeeping, the user is asked only about an opt-out.
  if (kind === 'ignore' && meaning !== 'left') {
    return false;
  }
  // In a column with a yes or a no, an unknown word is more likely another answer than the name of a list.
  const enough = meaning === 'agreed' && !cells.some(isPlainAnswer) ? cells.length : cells.length / 2;
  return sure || (!detail && !NEVER_SURE.has(meaning) && cells.length > 0 && readable(cells, found) >= enough);
}

const NEVER_SURE: ReadonlySet<Meaning> = new Set(['withheld', 'bounces', 'channel', 'text']);

function readable(cells: readonly string[], { meaning, foreign }: HeaderReading): number {
  const answers = meaning !== 'status' && meaning !== 'reason';
  const known = cells.filter((cell) => isStateWord(cell) || (answers && answerIn(cell) !== undefined));
  return meaning === 'status' && !known.some(foreign ? (cell) => CLEAR_WORDS.has(keyOf(cell)) : keepsAway)
    ? 0
    : known.length;
}

function keepsAway(cell: string): boolean {
  const state = STATE_WORDS.get(keyOf(cell));
  return state === undefined ? isStateWord(cell) : keepsMailAway(state);
}

const MOSTLY = 0.8;

// Results of services that check addresses. No other column holds them.
const OF_A_CHECK: ReadonlySet<string> = new Set(
  ['undeliverable', 'catch all', 'accept all', 'disposable', 'spamtrap', 'do not mail', 'role based'].map(keyOf),
);

/** The meaning of a column whose header has none: its cells are status words, or ask for no more mail. */
function byValues(cells: readonly string[]): HeaderReading | undefined {
  const read = cells.map((cell) => readWord(cell));
  const pleas = new Set(read.flatMap(({ cell, isPlea }) => (isPlea ? [cell] : [])));
  // A single word is more likely a misspelled status than a note: `Unsubscibed`.
  const slips = new Set([...pleas].filter((cell) => /^\s*\p{L}+\s*$/u.test(cell)));
  const known = read.filter(({ cell, isState }) => isState || slips.has(cell)).length;
  const clear = slips.size > 0 || read.some(({ isClear }) => isClear);
  if (clear && known >= cells.length * MOSTLY && pleas.size === slips.size) {
    return { meaning: 'status', sure: true, detail: false };
  }
  if (cells.some((cell) => OF_A_CHECK.has(keyOf(cell))) && cells.filter(isStateWord).length >= cells.length * MOSTLY) {
    return { meaning: 'status', sure: true, detail: false };
  }
  return pleas.size > slips.size || cells.some(holdsPairs) ? TEXT : undefined;
}

// A table may have a hundred thousand columns with the same few cells. V8 copies texts up to this length. A longer one
// would keep the whole file in memory.
const COPIED = 12;
const readShortWord = remember(readWordOnce);

function readWord(cell: string) {
  return cell.length <= COPIED ? readShortWord(cell) : readWordOnce(cell);
}

function readWordOnce(cell: string) {
  const key = keyOf(cell);
  const isClear = CLEAR_WORDS.has(key);
  return { cell, isClear, isState: STATE_WORDS.has(key), isPlea: !isClear && asksToStop(cell) };
}

// True for pairs such as `city=Rome;optin=0`, or fields of PHP. JSON and `consent: false` are read under any header.
function holdsPairs(cell: string): boolean {
  const fields = cell.startsWith('a:') || cell.includes('=') ? fieldsOf(cell) : undefined;
  return (
    fields !== undefined &&
    [fields]
      .flat()
      .flatMap((field) => Object.keys(Object(field)))
      .some((name) => readHeader(name) !== undefined)
  );
}

/** The meaning of a column whose header alone has none. A column without a name is read like notes. */
function fromValues(header: string, cells: readonly string[]): HeaderReading | undefined {
  if (maySpeakOfMailings(header) && cells.length > 0) {
    const isContrary = contradictsItself(wordsOf(header)) || mayMeanLeaving(header);
    if (cells.every((cell) => answerIn(cell) !== undefined || (isContrary && isDate(cell)))) {
      return { meaning: isContrary ? 'either' : 'agreed', sure: true, detail: false };
    }
  }
  if (namesMailOnly(header) && cells.some(isBareAnswer) && !cells.some((cell) => cell.includes('@'))) {
    return { meaning: 'agreed', sure: true, detail: false };
  }
  if (holdsMailEvents(header, cells)) {
    return MAIL_EVENTS;
  }
  if (refusesByTick(header, cells)) {
    return { meaning: 'either', sure: true, detail: false };
  }
  if (mayMeanLeaving(header) && holdsEvents(cells)) {
    return { meaning: 'either', sure: true, detail: false };
  }
  return byValues(cells) ?? (isNameless(header) ? TEXT : undefined);
}

// True for ticks, answers and days, at least one of which says that something happened.
function holdsEvents(cells: readonly string[]): boolean {
  return cells.some(happened) && cells.every((cell) => answerIn(cell) !== undefined || isDate(cell));
}

function happened(cell: string): boolean {
  return answerIn(cell) === true || isDate(cell);
}

// A yes, or a no of one letter. A lone `1` or `x` may be the name of a list.
function isPlainAnswer(cell: string): boolean {
  return isBareAnswer(cell) && (cell.trim().length > 1 || answerIn(cell) === false);
}

function isEmail(cell: string): boolean {
  return /^\s*e-?\s?mail/iu.test(cell);
}

function namesPost(cell: string): boolean {
  return /\b(?:post|postal|brief|courrier|carta|lettera|brev)\b/iu.test(cell);
}

function isCount(cell: string): boolean {
  return /^\s*(?:[2-9]|[1-9]\d{1,3})\s*$/.test(cell);
}

export function shapeCells({ shape }: RecognizedTable, at: number): readonly string[] {
  return shape.sample.map((row) => row[at] ?? '').filter((cell) => !isNothing(cell));
}
