import { rankOf } from '../../platforms/lib/states.ts';
import type { Table } from '../mapping/table.ts';
import { provenOrder, readDate } from '../record/dates.ts';
import type { ParsedRecord } from '../record/parse-record.ts';
import { addExample, createExamples, exampleAt } from './examples.ts';

export type DateStatistics = ReturnType<typeof createDateStatistics>;

/** Evidence from the opt-out dates of a table about their order. */
export function createDateStatistics() {
  return {
    dmy: createExamples(),
    mdy: createExamples(),
    /** Opt-outs whose date can be read in two orders. */
    ambiguous: createExamples(),
    unreadable: createExamples(),
    /** Rows that would be subscribed without their opt-out date. */
    contradicted: createExamples(),
  };
}

/** Adds the opt-out date of a row. Its table has such a column. */
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
  // With a default status the row says nothing by itself.
  return without.state === 'subscribed' && without !== table.withoutStatus;
}
