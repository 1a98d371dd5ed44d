import type { ColumnTarget, TableReading, TableShape } from '../../platforms/lib/platform.ts';
import { bareWord } from '../../platforms/lib/status-words.ts';
import { symbolsIn } from './ambiguous-symbols.ts';
import { isDate } from './cells/days.ts';
import { EVENT_WORDS, holdsDeliveryStates } from './cells/mail-results.ts';
import { askedChannel, doubtfulOptOut, linkedConsent, wishForInfo } from './explained-headers.ts';
import { namesEndOfConsent } from './headers/date-headers.ts';
import { isNameless, mayBeAboutEmail } from './headers/header-predicates.ts';
import {
  type CellReading,
  type HeaderReading,
  MEANINGS_THAT_SIGN_UP,
  type Meaning,
  NOTE_READING,
} from './headers/header-reading.ts';
import { isNeutralHeader } from './headers/header-subjects.ts';
import { EVENT_DATE_WORDS } from './headers/header-words.ts';
import { readWrittenHeader } from './lost-letters.ts';
import { MAIL_EVENT_READING, meaningOfValues } from './meaning-of-values.ts';
import { filledCells, namedList } from './several-columns/named-lists.ts';
import { readBesidePartner } from './several-columns/names-and-values.ts';
import { shouldAskAboutUnknown } from './unknown-cells.ts';
import { withoutBlanks, wordsOf } from './words/plain-words.ts';
import { mayEndPaidPlan } from './words/status-headers.ts';
import { isPlainYesNo } from './words/value-words.ts';
import { wordsUnder } from './words-under-headers.ts';

/** A table after svc searched for its platform, with the answers of `--map` applied. */
export interface RecognizedTable {
  readonly shape: TableShape;
  readonly reading: TableReading;
  readonly columns: readonly ColumnTarget[];
  /** The indexes of the columns that --map names. */
  readonly named: ReadonlySet<number>;
  /** True if no platform was recognized. Only then can a yes in a consent column mean `subscribed`. */
  readonly isGeneric: boolean;
}

/** How svc reads the cells of a column. Undefined if neither its header nor its values are about consent. */
export function cellReadingAt(table: RecognizedTable, index: number): CellReading | undefined {
  const { shape, columns, named, isGeneric, reading } = table;
  const header = shape.header[index] ?? '';
  const kind = columns[index]?.kind;
  const cells = sampleCells(table, index);
  const headerReading = readWrittenHeader(header, cells);
  const mapped = named.has(index) ? READING_OF_MAPPED_COLUMN[kind as string] : undefined;
  const base = mapped && replacesHeader(mapped, headerReading) ? mapped : readColumn(table, index, headerReading);
  if (base === undefined) {
    return undefined;
  }
  const platformWords = named.has(index) ? reading.words : undefined;
  const isDirectionUnknown =
    base.meaning === 'status'
      ? !showsMeaningOfYes(header, headerReading, mapped)
      : headerReading?.isDirectionUnknown === true;
  return {
    ...base,
    meaning: countsBounces(base, header, cells) ? 'bounces' : base.meaning,
    asksAboutUnknown: shouldAskAboutUnknown(base, cells, kind),
    mayMeanSubscribed: isGeneric && HEADERS_THAT_SUBSCRIBE.has(bareWord(header)),
    isDirectionUnknown,
    mayMissOptOuts: isDirectionUnknown || mayHoldRemarks(base, header, cells),
    words: platformWords ?? wordsUnder(header) ?? (base === MAIL_EVENT_READING ? EVENT_WORDS : undefined),
    isSignUpProof: kind === 'ignore' && !isGeneric,
    headerKey: withoutBlanks(wordsOf(header)),
    headerWords: wordsOf(header),
    minusMeansNo: shape.sample.some((row) => row[index]?.trim() === '+'),
    needsConfirmation:
      base.needsConfirmation || (!named.has(index) && mayEndPaidPlan(wordsOf(header), shape.header)) || undefined,
    endsConsent: base.meaning === 'agreed' && namesEndOfConsent(header, shape.header),
    ...symbolsIn(cells, base),
  };
}

// True for a column of remarks about opt-outs, such as a reason. A person with a blank there may have left too.
function mayHoldRemarks({ meaning, filledMeansHappened }: HeaderReading, header: string, cells: readonly string[]) {
  const holdsEvents = cells.length > 0 ? cells.every(isEvent) : EVENT_DATE_WORDS.test(wordsOf(header));
  return (
    meaning === 'optedOut' && (doubtfulOptOut(header, cells) !== undefined || (filledMeansHappened && !holdsEvents))
  );
}

