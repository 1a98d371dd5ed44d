import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { deleteRun, pruneRuns } from '../../../src/runs/delete-run.ts';
import type { Journal } from '../../../src/runs/store/journal.ts';
import { createJournal, openEndedJournal } from '../../../src/runs/store/open-journal.ts';
import { runFiles, stateFolderLayout } from '../../../src/runs/store/state-folder.ts';
import { watchDisk } from '../../simulation/creations/disk.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { thrownBy } from '../base/thrown.ts';
import { header, intent, response } from './samples.ts';

function runOf(state: string, run: string, act: (journal: Journal) => void = () => {}): void {
  const journal = createJournal(state, header(run));
  act(journal);
  journal.close();
}

const addUnknown = ({ requests }: Journal) =>
  requests.recordOutcome(requests.recordIntent(intent('0', { rows: 2 })), 'doubt');
const inFlight = ({ requests }: Journal) => void requests.recordIntent(intent('0', { rows: 1 }));
const runsOf = (state: string) => readdirSync(stateFolderLayout(state).runs).sort();

test('runs delete deletes every file of a run', () => {
  const state = tempFolder();
  runOf(state, 'run_a', (journal) => {
    journal.requests.recordOutcome(journal.requests.recordIntent(intent('0')), 'done', response());
    journal.saveReport({});
  });
  runOf(state, 'run_b');
  deleteRun(state, 'run_a');
  expect(runsOf(state)).toEqual(['run_b']);
});

describe('a run with unknown outcomes', () => {
  test.each([
    ['two rows with unknown outcome', addUnknown, '2 rows', 'them'],
    ['one request without a response', inFlight, '1 row', 'it'],
  ])('runs delete needs --confirm and the id for a run with %s', (_, act, rows, record) => {
    const state = tempFolder();
    runOf(state, 'run_a', act);
    const refusal = {
      exit: 5,
      code: 'unknown_rows',
      message: `run_a has ${rows} with an unknown outcome; its folder is the only record of ${record}`,
      hint: [
        'To continue the run, which may find the outcome: svc runs resume run_a',
        'Only if you no longer need this record: svc runs delete run_a --confirm run_a',
      ].join('\n'),
    };
    expect(thrownBy(() => deleteRun(state, 'run_a'))).toEqual(refusal);
    expect(thrownBy(() => deleteRun(state, 'run_a', { confirm: 'run_b' }))).toEqual(refusal);
    deleteRun(state, 'run_a', { confirm: 'run_a' });
    expect(runsOf(state)).toEqual([]);
  });

  test('runs delete needs --confirm for a run with unreadable records', () => {
    const state = tempFolder();
    mkdirSync(runFiles(state, 'run_a').folder, { recursive: true });
    expect(thrownBy(() => deleteRun(state, 'run_a')).code).toBe('unknown_rows');
    deleteRun(state, 'run_a', { confirm: 'run_a' });
    expect(runsOf(state)).toEqual([]);
  });
});

test('runs delete refuses a run that a process works on, even with --confirm', () => {
  const state = tempFolder();
  const journal = createJournal(state, header('run_a'));
  expect(thrownBy(() => deleteRun(state, 'run_a', { confirm: 'run_a' }))).toEqual({
    exit: 6,
    code: 'busy',
    message: 'another process is working on run_a',
    hint: 'svc runs show run_a',
  });
  expect(existsSync(journal.files.folder)).toBe(true);
  journal.close();
});

test.each(['run_none', '../runs', '.'])('runs delete says that there is no run %j', (run) => {
  const state = tempFolder();
  runOf(state, 'run_a');
  const { exit, code } = thrownBy(() => deleteRun(state, run));
  expect({ exit, code, runs: runsOf(state) }).toEqual({ exit: 2, code: 'run_not_found', runs: ['run_a'] });
});

