import type { Emit } from '../../base/events.ts';
import { sumOf } from '../../base/lib/rows.ts';
import type { Table } from '../mapping/table.ts';

/** Reports the progress of a read after each batch of rows. */
export interface ReadProgress {
  bytes(count: number): void;
  rows(count: number): void;
  /**
   * The number of rows that all tables may have, if the further rows are about as long as those so far. Undefined if
   * too few bytes were read, or if the total is not known.
   */
  expectedRows(): number | undefined;
}

/** With fewer bytes, svc estimates no number of rows: the rows so far may be much shorter than the rest. */
const MIN_BYTES = 1024 * 1024;

/** Begins the progress of one read of these tables. It has no total if svc does not know the size of each table. */
export function createReadProgress(tables: readonly Table[], emit: Emit): ReadProgress {
  const sizes = tables.map(({ source }) => source.size);
  const total = sizes.every((size) => size !== undefined) ? sumOf(sizes) : undefined;
  emit({ type: 'phase', phase: 'survey', total, unit: 'bytes' });
  let doneBytes = 0;
  let rows = 0;
  return {
    bytes: (count) => {
      doneBytes += count;
    },
    rows: (count) => {
      rows += count;
      emit({ type: 'progress', phase: 'survey', done: doneBytes, rows });
    },
    expectedRows: () =>
      total !== undefined && doneBytes >= MIN_BYTES ? Math.ceil((rows * total) / doneBytes) : undefined,
  };
}