function isEvent(cell: string): boolean {
  return isDate(cell) || isPlainYesNo(cell);
}

// True if the field of `--map`, and not the header, decides what the column means. A header about an opt-out decides
// itself. But if it is unclear, the field `unsubscribed_at` decides.
function replacesHeader({ filledMeansHappened }: HeaderReading, headerReading: HeaderReading | undefined): boolean {
  const isAnswered = filledMeansHappened && headerReading?.meaning === 'either';
  return isAnswered || !(headerReading && OPT_OUT_MEANINGS.has(headerReading.meaning));
}

// True if the header of a status shows what `active` or a yes means. `--map` alone does not: the user named the column,
// not the meaning of its words. If only the values make it a status, its header must be neutral or missing.
function showsMeaningOfYes(
  header: string,
  headerReading: HeaderReading | undefined,
  mapped: HeaderReading | undefined,
): boolean {
  return headerReading
    ? MEANINGS_THAT_SIGN_UP.has(headerReading.meaning) && !headerReading.isDirectionUnknown
    : mapped === undefined && (isNeutralHeader(header) || isNameless(header));
}

// The meaning of a column by its header, otherwise by its values. Undefined if neither is about consent.
function readColumn(
  table: RecognizedTable,
  index: number,
  headerReading: HeaderReading | undefined,
): HeaderReading | undefined {
  const { shape } = table;
  const [header, cells] = [shape.header[index] ?? '', sampleCells(table, index)];
  if ((headerReading === undefined || headerReading.meaning === 'status') && holdsDeliveryStates(header, cells)) {
    return DELIVERY_READING;
  }
  const byCells = headerReading === undefined ? readBesidePartner(shape, index) : askedChannel(header, cells);
  if (byCells) {
    return byCells;
  }
  const byHeader = headerReading?.holdsGroups
    ? saysInOrOut(cells)
      ? IN_OR_OUT
      : (namedList(shape, index) ?? headerReading)
    : headerReading;
  const clearest =
    byHeader && byHeader !== NOTE_READING
      ? byHeader
      : (doubtfulOptOut(header, cells) ?? wishForInfo(header, cells) ?? byHeader ?? linkedConsent(header, cells));
  return (
    clearest ??
    (mayBeAboutEmail(header) ? meaningOfValues(header, cells, cells.length < shape.sample.length) : undefined)
  );
}

// Delivery states can be about a parcel too, so svc asks before it leaves a person out.
const DELIVERY_READING: HeaderReading = {
  meaning: 'mailError',
  asksAboutUnknown: true,
  filledMeansHappened: false,
  needsConfirmation: true,
};
const IN_OR_OUT: HeaderReading = { meaning: 'either', asksAboutUnknown: true, filledMeansHappened: false };

// True for cells such as `IN` and `OUT`. Under `List`, they say who is on the list.
function saysInOrOut(cells: readonly string[]): boolean {
  const words = new Set(cells.map((cell) => cell.trim().toLowerCase()));
  return words.has('out') && [...words].every((word) => word === 'in' || word === 'out');
}

/** Headers under which a yes to mail, or a no to an opt-out, means `subscribed` if no platform is recognized. */
const HEADERS_THAT_SUBSCRIBE: ReadonlySet<string> = new Set(
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

// True for a header such as `Bounced` with numbers below it. They say how often mail bounced, and may be about the
// past.
function countsBounces(
  { meaning, filledMeansHappened }: HeaderReading,
  header: string,
  cells: readonly string[],
): boolean {
  return meaning === 'bounced' && !filledMeansHappened && !/hard|permanent/i.test(header) && cells.some(isCount);
}

const READING_OF_MAPPED_COLUMN: Readonly<Record<string, HeaderReading>> = {
  status: { meaning: 'status', asksAboutUnknown: true, filledMeansHappened: false },
  reason: { meaning: 'reason', asksAboutUnknown: true, filledMeansHappened: false },
  unsubscribed_at: { meaning: 'optedOut', asksAboutUnknown: false, filledMeansHappened: true },
};

/** The meanings of a header under which a yes means no mail, or may mean it. */
export const OPT_OUT_MEANINGS: ReadonlySet<Meaning> = new Set([
  'optedOut',
  'bounced',
  'invalid',
  'mailError',
  'complained',
  'suppressed',
  'withheld',
  'either',
]);

function isCount(cell: string): boolean {
  return /^\s*(?:[2-9]|[1-9]\d{1,3})\s*$/.test(cell);
}

/** The filled cells of a column in the first rows. */
export function sampleCells({ shape }: RecognizedTable, index: number): readonly string[] {
  return filledCells(shape, index);
}