test('runs prune deletes old finished runs, and says why it keeps other runs', () => {
  const state = tempFolder();
  const ended =
    (at: number, more: (journal: Journal) => void = () => {}) =>
    (journal: Journal) => {
      more(journal);
      journal.setStatus('completed', 0, at);
    };
  runOf(state, 'run_old', ended(2_000));
  runOf(state, 'run_young', ended(5_000));
  runOf(state, 'run_doubt', ended(2_000, addUnknown));
  runOf(state, 'run_killed');
  const working = createJournal(state, header('run_working'));
  mkdirSync(join(stateFolderLayout(state).runs, '.deleted-run_half'));
  const { deleted, kept } = pruneRuns(state, { olderThan: { ms: 1_000, now: 6_000 } });
  const left = runsOf(state);
  working.close();
  expect({ deleted, kept: [...kept].sort((a, b) => (a.run < b.run ? -1 : 1)), left }).toEqual({
    deleted: ['run_old'],
    kept: [
      { run: 'run_doubt', why: 'unknown' },
      { run: 'run_killed', why: 'unfinished' },
      { run: 'run_working', why: 'running' },
    ],
    left: ['run_doubt', 'run_killed', 'run_working', 'run_young'],
  });
});

test('runs prune keeps the newest finished runs, and unfinished ones (G9)', () => {
  const state = tempFolder();
  const ended = (journal: Journal) => journal.setStatus('completed', 0, 1);
  for (const run of ['run_1', 'run_2', 'run_3', 'run_4']) {
    runOf(state, run, ended);
  }
  runOf(state, 'run_0_killed');
  runOf(state, 'run_0_doubt', (journal) => {
    addUnknown(journal);
    ended(journal);
  });
  const { deleted } = pruneRuns(state, { keep: 2 });
  expect([deleted, runsOf(state)]).toEqual([
    ['run_2', 'run_1'],
    ['run_0_doubt', 'run_0_killed', 'run_3', 'run_4'],
  ]);
});

/** Runs work while another process deletes each renamed folder before this process can. */
function besideOtherDeletion<T>(state: string, work: () => T): T {
  const { runs } = stateFolderLayout(state);
  const disk = watchDisk();
  onTestFinished(() => disk.release());
  const deleteFirst = () => {
    for (const name of readdirSync(runs).filter((one) => one.startsWith('.deleted-'))) {
      rmSync(join(runs, name), { recursive: true });
    }
  };
  return disk.watch(() => disk.outside(deleteFirst), work);
}

test('runs delete succeeds when another process deletes the folder first', () => {
  const state = tempFolder();
  runOf(state, 'run_a');
  runOf(state, 'run_b');
  besideOtherDeletion(state, () => deleteRun(state, 'run_a'));
  expect(runsOf(state)).toEqual(['run_b']);
});

test('runs prune succeeds when another process deletes leftovers first', () => {
  const state = tempFolder();
  runOf(state, 'run_old', (journal) => journal.setStatus('completed', 0, 1));
  const { runs } = stateFolderLayout(state);
  for (const name of ['.deleted-run_x', '.deleted-run_y']) {
    mkdirSync(join(runs, name));
  }
  const { deleted } = besideOtherDeletion(state, () => pruneRuns(state, { keep: 1 }));
  expect([deleted, runsOf(state)]).toEqual([[], ['run_old']]);
});

/** Runs work. Another process takes the lock of the run just before the first change on the disk. */
function besideResume(state: string, run: string, work: () => unknown): unknown {
  const disk = watchDisk();
  let journal: Journal | undefined;
  onTestFinished(() => {
    disk.release();
    journal?.close();
  });
  const resume = () => {
    journal ??= openEndedJournal(state, run);
  };
  return disk.watch(() => disk.outside(resume), work);
}

test.each([
  ['runs delete', (state: string) => thrownBy(() => deleteRun(state, 'run_a')), { code: 'busy', exit: 6 }],
  [
    'runs prune',
    (state: string) => pruneRuns(state, { keep: 0 }),
    { deleted: ['run_b'], kept: [{ run: 'run_a', why: 'running' }] },
  ],
])('%s keeps a run that another process resumes at that moment (D9)', (_, work, result) => {
  const state = tempFolder();
  for (const run of ['run_a', 'run_b']) {
    runOf(state, run, (journal) => journal.setStatus('completed', 0, 1));
  }
  expect(besideResume(state, 'run_a', () => work(state))).toMatchObject(result);
  expect(runsOf(state)).toContain('run_a');
  expect(existsSync(runFiles(state, 'run_a').db)).toBe(true);
});
