import type { Table } from '../../mapping/table.ts';
import type { ParsedRecord } from '../../record/parse-record.ts';
import { collectDate, createDateStatistics } from './date-statistics.ts';
import { collectMisshapenRow, collectRejected, createMisshapenRows, createRejectedRows } from './faulty-rows.ts';
import { collectHeadings, collectTotals, createHeadings } from './headings.ts';
import { collectStatus, createStatusStatistics } from './status-statistics.ts';
import { collectTopics, createTopicCounts } from './topic-statistics.ts';
import {
  collectAttributes,
  collectFurtherAddresses,
  createAttributeStatistics,
  createFurtherAddresses,
} from './unsent-values.ts';

export type ColumnStatistics = ReturnType<typeof createColumnStatistics>;

/** Makes the statistics of one table, which the first read fills and the checks use. */
export function createColumnStatistics(table: Table) {
  return {
    rows: 0,
    rejected: createRejectedRows(),
    misshapenRows: createMisshapenRows(),
    headings: createHeadings(table),
    addresses: createFurtherAddresses(table),
    status: createStatusStatistics(table),
    attributes: createAttributeStatistics(table),
    dates: createDateStatistics(),
    topics: createTopicCounts(table),
  };
}

/** Counts a row. Because it is called for each row, each function below first returns early for usual rows. */
export function collectRow(statistics: ColumnStatistics, record: ParsedRecord): void {
  statistics.rows++;
  collectTotals(statistics.headings, record);
  if (record.kind !== 'person') {
    return;
  }
  collectRejected(statistics.rejected, record);
  collectMisshapenRow(statistics.misshapenRows, record, statistics.rows);
  collectHeadings(statistics.headings, record);
  collectFurtherAddresses(statistics.addresses, record);
  collectStatus(statistics.status, record);
  collectAttributes(statistics.attributes, record);
  collectDate(statistics.dates, record);
  collectTopics(statistics.topics, record);
}
