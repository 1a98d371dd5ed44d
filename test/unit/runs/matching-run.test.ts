import { describe, expect, test } from 'vitest';
import { hashPlainData } from '../../../src/base/lib/hash.ts';
import { listReadableRuns } from '../../../src/runs/find/list-runs.ts';
import {
  findEmptyMatches,
  findLastFinishedMatch,
  findUnfinishedMatchingRun,
  hashOfSendOptions,
  type MatchingRunQuery,
} from '../../../src/runs/find/matching-run.ts';
import { createJournal } from '../../../src/runs/store/open-journal.ts';
import type { RunHeader } from '../../../src/runs/store/run-header.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { header, intent } from './samples.ts';

const QUERY: MatchingRunQuery = {
  command: 'migrate',
  origin: 'https://api.example.test',
  destinationId: 'aud_1',
  inputs: ['a'.repeat(64)],
  optionsHash: hashPlainData({ from: 'auto' }),
  previousId: undefined,
  sendOptionsHash: undefined,
  keyFingerprint: undefined,
  excludedRuns: undefined,
};

function createEndedRun(state: string, status: string, given: RunHeader): void {
  const journal = createJournal(state, given);
  journal.setStatus(status, 0, 9);
  journal.close();
}

test('continues the newest unfinished run with the same list and audience', () => {
  const state = tempFolder();
  createEndedRun(state, 'failed', header('run_a', { startedAt: 1 }));
  createEndedRun(state, 'interrupted', header('run_b', { startedAt: 2 }));
  createEndedRun(state, 'completed', header('run_c', { startedAt: 3 }));
  expect(findUnfinishedMatchingRun(listReadableRuns(state), QUERY)?.run).toBe('run_b');
});

test.each([
  ['a run that sent requests continues with other limits', true, { from: 'auto', maxFailures: 3 }, 'run_a'],
  ['a run without requests does not continue with other limits', false, { from: 'auto', maxFailures: 3 }, undefined],
  ['no run continues when the list is read as another platform', true, { from: 'mailchimp' }, undefined],
])('finds a run to continue by its options: %s (D1, M5)', (_, sent, options, found) => {
  const state = tempFolder();
  const journal = createJournal(state, header('run_a'));
  if (sent) {
    journal.requests.recordIntent(intent('0'));
  }
  journal.close();
  const query = { ...QUERY, optionsHash: hashPlainData(options), sendOptionsHash: hashOfSendOptions(options) };
  expect(findUnfinishedMatchingRun(listReadableRuns(state), query)?.run).toBe(found);
});

test('prefers a run that sent requests to a newer run that sent none (D1)', () => {
  const state = tempFolder();
  const journal = createJournal(state, header('run_a', { startedAt: 1 }));
  journal.requests.recordIntent(intent('0'));
  journal.close();
  createEndedRun(state, 'failed', header('run_b', { startedAt: 2 }));
  expect(findUnfinishedMatchingRun(listReadableRuns(state), QUERY)?.run).toBe('run_a');
  expect(findEmptyMatches(state, QUERY, 'run_a').map(({ run }) => run)).toEqual(['run_b']);
});

test('continues a run killed before it recorded its new audience (D1)', () => {
  const state = tempFolder();
  const destination = { kind: 'new audience', id: 'new:News', name: 'News', createdAt: '' };
  createEndedRun(state, 'failed', header('run_a', { destination }));
  createEndedRun(state, 'failed', header('run_b', { destination: { ...destination, id: 'new:Letters' } }));
  expect(findUnfinishedMatchingRun(listReadableRuns(state), { ...QUERY, previousId: 'new:News' })?.run).toBe('run_a');
});

test('continues no run that another process is working on (I11)', () => {
  const state = tempFolder();
  const journal = createJournal(state, header('run_a'));
  expect(findUnfinishedMatchingRun(listReadableRuns(state), QUERY)).toBe(undefined);
  journal.close();
  expect(findUnfinishedMatchingRun(listReadableRuns(state), QUERY)?.run).toBe('run_a');
});

describe('a run for another command, list or audience (K4, D5)', () => {
  test.each<[string, Partial<MatchingRunQuery>]>([
    ['another command', { command: 'contacts import' }],
    ['another origin', { origin: 'https://other.example.test' }],
    ['another audience', { destinationId: 'aud_2' }],
    ['no audience yet', { destinationId: undefined }],
    ['another content', { inputs: ['b'.repeat(64)] }],
    ['one more input', { inputs: ['a'.repeat(64), 'b'.repeat(64)] }],
    ['other options', { optionsHash: hashPlainData({ from: 'mailchimp' }) }],
  ])('does not continue a run when the new run has %s', (_, change) => {
    const state = tempFolder();
    createEndedRun(state, 'failed', header('run_a'));
    createEndedRun(state, 'completed', header('run_b'));
    const query = { ...QUERY, ...change };
    expect([
      findUnfinishedMatchingRun(listReadableRuns(state), query),
      findLastFinishedMatch(listReadableRuns(state), query),
    ]).toEqual([undefined, undefined]);
  });
});

test('finds a run by the content of its list, whatever the path of the file', () => {
  const state = tempFolder();
  createEndedRun(
    state,
    'failed',
    header('run_a', { inputs: [{ path: '/elsewhere.csv', sha256: 'a'.repeat(64), size: 100 }] }),
  );
  expect(findUnfinishedMatchingRun(listReadableRuns(state), { ...QUERY, optionsHash: undefined })?.run).toBe('run_a');
});

test('finds the newest finished run that wrote the same list', () => {
  const state = tempFolder();
  ['completed', 'unverified', 'partial', 'planned', 'refused', 'busy', 'failed'].forEach((status, index) => {
    createEndedRun(state, status, header(`run_${index}`, { startedAt: index }));
  });
  expect(findLastFinishedMatch(listReadableRuns(state), QUERY)?.run).toBe('run_2');
});

test('finds a finished run without destination by its API key (K4)', () => {
  const state = tempFolder();
  const query = { ...QUERY, destinationId: undefined };
  createEndedRun(state, 'completed', header('run_a', { destination: undefined, keyFingerprint: 'a' }));
  expect(findLastFinishedMatch(listReadableRuns(state), { ...query, keyFingerprint: 'a' })?.run).toBe('run_a');
  expect(findLastFinishedMatch(listReadableRuns(state), { ...query, keyFingerprint: 'b' })).toBe(undefined);
});

test('continues an older run when the query excludes the newest one (K4)', () => {
  const state = tempFolder();
  createEndedRun(state, 'failed', header('run_a', { startedAt: 1 }));
  createEndedRun(state, 'failed', header('run_b', { startedAt: 2 }));
  expect(findUnfinishedMatchingRun(listReadableRuns(state), { ...QUERY, excludedRuns: ['run_b'] })?.run).toBe('run_a');
});
