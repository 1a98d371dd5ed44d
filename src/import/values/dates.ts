import type { DateOrder } from '../../platforms/lib/platform.ts';
import type { Timestamp } from '../../wire/shapes.ts';
import type { ZoneOffset } from './time-zones.ts';

/** How the dates of a column are written, as far as svc knows. */
export interface DateStyle {
  readonly form: 'unix' | 'excel' | undefined;
  /** The order of day and month in `03/04/2024`. Undefined while svc doesn't know it. */
  readonly order: DateOrder | undefined;
  /** The time zone of times without one. */
  readonly zone: ZoneOffset;
}

/**
 * What svc reads in a cell. `at`: a moment. `ambiguous`: svc does not know which number is the day (`03/04/2024`).
 * `unreadable`: no date, or an impossible one such as 31 February.
 */
export type DateReading =
  | { readonly kind: 'at'; readonly moment: Timestamp }
  | { readonly kind: 'ambiguous' }
  | { readonly kind: 'unreadable' };

const LONGEST_DATE = 100;
const UNREADABLE: DateReading = { kind: 'unreadable' };
const AMBIGUOUS: DateReading = { kind: 'ambiguous' };

/**
 * Reads a date in one of the known forms. It never guesses, and uses neither the clock nor the time zone of this
 * machine (F9).
 */
export function readDate(text: string, style: DateStyle): DateReading {
  const trimmed = text.trim();
  if (style.form !== undefined && /^-?\d+(\.\d+)?$/.test(trimmed)) {
    return readingAt(numberMoment(Number(trimmed), style.form));
  }
  if (trimmed.length > LONGEST_DATE) {
    return UNREADABLE;
  }
  const found = FORMS.map((form) => form(trimmed)).find((parts) => parts !== undefined);
  if (found === undefined) {
    return UNREADABLE;
  }
  const day = resolveDay(found.day, style.order);
  return day === undefined ? UNREADABLE : day === 'ambiguous' ? AMBIGUOUS : readTime(day, found.timeText, style.zone);
}

/**
 * The order that a numeric date proves: `13/04/2024` can only be dmy. `either`: both orders are possible and give
 * different days. Undefined if both orders give the same day, if neither is possible, and for other texts.
 */
export function provenDateOrder(text: string): 'dmy' | 'mdy' | 'either' | undefined {
  const match = NUMERIC.exec(text.trim());
  const [first, second] = [Number(match?.[1]), Number(match?.[2])];
  if (match === null || first === second || (first > 12 && second > 12)) {
    return undefined;
  }
  return first > 12 ? 'dmy' : second > 12 ? 'mdy' : 'either';
}

type Day = readonly [year: number, month: number, day: number];
type NumericDay = { readonly first: number; readonly second: number; readonly year: number };
interface Parts {
  readonly day: Day | NumericDay;
  readonly timeText: string;
}

// Matches day and month in either order, a year of four digits, and the text after it: `3/4/2024 10:00`.
const NUMERIC = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})(?!\d)(.*)$/s;
const MONTHS = 'january february march april may june july august september october november december'.split(' ');

const FORMS: readonly ((text: string) => Parts | undefined)[] = [
  (text) => yearFirst(/^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)(.*)$/s.exec(text)),
  (text) => yearFirst(/^(\d{4})(\d{2})(\d{2})(T.*)?$/s.exec(text)),
  (text) => numeric(NUMERIC.exec(text)),
  (text) => dayMonth(/^(?:[a-z]{3,9},?\s+)?(\d{1,2})[\s-]([a-z]{3,9})\.?,?[\s-](\d{4})(?!\d)(.*)$/is.exec(text)),
  (text) => monthDay(/^(?:[a-z]{3,9},\s+)?([a-z]{3,9})\.?\s+(\d{1,2}),?\s+(\d{4})(?!\d)(.*)$/is.exec(text)),
];

function yearFirst(match: RegExpExecArray | null): Parts | undefined {
  return match ? { day: [Number(match[1]), Number(match[2]), Number(match[3])], timeText: match[4] ?? '' } : undefined;
}

function numeric(match: RegExpExecArray | null): Parts | undefined {
  return match
    ? { day: { first: Number(match[1]), second: Number(match[2]), year: Number(match[3]) }, timeText: match[4] ?? '' }
    : undefined;
}

function dayMonth(match: RegExpExecArray | null): Parts | undefined {
  return match ? withMonthNumber([match[3], match[2], match[1]], match[4]) : undefined;
}

