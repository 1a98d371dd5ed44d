import type { Table } from '../mapping/table.ts';
import type { ColumnStatistics } from '../survey/column-statistics.ts';
import type { FirstPass } from '../survey/first-read.ts';

/**
 * Adds to a table the results that need its whole column: the order of its dates, and the meaning of a blank. If a
 * status column holds nothing but blanks, the table holds no state (rule C4: a list without any state stops).
 */
export function settleTable({ table, watch }: Pick<FirstPass, 'table' | 'watch'>): Table {
  const order = table.dateStyle.order ?? provenBy(watch);
  const silent =
    table.blank.unknown === '' && watch.known === 0 && [...watch.unknown.values()].every(({ word }) => word === '');
  const blank = silent && watch.unknown.size > 0 ? table.stateless : table.blank;
  return { ...table, blank, dateStyle: { ...table.dateStyle, order } };
}

function provenBy({ dates: { dmy, mdy } }: ColumnStatistics): 'dmy' | 'mdy' | undefined {
  if (dmy.total > 0 && mdy.total > 0) {
    return undefined;
  }
  return dmy.total > 0 ? 'dmy' : mdy.total > 0 ? 'mdy' : undefined;
}
