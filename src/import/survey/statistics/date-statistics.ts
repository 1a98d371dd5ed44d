import { rankOf, type StatusReading } from '../../../platforms/lib/states.ts';
import { NONE } from '../../../platforms/lib/status-words.ts';
import { isMissingTime } from '../../consent-columns/cells/days.ts';
import { mentionsEnd } from '../../consent-columns/end-words.ts';
import { hasNegation } from '../../consent-columns/phrases.ts';
import { keepsMailAway } from '../../consent-columns/several-columns/combine-readings.ts';
import { isEmptyValue } from '../../consent-columns/value-words.ts';
import { wordsOf } from '../../consent-columns/words-and-stems.ts';
import type { Table } from '../../mapping/table.ts';
import { provenDateOrder, readDate } from '../../record/dates.ts';
import type { ParsedRecord } from '../../record/parse-record.ts';
import type { FindingExample } from '../finding.ts';
import { addExample, createExamples, type Examples, exampleAt } from './examples.ts';

/** What the opt-out dates of a table show. */
export type DateStatistics = ReturnType<typeof createDateStatistics>;

/** Empty counts of the opt-out dates of a table. `dmy` and `mdy`: dates that prove this order. */
export function createDateStatistics() {
  return {
    dmy: createExamples(),
    mdy: createExamples(),
    /** Opt-outs with a date that means different days in the two orders. */
    ambiguous: createExamples(),
    unreadable: createExamples(),
    /**
     * Rows without an opt-out date: the cell is blank, has the date that programs write for none, or the row is no
     * opt-out.
     */
    blanks: 0,
    shared: { rows: 0, subscribed: 0, byValue: new Map<string, SharedDate>() },
  };
}

/** An opt-out date, and the rows in which only this date says that the person left. */
export interface SharedDate {
  /** The date as written in its first row. */
  readonly value: string;
  /** A lower limit of the number of rows with the date. */
  rows: number;
  /** The number of these rows that would be subscribed without the date. */
  subscribed: number;
  readonly examples: Examples;
}

/** The number of different dates that are counted at once. */
const MAX_DATES = 100;

// Counts the frequent dates in bounded memory, with the algorithm of Misra and Gries. If too many dates are counted,
// each loses one row. So a count is too low by at most a hundredth of the rows.
function collectShared({ shared }: DateStatistics, cell: string, isSubscribed: boolean, example: () => FindingExample) {
  shared.rows++;
  shared.subscribed += isSubscribed ? 1 : 0;
  const { byValue } = shared;
  const value = cell.trim();
  const countedBefore = byValue.get(value);
  if (countedBefore === undefined && byValue.size >= MAX_DATES) {
    for (const counted of byValue.values()) {
      counted.rows--;
      if (counted.rows === 0) {
        byValue.delete(counted.value);
      }
    }
    return;
  }
  const date = countedBefore ?? { value, rows: 0, subscribed: 0, examples: createExamples() };
  byValue.set(value, date);
  date.rows++;
  date.subscribed += isSubscribed ? 1 : 0;
  addExample(date.examples, example);
}

const MIN_ROWS = 3;

/**
 * The opt-out date that more than half of the rows share, such as `2099-12-31`. Programs write a day far in the future
 * for people who stay. The date must stand in at least three rows. If some rows have a blank, a row counts only if it
 * would be subscribed without its date. Otherwise a shared date is just a day on which many people left. Undefined if
 * there is no such date.
 */
export function sharedDate({ shared, blanks }: DateStatistics): SharedDate | undefined {
  return [...shared.byValue.values()].find(({ rows, subscribed }) => {
    const isAlone = blanks === 0 && rows * 2 > shared.rows;
    return rows >= MIN_ROWS && (isAlone || (subscribed * 2 > shared.subscribed && subscribed >= MIN_ROWS));
  });
}

