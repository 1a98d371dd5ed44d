import type { Emit } from '../../base/events.ts';
import { sumOf } from '../../base/lib/rows.ts';
import type { Table } from '../mapping/table.ts';

/** Reports the progress of a read after each batch of rows. */
export interface ReadProgress {
  bytes(count: number): void;
  rows(count: number): void;
}

/** Begins the progress of one read of these tables. Without a total, if the size of a table is not known in advance. */
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
  };
}
