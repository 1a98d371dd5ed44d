import { expect, test } from 'vitest';
import type { Phase } from '../../../src/base/events.ts';
import { hashPlainData } from '../../../src/base/lib/hash.ts';
import { listReadableRuns } from '../../../src/runs/find/list-runs.ts';
import { findUnfinishedMatchingRun } from '../../../src/runs/find/matching-run.ts';
import { findUnfinishedLists } from '../../../src/runs/find/overtaken.ts';
import { createJournal } from '../../../src/runs/store/open-journal.ts';
import type { RunHeader } from '../../../src/runs/store/run-header.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { header, intent } from './samples.ts';

interface Ended {
  readonly given?: Partial<RunHeader>;
  readonly phase?: Phase;
  readonly sent?: boolean;
}

/** The runs that svc continues and names, after a run whose program was killed, as if its terminal closed. */
function foundAfter({ given = {}, phase = 'plan', sent = false }: Ended) {
  const state = tempFolder();
  const journal = createJournal(state, header('run_a', given));
  journal.setPhase(phase);
  sent && journal.requests.recordIntent(intent('0'));
  journal.close();
  const { command, origin, destination, options } = header('run_b', given);
  const audienceIds = [destination?.id ?? ''];
  const query = {
    ...{ command, origin, destinationId: destination?.id, optionsHash: hashPlainData(options) },
    ...{ inputs: ['a'.repeat(64)], previousId: undefined, sendOptionsHash: undefined },
    ...{ keyFingerprint: undefined, excludedRuns: undefined },
  };
  return [
    findUnfinishedMatchingRun(listReadableRuns(state), query)?.run,
    findUnfinishedLists(state, { run: 'run_b', origin, audienceIds, inputs: [] }).map(({ run }) => run),
  ];
}

test.each<[string, Ended]>([
  ['in the survey', { phase: 'survey' }],
  ['at the plan', { phase: 'plan' }],
])('neither continues nor names a run that ended %s without agreement (M7)', (_, ended) => {
  expect(foundAfter(ended)).toEqual([undefined, []]);
});

test.each<[string, Ended]>([
  ['the user agreed to', { given: { agreed: true } }],
  ['sent a request', { sent: true }],
  ['came to its first write', { phase: 'suppressions' }],
])('continues and names an unfinished run that %s (D1, G10)', (_, ended) => {
  expect(foundAfter(ended)).toEqual(['run_a', ['run_a']]);
});
