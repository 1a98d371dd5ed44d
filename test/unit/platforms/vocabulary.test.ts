import { expect, test } from 'vitest';
import { differing, goldenLines, meaningOf, tableOf } from '../import/vocabulary/golden.ts';

/**
 * Every header and word of every platform with its required meaning. A line that is lost, changed or misspelled in the
 * source fails here.
 */

const CELLS = ['yes', 'no', '', '2021-03-04', 'xyzzy'];

test('gives each header of a platform its role and meaning (C8, C10, C12)', () => {
  const golden = linesOf('platform-headers.txt', 550);
  const read = golden.map(([platform = '', header = '']) => {
    const table = tableOf([header], { from: platform });
    const proof = table.reading.consentColumns?.includes(header) ? ' proof' : '';
    const cells = CELLS.map((cell) => meaningOf(table, cell)).join(' | ');
    return [platform, header, `${table.columns[1]?.kind}${proof}`, cells];
  });
  expect(differing(read, golden)).toEqual([]);
});

test('reads each word of a platform with its meaning (C4, C6)', () => {
  const golden = linesOf('platform-words.txt', 280);
  const read = golden.map(([platform = '', header = '', word = '']) => [
    ...[platform, header, word],
    meaningOf(tableOf([header], { from: platform }), word),
  ]);
  expect(differing(read, golden)).toEqual([]);
});

test('reads the state that a platform writes in a file name (C6, C10)', () => {
  const golden = linesOf('platform-files.txt', 70);
  const read = golden.map(([name = '', header = '', cells = '']) => {
    const row = cells.split(',');
    const table = tableOf(header.split(','), { name, rows: [row] });
    return [name, header, cells, table.platform, meaningOf(table, ...row)];
  });
  expect(differing(read, golden)).toEqual([]);
});

test('recognizes each platform by its own headers (C10)', () => {
  const golden = linesOf('platform-recognition.txt', 200);
  const read = golden.map(([, ...headers]) => [tableOf(headers).platform, ...headers]);
  expect(differing(read, golden)).toEqual([]);
});

function linesOf(file: string, fewest: number): readonly (readonly string[])[] {
  const lines = goldenLines(file).map(({ cells }) => cells);
  expect(lines.length).toBeGreaterThan(fewest);
  return lines;
}