/** Adds the opt-out date of a row, if the table has a column of opt-out dates. */
export function collectDate(dates: DateStatistics, record: ParsedRecord): void {
  const { table, cells, statusReading } = record;
  const index = table.columnIndexes.unsubscribed_at;
  if (index < 0) {
    return;
  }
  const cell = cells[index];
  if (cell === undefined || cell === '' || isEmptyValue(cell)) {
    dates.blanks++;
    return;
  }
  const example = () => exampleAt(record, table.header[index], cell);
  const proven =
    table.dateStyle.order === undefined && table.dateStyle.form === undefined ? provenDateOrder(cell) : undefined;
  if (proven === 'dmy' || proven === 'mdy') {
    addExample(dates[proven], example);
  }
  if (rankOf(statusReading.state) > rankOf('unsubscribed')) {
    dates.blanks++;
    return;
  }
  const otherReading = statusReading.state === 'unsubscribed' ? stateWithoutDate(table, cells) : undefined;
  if (otherReading && !keepsMailAway(otherReading)) {
    collectShared(dates, cell, otherReading.state === 'subscribed', example);
  }
  const { kind } = readDate(cell, table.dateStyle);
  if (kind !== 'at' && table.reading.isOptOutDate?.(cells) !== false) {
    addExample(dates[kind], example);
  }
}

// The state that the other cells give the row. The default status does not count.
function stateWithoutDate(table: Table, cells: readonly string[]): StatusReading {
  const otherReading = table.stateOf(cells.with(table.columnIndexes.unsubscribed_at, ''), '');
  return otherReading === table.withoutStatus ? NONE : otherReading;
}

/**
 * A column such as `Consent valid until`, in the rows of people to subscribe. The survey knows no clock, so it only
 * counts the days. `migrate/checks/consent-ends.ts` compares them with today (C10).
 */
export interface ConsentEnds {
  /** The index of the column. */
  readonly index: number;
  /** By day in the form `2026-11-25`: the rows whose consent ends then. */
  readonly days: Map<string, EndingRows>;
  /** Rows whose date can't be read, or can be read in two ways. */
  readonly unclear: Examples;
}

interface EndingRows {
  rows: number;
  readonly first: FindingExample;
}

// The maximum number of days that are counted: 30 years. Rows with any further day count as unclear, so that memory is
// bounded.
const MAX_DAYS = 11_000;

export function createConsentEnds({ endsOfConsent }: Pick<Table, 'endsOfConsent'>): readonly ConsentEnds[] {
  return endsOfConsent.map((index) => ({ index, days: new Map(), unclear: createExamples() }));
}

// The last day that a cell means. A year such as `2025` means its last day. A word such as `resigned` means a day in
// the past. Undefined if svc can't read the cell.
function lastDayOf(cell: string, { table }: ParsedRecord): string | undefined {
  if (YEAR.test(cell)) {
    return `${cell}-12-31`;
  }
  const read = readDate(cell, table.dateStyle);
  return read.kind === 'at' ? read.moment.slice(0, 'YYYY-MM-DD'.length) : dayOfEnd(wordsOf(cell));
}

// The day of `resigned` and `left 2019`. Undefined for an end to come: `until revoked`, `not cancelled`.
function dayOfEnd(words: string): string | undefined {
  if (!mentionsEnd(words) || hasNegation(words) || MAY_END.test(words)) {
    return undefined;
  }
  const year = words.split(' ').find((word) => YEAR.test(word));
  return year ? `${year}-12-31` : LONG_AGO;
}

// Matches words before an end to come, and words for an end that is possible: `bis auf Widerruf`, `cancel anytime`.
const MAY_END =
  /(?:^| )(?:(?:until|till|bis|auf|jusqu|jusqua|hasta|fino|ate|tot|do|tills|до) |any ?time|jederzeit|\S*widerrufbar|\S*kundbar|revocable|cancell?able|possible)/u;

const LONG_AGO = '0001-01-01';

const YEAR = /^(?:19|20)\d\d$/;

/** Counts the day on which the consent in a row ends. Call it for rows of people who will be subscribed. */
export function collectConsentEnds(ends: readonly ConsentEnds[], record: ParsedRecord): void {
  for (const { index, days, unclear } of ends) {
    const cell = record.cells[index]?.trim() ?? '';
    if (isEmptyValue(cell) || isMissingTime(cell)) {
      continue;
    }
    const example = () => exampleAt(record, record.table.header[index], cell);
    const day = lastDayOf(cell, record);
    const counted = day === undefined ? undefined : days.get(day);
    if (counted) {
      counted.rows++;
    } else if (day !== undefined && days.size < MAX_DAYS) {
      days.set(day, { rows: 1, first: example() });
    } else {
      addExample(unclear, example);
    }
  }
}
