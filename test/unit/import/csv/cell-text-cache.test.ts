import { expect, test } from 'vitest';
import { createCellTexts } from '../../../../src/import/csv/cell-text-cache.ts';
import { cellText, isByteRow } from '../../../../src/import/csv/row-types.ts';
import { readByteRows } from '../../../../src/import/rows/read-rows.ts';
import { PLAIN, sourceOf } from '../tables-in-memory.ts';

/** The text of the first cell of each row: with the cache, and without it. */
async function bothTexts(cells: readonly string[]): Promise<[string, string][]> {
  const texts = createCellTexts();
  const both: [string, string][] = [];
  // Small blocks, so that equal cells come from several blocks.
  for await (const rows of readByteRows({ source: sourceOf(`${cells.join(',x\n')},x\n`, 256), dialect: PLAIN })) {
    for (const row of rows.filter(isByteRow)) {
      both.push([texts(row, 0) ?? cellText(row, 0), cellText(row, 0)]);
    }
  }
  return both;
}

test('the cache of cell texts distinguishes cells that differ in quoting (C10)', async () => {
  const cells = ['a""b', '"a""b"', 'Łódź', '"a""b"', 'a""b', 'axxb', 'Łódź', 'long '.repeat(20).trim(), '""'];
  const both = await bothTexts([...cells, ...cells, ...cells]);
  expect(both.length).toBeGreaterThan(20);
  expect(both.map(([sentAsAttributes]) => sentAsAttributes)).toEqual(both.map(([, read]) => read));
});

test('the cache of cell texts is right when every cell is different (C10)', async () => {
  const both = await bothTexts(Array.from({ length: 3_000 }, (_, index) => `a${index * 7_919}b`));
  expect(both.length).toBe(3_000);
  expect(both.map(([sentAsAttributes]) => sentAsAttributes)).toEqual(both.map(([, read]) => read));
});
