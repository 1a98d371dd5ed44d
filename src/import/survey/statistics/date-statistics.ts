import type { FindingExample } from '../../../base/finding.ts';
import { isEmptyValue } from '../../../platforms/lib/blank-cells.ts';
import { rankOf, type StatusReading } from '../../../platforms/lib/states.ts';
import { NONE } from '../../../platforms/lib/status-words.ts';
import { keepsMailAway } from '../../consent-columns/several-columns/combine-readings.ts';
import type { Table } from '../../mapping/table.ts';
import type { ParsedRecord } from '../../record/parse-record.ts';
import { provenDateOrder, readDate } from '../../values/dates.ts';
import { addExample, createExamples, type Examples, exampleAt } from './examples.ts';

/** What the opt-out dates of a table show. */
export type DateStatistics = ReturnType<typeof createDateStatistics>;

/**
 * Makes empty counts of the opt-out dates of a table. `dmy` and `mdy` count dates that prove this order: `13/04/2024`
 * proves dmy.
 */
export function createDateStatistics() {
  return {
    dmy: createExamples(),
    mdy: createExamples(),
    /** Opt-outs with a date that can be two days: `03/04/2024` is 3 April or 4 March. */
    ambiguous: createExamples(),
    unreadable: createExamples(),
    /**
     * Rows without an opt-out date: the cell is blank or stands for a blank (`0000-00-00`), or the row is no opt-out.
     */
    blanks: 0,
    shared: { rows: 0, subscribed: 0, byValue: new Map<string, SharedDate>() },
  };
}

/** An opt-out date, and the rows that are opt-outs only because of this date. */
export interface SharedDate {
  /** The date as written in its first row. */
  readonly value: string;
  /** The number of rows with the date, or slightly fewer: the algorithm of `collectShared` counts too low. */
  rows: number;
  /** How many of the rows with this date would be subscribed without it. */
  subscribed: number;
  readonly examples: Examples;
}

/** The number of different dates that are counted at once. */
const MAX_DATES = 100;

// Counts frequent dates in bounded memory, with the algorithm of Misra and Gries. When a further date would be too
// many, each counted date loses one row. So a count is too low by at most a hundredth of the rows.
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
 * for people who have not opted out. At least three rows must have the date. If some rows have a blank, the shared date
 * can also be a day on which many people left. Then only rows count that would be subscribed without the date.
 * Undefined if there is no such date.
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

// The state that the row would have without its date. The default status does not count.
function stateWithoutDate(table: Table, cells: readonly string[]): StatusReading {
  const otherReading = table.stateOf(cells.with(table.columnIndexes.unsubscribed_at, ''), '');
  return otherReading === table.withoutStatus ? NONE : otherReading;
}
