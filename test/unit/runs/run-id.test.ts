import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isRunId, newRunId, runFiles, stateFolderLayout } from '../../../src/runs/store/state-folder.ts';
import { tempFolder } from '../../support/temp-folder.ts';

test('a run id has the start time in UTC and random characters', () => {
  const state = join(tempFolder(), 'missing');
  expect(newRunId(state, Date.UTC(2026, 0, 1, 9, 30, 0, 123), (length) => 'ab12cd34'.slice(0, length))).toBe(
    'run_20260101T093000123_ab12cd',
  );
});

test('run ids sort in the order in which svc made the runs (P7)', () => {
  const state = tempFolder();
  const times = [0, 1, 999, 999, 1e12, 1.7e12, 3, 1.7e12, 4e12, 5, 5, 1.8e12];
  const ids = times.map((time, index) => {
    const id = newRunId(state, time, (length) => String(9 - (index % 10)).repeat(length));
    mkdirSync(runFiles(state, id).folder, { recursive: true });
    return id;
  });
  expect([...ids].sort()).toEqual(ids);
});

test.each(['run_a', 'run_20261399T000000000_abcdef', 'run_9', '.deleted-run_20990101T000000000_abcdef', 'notes.txt'])(
  'ignores the folder "%s" when it makes a run id',
  (name) => {
    const state = tempFolder();
    mkdirSync(join(stateFolderLayout(state).runs, name), { recursive: true });
    expect(newRunId(state, 0, (length) => 'a'.repeat(length))).toBe('run_19700101T000000000_aaaaaa');
  },
);

test.each([
  ['run_20260101T093000123_ab12cd', true],
  ['run_', false],
  ['run_../../etc', false],
  ['run_a\n', false],
  ['..', false],
  ['', false],
])('says whether %j is a run id: %s (K2)', (text, may) => {
  expect(isRunId(text)).toBe(may);
});
