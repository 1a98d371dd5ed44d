import { describe, expect, test } from 'vitest';
import { hashPlain } from '../../src/base/lib/hash.ts';
import { emptyTwins, findUnfinishedTwin, lastFinishedTwin, type TwinQuery } from '../../src/runs/find/matching-run.ts';
import type { RunHeader } from '../../src/runs/store/header.ts';
import { createRun } from '../../src/runs/store/journal.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { header, intent } from './samples.ts';

const QUERY: TwinQuery = {
  command: 'migrate',
  origin: 'https://api.example.test',
  destinationId: 'aud_1',
  inputs: ['a'.repeat(64)],
  optionsHash: hashPlain({ from: 'auto' }),
};

function ended(state: string, status: string, given: RunHeader): void {
  const journal = createRun(state, given);
  journal.setStatus(status, 0, 9);
  journal.close();
}

test('the same command goes on with the newest unfinished run of the same work', () => {
  const state = tempFolder();
  ended(state, 'failed', header('run_a', { startedAt: 1 }));
  ended(state, 'interrupted', header('run_b', { startedAt: 2 }));
  ended(state, 'completed', header('run_c', { startedAt: 3 }));
  expect(findUnfinishedTwin(state, QUERY)?.run).toBe('run_b');
});

test('D1: a run that sent something is continued before a newer one that a kill left empty', () => {
  const state = tempFolder();
  const journal = createRun(state, header('run_a', { startedAt: 1 }));
  journal.units.begin(intent('0'));
  journal.close();
  ended(state, 'failed', header('run_b', { startedAt: 2 }));
  expect(findUnfinishedTwin(state, QUERY)?.run).toBe('run_a');
  expect(emptyTwins(state, QUERY, 'run_a').map(({ run }) => run)).toEqual(['run_b']);
});

test('D1: a run killed before it knew the audience it had created is continued', () => {
  const state = tempFolder();
  const destination = { kind: 'new audience', id: 'new:News', name: 'News', createdAt: '' };
  ended(state, 'failed', header('run_a', { destination }));
  ended(state, 'failed', header('run_b', { destination: { ...destination, id: 'new:Letters' } }));
  expect(findUnfinishedTwin(state, { ...QUERY, previousId: 'new:News' })?.run).toBe('run_a');
});

test('I11: a run that is at work now is left to the process that works on it', () => {
  const state = tempFolder();
  const journal = createRun(state, header('run_a'));
  expect(findUnfinishedTwin(state, QUERY)).toBe(undefined);
  journal.close();
  expect(findUnfinishedTwin(state, QUERY)?.run).toBe('run_a');
});

describe('K4, D5: another work is no twin', () => {
  test.each<[string, Partial<TwinQuery>]>([
    ['another command', { command: 'contacts import' }],
    ['another origin', { origin: 'https://other.example.test' }],
    ['another audience', { destinationId: 'aud_2' }],
    ['no audience yet', { destinationId: undefined }],
    ['another content', { inputs: ['b'.repeat(64)] }],
    ['one more input', { inputs: ['a'.repeat(64), 'b'.repeat(64)] }],
    ['other options', { optionsHash: hashPlain({ from: 'mailchimp' }) }],
  ])('%s', (_, change) => {
    const state = tempFolder();
    ended(state, 'failed', header('run_a'));
    ended(state, 'completed', header('run_b'));
    const query = { ...QUERY, ...change };
    expect([findUnfinishedTwin(state, query), lastFinishedTwin(state, query)]).toEqual([undefined, undefined]);
  });
});

test('options are not compared where none are given, and where the file lies never matters', () => {
  const state = tempFolder();
  ended(state, 'failed', header('run_a', { inputs: [{ path: '/elsewhere.csv', sha256: 'a'.repeat(64), size: 100 }] }));
  expect(findUnfinishedTwin(state, { ...QUERY, optionsHash: undefined })?.run).toBe('run_a');
});

test('the last finished twin is the newest that wrote to the service', () => {
  const state = tempFolder();
  ['completed', 'unverified', 'partial', 'planned', 'refused', 'busy', 'failed'].forEach((status, index) => {
    ended(state, status, header(`run_${index}`, { startedAt: index }));
  });
  expect(lastFinishedTwin(state, QUERY)?.run).toBe('run_2');
});
