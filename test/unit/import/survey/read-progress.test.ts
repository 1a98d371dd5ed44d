import { expect, test } from 'vitest';
import type { RunEvent } from '../../../../src/base/events.ts';
import type { Table } from '../../../../src/import/mapping/table.ts';
import { createReadProgress } from '../../../../src/import/survey/read-progress.ts';
import { tableOf } from '../consent-columns/vocabulary/golden.ts';

const MIB = 1024 * 1024;

/** Tables with these sizes in bytes. */
function tablesOf(...sizes: readonly (number | undefined)[]): readonly Table[] {
  const table = tableOf([]);
  return sizes.map((size) => ({ ...table, source: { ...table.source, size } }));
}

test.each([
  ['one byte less than 1 MiB', [4 * MIB], MIB - 1, undefined],
  ['1 MiB', [4 * MIB], MIB, 40],
  ['1 MiB of two tables', [MIB, 3 * MIB], MIB, 40],
  ['a part that is no whole fraction of the table', [4 * MIB], MIB + 1, 40],
  ['a table that is one byte longer', [4 * MIB + 1], MIB, 41],
  ['a table whose size is not known', [4 * MIB, undefined], 2 * MIB, undefined],
])('estimates the total of rows only after 1 MiB of a known size: %s', (_, sizes, done, rows) => {
  const progress = createReadProgress(tablesOf(...sizes), () => {});
  progress.bytes(done - 1);
  progress.bytes(1);
  progress.rows(4);
  progress.rows(6);
  expect(progress.expectedRows()).toBe(rows);
});

test.each([
  ['the total of all tables', [7, 5], 12],
  ['no total when a size is not known', [7, undefined], undefined],
])('reports %s, then bytes and rows', (_, sizes, total) => {
  const events: RunEvent[] = [];
  const progress = createReadProgress(tablesOf(...sizes), (event) => events.push(event));
  progress.bytes(3);
  progress.bytes(4);
  progress.rows(2);
  progress.rows(1);
  expect(events).toEqual([
    { type: 'phase', phase: 'survey', total, unit: 'bytes' },
    { type: 'progress', phase: 'survey', done: 7, rows: 2 },
    { type: 'progress', phase: 'survey', done: 7, rows: 3 },
  ]);
});
