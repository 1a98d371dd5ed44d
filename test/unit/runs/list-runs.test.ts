import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listRuns, unfinishedRuns } from '../../../src/runs/find/list-runs.ts';
import { continuationOf, OPEN_OPT_OUTS_NOTE, OVERTAKEN_BY_NOTE } from '../../../src/runs/find/run-status.ts';
import { summarizeRun } from '../../../src/runs/find/summarize-run.ts';
import type { Journal } from '../../../src/runs/store/journal.ts';
import { createJournal, openEndedJournal } from '../../../src/runs/store/open-journal.ts';
import { runFiles } from '../../../src/runs/store/state-folder.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { startChild } from './fixtures/child.ts';
import { header, intent, response } from './samples.ts';

/** Creates a run, changes it with `act`, and closes it. */
function runOf(state: string, run: string, act: (journal: Journal) => void): void {
  const journal = createJournal(state, header(run));
  act(journal);
  journal.close();
}

test('runs ls lists no runs when the state folder does not exist', () => {
  expect(listRuns(join(tempFolder(), 'none'))).toEqual([]);
});

test('runs ls offers no resume of a run killed before it read its list (D1)', () => {
  const state = tempFolder();
  createJournal(state, header('run_a', { options: { inputs: ['list.csv'] }, inputs: [] })).close();
  createJournal(state, header('run_b', { options: { inputs: ['list.csv'] } })).close();
  expect(unfinishedRuns(state).map(({ run }) => run)).toEqual(['run_b']);
});

test('runs ls lists runs with all their fields, newest first', () => {
  const state = tempFolder();
  createJournal(state, header('run_a', { startedAt: 1, destination: undefined })).close();
  const journal = createJournal(state, header('run_b', { startedAt: 2 }));
  journal.requests.recordOutcome(journal.requests.recordIntent(intent('0', { rows: 3 })), 'doubt');
  journal.requests.recordIntent(intent('1', { rows: 4 }));
  journal.setPhase('done');
  journal.setStatus('partial', 3, 9);
  journal.close();
  const shared = { command: 'migrate', origin: 'https://api.example.test' };
  expect(listRuns(state)).toEqual([
    {
      ...shared,
      run: 'run_b',
      status: 'partial',
      destination: 'News',
      destinationId: 'aud_1',
      audienceId: 'aud_1',
      startedAt: 2,
      endedAt: 9,
      folder: runFiles(state, 'run_b').folder,
      copiedBytes: 0,
      unknown: 7,
      header: header('run_b', { startedAt: 2 }),
      hasSent: true,
      lastSentAt: 5,
      finished: true,
      phase: 'done',
      exitCode: 3,
    },
    {
      ...shared,
      run: 'run_a',
      status: 'unfinished',
      destination: undefined,
      startedAt: 1,
      endedAt: undefined,
      folder: runFiles(state, 'run_a').folder,
      copiedBytes: 0,
      unknown: 0,
      header: header('run_a', { startedAt: 1, destination: undefined }),
      hasSent: false,
      lastSentAt: undefined,
      finished: false,
    },
  ]);
});

test('runs ls shows a run as it is now when it changed since (D9, G10)', () => {
  const state = tempFolder();
  runOf(state, 'run_a', (journal) => journal.setStatus('completed', 0, 9));
  const { db, inputs } = runFiles(state, 'run_a');
  const listed = (secondsAgo: number) => {
    const time = Date.now() / 1_000 - secondsAgo;
    utimesSync(db, time, time);
    const [{ status, overtakenBy, copiedBytes } = {}] = listRuns(state);
    return { status, overtakenBy, copiedBytes };
  };
  const before = { status: 'completed', overtakenBy: undefined, copiedBytes: 0 };
  expect([listed(60.5), listed(60.5)]).toEqual([before, before]);
  mkdirSync(inputs);
  writeFileSync(join(inputs, '0'), 'Email');
  expect(listed(60.5)).toEqual({ ...before, copiedBytes: 5 });
  const overtaken = openEndedJournal(state, 'run_a');
  overtaken.writeNote(OVERTAKEN_BY_NOTE, 'run_b');
  expect(listRuns(state)).toMatchObject([{ overtakenBy: 'run_b' }]);
  overtaken.close();
  expect(listed(50.5)).toEqual({ status: 'completed', overtakenBy: 'run_b', copiedBytes: 5 });
});

test('reads a run again after it ended only when its run.db changed', () => {
  const state = tempFolder();
  runOf(state, 'run_a', (journal) => journal.setStatus('completed', 0, 9));
  const { db } = runFiles(state, 'run_a');
  utimesSync(db, 1_700_000_000.5, 1_700_000_000.5);
  const [first, again] = [listRuns(state), listRuns(state)];
  // A header that was read again is another object.
  expect(again[0]?.header).toBe(first[0]?.header);
  utimesSync(db, 1_700_000_001.5, 1_700_000_001.5);
  expect(listRuns(state)[0]?.header).not.toBe(first[0]?.header);
});

test('counts people to read back only after the run sent a request (C1)', () => {
  const state = tempFolder();
  runOf(state, 'run_a', ({ writeNote }) => writeNote(OPEN_OPT_OUTS_NOTE, 2));
  runOf(state, 'run_b', ({ writeNote, requests }) => {
    writeNote(OPEN_OPT_OUTS_NOTE, 2);
    requests.recordIntent(intent('0', { rows: 3 }));
  });
  const counts = ['run_a', 'run_b'].map((run) => summarizeRun(state, run).openOptOuts);
  expect(counts).toEqual([undefined, 2]);
});

