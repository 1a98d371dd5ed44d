import { expect, test } from 'vitest';
import { isRunId, newRunId } from '../../../src/base/lib/run.ts';

test('a run id shows its start in UTC and ends in what chance gave', () => {
  expect(newRunId(Date.UTC(2026, 0, 1, 9, 30, 0, 123), (length) => 'ab12cd34'.slice(0, length))).toBe(
    'run_20260101T093000123_ab12cd',
  );
});

test('ids sort as their runs began', () => {
  const times = [0, 1, 999, 1_000, 1e12, 1.7e12];
  const ids = times.map((time, index) => newRunId(time, (length) => String(9 - index).repeat(length)));
  expect([...ids].sort()).toEqual(ids);
});

test.each([
  ['run_20260101T093000123_ab12cd', true],
  ['run_', false],
  ['run_../../etc', false],
  ['run_a\n', false],
  ['..', false],
  ['', false],
])('K2: %j may name a folder: %s', (text, may) => {
  expect(isRunId(text)).toBe(may);
});
