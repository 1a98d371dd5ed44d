import { rankOf } from '../../platforms/lib/states.ts';
import { isNoMoment } from '../consent-columns/cells/days.ts';
import { isNothing } from '../consent-columns/value-words.ts';
import type { Table } from '../mapping/table.ts';
import { provenOrder, readDate } from '../record/dates.ts';
import type { ParsedRecord } from '../record/parse-record.ts';
import { addExample, createExamples, type Examples, exampleAt } from './examples.ts';
import type { FindingExample } from './finding.ts';

/** What the opt-out dates of a table show. */
export type DateStatistics = ReturnType<typeof createDateStatistics>;

/** What the opt-out dates of a table show about the order of day and month. */
export function createDateStatistics() {
  return {
    dmy: createExamples(),
    mdy: createExamples(),
    /** Opt-outs with a date that means different days in the two orders. */
    ambiguous: createExamples(),
    unreadable: createExamples(),
    /** Rows that say subscribed, but have an opt-out date. */
    contradicted: createExamples(),
  };
}

/** Adds the opt-out date of a row. The table must have a column of opt-out dates. */
export function collectDate(dates: DateStatistics, record: ParsedRecord): void {
  const { table, cells, statusReading } = record;
  const cell = cells[table.columnIndexes.unsubscribed_at];
  if (cell === undefined || cell === '' || cell.trim() === '') {
    return;
  }
  const column = table.header[table.columnIndexes.unsubscribed_at];
  const example = () => exampleAt(record, column, cell);
  const proven =
    table.dateStyle.order === undefined && table.dateStyle.form === undefined ? provenOrder(cell) : undefined;
  if (proven === 'dmy' || proven === 'mdy') {
    addExample(dates[proven], example);
  }
  if (rankOf(statusReading.state) > rankOf('unsubscribed')) {
    return;
  }
  if (statusReading.state === 'unsubscribed' && isLeftByDate(table, cells)) {
    addExample(dates.contradicted, example);
  }
  const { kind } = readDate(cell, table.dateStyle);
  if (kind !== 'at' && table.reading.datesOptOut?.(cells) !== false) {
    addExample(dates[kind], example);
  }
}

function isLeftByDate(table: Table, cells: readonly string[]): boolean {
  const without = table.stateOf(cells.with(table.columnIndexes.unsubscribed_at, ''), '');
  // A row with the default status says nothing itself, so the date contradicts nothing.
  return without.state === 'subscribed' && without !== table.withoutStatus;
}

/**
 * A column such as `Consent valid until`, in the rows of people to subscribe. The survey knows no clock, so it only
 * counts the days. `migrate/checks/consent-ends.ts` compares them with today (C10).
 */
export interface ConsentEnds {
  /** The index of the column. */
  readonly at: number;
  /** By day in the form `2026-11-25`: the rows whose consent ends then. */
  readonly days: Map<string, EndingRows>;
  /** Rows whose date cannot be read, or in two ways. */
  readonly unclear: Examples;
}

interface EndingRows {
  rows: number;
  readonly first: FindingExample;
}

// Rows of further days count as unclear, so that memory stays flat. These are the days of 30 years.
const MOST_DAYS = 11_000;

export function createConsentEnds({ endsOfConsent }: Pick<Table, 'endsOfConsent'>): readonly ConsentEnds[] {
  return endsOfConsent.map((at) => ({ at, days: new Map(), unclear: createExamples() }));
}

/** Counts the end of consent of a row that is to be subscribed. */
export function collectConsentEnds(ends: readonly ConsentEnds[], record: ParsedRecord): void {
  for (const { at, days, unclear } of ends) {
    const cell = record.cells[at]?.trim() ?? '';
    if (isNothing(cell) || isNoMoment(cell)) {
      continue;
    }
    const example = () => exampleAt(record, record.table.header[at], cell);
    const read = readDate(cell, record.table.dateStyle);
    const day = read.kind === 'at' ? read.at.slice(0, 'YYYY-MM-DD'.length) : undefined;
    const known = day === undefined ? undefined : days.get(day);
    if (known) {
      known.rows++;
    } else if (day !== undefined && days.size < MOST_DAYS) {
      days.set(day, { rows: 1, first: example() });
    } else {
      addExample(unclear, example);
    }
  }
}