test('runs ls shows a run as running while its process lives (D1)', async () => {
  const state = tempFolder();
  createJournal(state, header('run_a')).close();
  const child = startChild('send-requests.ts', [state, 'run_a']);
  await child.saw('reported 0');
  const before = [listRuns(state).map(({ status }) => status), unfinishedRuns(state)];
  await child.kill();
  expect([...before, unfinishedRuns(state).map(({ run, status }) => [run, status])]).toEqual([
    ['running'],
    [],
    [['run_a', 'unfinished']],
  ]);
});

describe('a run that ended', () => {
  const sent = (journal: Journal) =>
    journal.requests.recordOutcome(journal.requests.recordIntent(intent('0')), 'done', response());
  const firstBatch = (journal: Journal) => journal.setPhase('first_batch');
  const verify = (journal: Journal) => journal.setPhase('verify');
  const overtaken = (journal: Journal) => {
    sent(journal);
    journal.writeNote(OVERTAKEN_BY_NOTE, 'run_b');
  };
  const ACTS = {
    'no request': () => {},
    'the agreement': (journal: Journal) => journal.amendHeader({ agreed: true }),
    'one request': sent,
    'the verification': verify,
    'the canary': firstBatch,
    'a newer list': overtaken,
  };
  test.each([
    ['completed', 0, 'no request', true, 'nothing'],
    ['partial', 3, 'one request', true, 'nothing'],
    ['planned', 0, 'no request', true, 'nothing'],
    ['refused', 5, 'no request', true, 'nothing'],
    ['refused', 5, 'the agreement', true, 'nothing'],
    ['refused', 5, 'one request', false, 'nothing'],
    ['busy', 6, 'no request', true, 'nothing'],
    ['busy', 6, 'one request', false, 'nothing'],
    ['unverified', 8, 'the verification', true, 'nothing'],
    ['unverified', 8, 'the canary', false, 'nothing'],
    ['stopped', 7, 'no request', false, 'restart'],
    ['stopped', 7, 'the agreement', false, 'resume'],
    ['stopped', 7, 'one request', false, 'resume'],
    ['stopped', 7, 'a newer list', true, 'nothing'],
    ['failed', 1, 'no request', false, 'restart'],
    ['failed', 1, 'the agreement', false, 'resume'],
    ['failed', 1, 'one request', false, 'resume'],
    ['interrupted', 130, 'no request', false, 'restart'],
    ['interrupted', 130, 'the agreement', false, 'resume'],
    ['interrupted', 130, 'one request', false, 'resume'],
    ['later', 75, 'one request', false, 'resume'],
    ['bug', 70, 'no request', false, 'restart'],
    ['bug', 70, 'the agreement', false, 'resume'],
    ['bug', 70, 'one request', false, 'resume'],
  ] as const)(
    'runs ls: status %s (exit %d) after %s, finished %s, next step %s (D1)',
    (status, exitCode, act, finished, by) => {
      const state = tempFolder();
      const way = by === 'nothing' ? undefined : by;
      runOf(state, 'run_a', (journal) => {
        ACTS[act](journal);
        journal.setStatus(status, exitCode, 9);
        expect(continuationOf(status, { journal, account: { isEphemeral: false } })).toBe(way);
        const restart = way === undefined ? undefined : 'restart';
        expect(continuationOf(status, { journal, account: { isEphemeral: true } })).toBe(restart);
      });
      expect([listRuns(state)[0]?.finished, unfinishedRuns(state).length]).toEqual([finished, finished ? 0 : 1]);
    },
  );
});

describe('a list of runs with a damaged folder', () => {
  test.each([
    ['is empty', (folder: string) => mkdirSync(folder)],
    [
      'holds no database',
      (folder: string) => {
        mkdirSync(folder);
        writeFileSync(join(folder, 'run.db'), 'x'.repeat(5_000));
      },
    ],
    ['is a file', (folder: string) => writeFileSync(folder, '')],
    [
      'has a folder in place of its database',
      (folder: string) => {
        mkdirSync(folder);
        mkdirSync(join(folder, 'run.db'));
      },
    ],
  ])('runs ls lists the other runs when the folder of one %s', (_, make) => {
    const state = tempFolder();
    runOf(state, 'run_a', () => {});
    const { folder } = runFiles(state, 'run_broken');
    make(folder);
    utimesSync(folder, 7, 7);
    expect(listRuns(state).map(({ run, status, startedAt }) => ({ run, status, startedAt }))).toEqual([
      { run: 'run_broken', status: 'broken', startedAt: 7_000 },
      { run: 'run_a', status: 'unfinished', startedAt: 1_000 },
    ]);
  });

  test('runs ls offers no resume of a run whose database is missing', () => {
    const state = tempFolder();
    runOf(state, 'run_a', () => {});
    rmSync(runFiles(state, 'run_a').db);
    expect(unfinishedRuns(state)).toEqual([]);
  });
});

test('the summary of a run says broken when its folder does not exist', () => {
  expect(summarizeRun(tempFolder(), 'run_1')).toMatchObject({ run: 'run_1', status: 'broken', startedAt: 0 });
});
