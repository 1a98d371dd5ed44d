import { expect, test } from 'vitest';
import { meaningOf, tableOf } from '../vocabulary/golden.ts';

/** Columns whose header may mean an end: the header, its first cells, and then what each of `CELLS` means below it. */
const COLUMNS: readonly (readonly [string, readonly string[], string])[] = [
  ['Out', ['x'], 'asked asked asked asked blank'],
  ['Out', ['2024-01-02', ''], 'asked asked asked asked blank'],
  ['Out', ['yes', 'no'], 'refused - refused refused -'],
  ['Closed', ['1', '0'], 'refused - refused refused -'],
  ['Membership end', ['x'], 'asked asked asked asked blank'],
  ['Membership end', ['x', '2024-01-02'], 'asked asked asked asked blank'],
  ['Membership end', ['yes', 'no'], 'asked asked asked asked blank'],
  ['Membership end', ['2024-01-02'], '- - - - -'],
];
const CELLS = ['x', 'no', '2024-01-02', 'maybe', ''];

test.each(COLUMNS)('reads cells under %s as the first cells %j suggest (C10)', (header, sample, meanings) => {
  const table = tableOf([header], { rows: sample.map((cell) => [cell]) });
  expect(CELLS.map((cell) => meaningOf(table, cell)).join(' ')).toBe(meanings);
});
