import { expect, test } from 'vitest';
import { isRunId, newRunId } from '../../../src/runs/state-folder.ts';

test('makes a run id from the start time in UTC and random characters', () => {
  expect(newRunId(Date.UTC(2026, 0, 1, 9, 30, 0, 123), (length) => 'ab12cd34'.slice(0, length))).toBe(
    'run_20260101T093000123_ab12cd',
  );
});

test('sorts run ids by start time', () => {
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
])('allows %j as the name of a folder: %s (K2)', (text, may) => {
  expect(isRunId(text)).toBe(may);
});