function monthDay(match: RegExpExecArray | null): Parts | undefined {
  return match ? withMonthNumber([match[3], match[1], match[2]], match[4]) : undefined;
}

function withMonthNumber(
  [year = '', month = '', day = '']: readonly (string | undefined)[],
  timeText = '',
): Parts | undefined {
  const name = month.toLowerCase();
  // A name has at least three letters, and may be cut: `sep`, `sept`.
  const index = MONTHS.findIndex((full) => full.startsWith(name));
  return index < 0 ? undefined : { day: [Number(year), index + 1, Number(day)], timeText };
}

function resolveDay(day: Day | NumericDay, order: DateOrder | undefined): Day | 'ambiguous' | undefined {
  if (!('first' in day)) {
    return day;
  }
  const { first, second, year } = day;
  if (order === 'ymd') {
    return undefined;
  }
  if (order !== undefined || first === second) {
    return order === 'mdy' ? [year, first, second] : [year, second, first];
  }
  return first > 12 ? [year, second, first] : second > 12 ? [year, first, second] : 'ambiguous';
}

// Matches a time, `am` or `pm`, and a zone: ` 10:00 pm UTC`. Each part can be missing.
const TIME = /^(?:[T\s,]\s*(\d{1,2}):?(\d{2})(?::?(\d{2})(?:[.,](\d{1,9}))?)?)?\s*([ap]\.?m\.?)?\s*(.*)$/is;
// Matches a zone: `Z`, `UTC`, `GMT`, or an offset with or without a name: `+02:00 CEST`.
const ZONE = /^(?:Z|UTC|GMT|([+-])(\d{2}):?(\d{2})?(?:\s+(?:[A-Z]{2,5}|[+-]\d{2,4}))?(?:\s+m=\S+)?)$/i;

function readTime(day: Day, timeText: string, zone: ZoneOffset): DateReading {
  const match = TIME.exec(timeText);
  const clock = match && timeOfDay(match);
  const written = match?.[6] ?? '';
  const offset = written === '' ? undefined : offsetOf(written);
  if (!clock || !isDay(day) || offset === null) {
    return UNREADABLE;
  }
  const local = Date.UTC(day[0], day[1] - 1, day[2], clock[0], clock[1], clock[2], clock[3]);
  return readingAt(local - 60_000 * (offset ?? zone(local)));
}

function timeOfDay(match: RegExpExecArray): [number, number, number, number] | undefined {
  const minute = Number(match[2] ?? 0);
  const second = Number(match[3] ?? 0);
  const hour = hourOf(Number(match[1] ?? 0), match[5]);
  if (hour === undefined || minute > 59 || second > 59 || (match[5] !== undefined && match[1] === undefined)) {
    return undefined;
  }
  return [hour, minute, second, Number((match[4] ?? '').padEnd(3, '0').slice(0, 3))];
}

function hourOf(hour: number, half: string | undefined): number | undefined {
  if (half === undefined) {
    return hour > 23 ? undefined : hour;
  }
  const afternoon = half.toLowerCase().startsWith('p') ? 12 : 0;
  return hour < 1 || hour > 12 ? undefined : (hour % 12) + afternoon;
}

/** The offset of a zone in minutes, positive to the east. Null if the text is no zone, or names more than 14 hours. */
function offsetOf(written: string): number | null {
  const match = ZONE.exec(written.trim());
  if (match === null) {
    return null;
  }
  const minutes = Number(match[2] ?? 0) * 60 + Number(match[3] ?? 0);
  return minutes > 14 * 60 ? null : match[1] === '-' ? -minutes : minutes;
}

function isDay([year, month, day]: Day): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return year >= 1900 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

function numberMoment(value: number, form: 'unix' | 'excel'): number {
  if (form === 'excel') {
    // Serial number 25569 is 1970-01-01. The result is rounded to seconds, because serial numbers are no more precise.
    return Math.round((value - 25_569) * 86_400) * 1000;
  }
  return Math.abs(value) >= 1e11 ? Math.round(value) : Math.round(value * 1000);
}

function readingAt(ms: number): DateReading {
  return Number.isFinite(ms) && ms >= FIRST_POSSIBLE_MS && ms < AFTER_LAST_POSSIBLE_MS
    ? { kind: 'at', moment: new Date(ms).toISOString() }
    : UNREADABLE;
}

// An opt-out before 1900 is impossible. Years after 9999 don't fit the date form of the service.
const FIRST_POSSIBLE_MS = Date.UTC(1900, 0, 1);
const AFTER_LAST_POSSIBLE_MS = Date.UTC(10_000, 0, 1);
