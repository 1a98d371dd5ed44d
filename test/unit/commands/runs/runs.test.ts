import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { unreportedRunText } from '../../../../src/render/lists/runs.ts';
import type { RunSummary } from '../../../../src/runs/find/summarize-run.ts';
import type { RunCounts } from '../../../../src/runs/store/counts.ts';
import { createWorld } from '../../../support/world.ts';

const SEND = 'emails send --from me@example.com --to a@example.com --subject s --text t';

test('runs show --json uses names in snake case when a run has no report', async () => {
  const world = await createWorld();
  world.emulator.admin.addFault({ kind: 'reset', when: 'after', match: { route: 'POST /v1/emails' } });
  await world.svc(SEND);

  const [run] = (await world.svc('runs ls --json')).json;
  const { counts, ...shown } = (await world.svc(`runs show ${run.run} --json`)).json;

  expect(run).toEqual({
    object: 'run',
    run: expect.stringMatching(/^run_/),
    command: 'emails send',
    status: 'failed',
    phase: null,
    exit_code: 1,
    finished: false,
    unknown: 1,
    origin: 'https://mail.example.test/api',
    destination: null,
    destination_id: null,
    started_at: expect.stringMatching(ISO),
    ended_at: expect.stringMatching(ISO),
    folder: join(world.folder, 'state', 'svc', 'runs', run.run),
    input_copy_bytes: 0,
  });
  expect(shown).toEqual(run);
  const names = Object.keys(counts);
  expect(names).toEqual(expect.arrayContaining(['fresh_created', 'fresh_updated', 'already_suppressed', 'doubt']));
  expect(names.filter((name) => /[A-Z]/.test(name))).toEqual([]);
});

test('runs show describes a run without a report, with the next step (D1)', async () => {
  const world = await createWorld();
  world.emulator.admin.addFault({ kind: 'reset', when: 'after', match: { route: 'POST /v1/emails' } });
  await world.svc(SEND);
  const [{ run }] = (await world.svc('runs ls --json')).json;
  expect((await world.svc('runs show latest')).out).toBe(
    `${run}: emails send\nNot finished: failed. Rows so far: 1 unknown until it continues.\nNext: svc runs resume ${run}\n`,
  );
});

const KILLED: RunSummary = {
  run: 'run_1',
  command: 'contacts import',
  status: 'unfinished',
  origin: 'https://a.example.test',
  destination: 'Newsletter',
  startedAt: 0,
  endedAt: undefined,
  folder: '/s/runs/run_1',
  copiedBytes: 0,
  unknown: 1_000,
  finished: false,
};
const COUNTS: RunCounts = {
  created: 2_000,
  updated: 3,
  freshCreated: 2_000,
  freshUpdated: 3,
  suppressed: 0,
  alreadySuppressed: 0,
  replayed: 0,
  outcomes: {},
  failed: { invalid_email: 2 },
  refused: 1,
  doubt: 400,
  pending: 600,
};
const NO_COUNTS = { ...COUNTS, created: 0, updated: 0, failed: {}, refused: 0, doubt: 0, pending: 0 };

test.each([
  [
    'killed',
    {},
    COUNTS,
    'Not finished: svc was killed. Rows so far: 2,000 created, 3 updated, 3 refused, 1,000 unknown until it continues.',
  ],
  ['killed before its first request', {}, NO_COUNTS, 'Not finished: svc was killed. Nothing was sent.'],
  [
    'running',
    { status: 'running' },
    { ...NO_COUNTS, created: 5, pending: 1 },
    'It is running now. Rows so far: 5 created, 1 unknown.',
  ],
  [
    'overtaken',
    { overtakenBy: 'run_2' },
    NO_COUNTS,
    "It can't continue: run_2 wrote to the same audience since. Nothing was sent.",
  ],
  [
    'an enrollment',
    {},
    { ...NO_COUNTS, outcomes: { enrolled: 4, not_subscribed: 1 } },
    'Not finished: svc was killed. Rows so far: 4 enrolled, 1 not subscribed.',
  ],
])('runs show says what a run did when it is %s (D1)', (_, change, counts, sentence) => {
  expect(unreportedRunText({ ...KILLED, ...change }, counts, undefined)).toBe(
    `run_1: contacts import to Newsletter\n${sentence}\n`,
  );
});

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

test.each(['migrate nofile.csv', 'automations enroll aut_x nofile.csv'])(
  'leaves no run folder when the list does not exist: %s',
  async (line) => {
    const world = await createWorld();
    const { code } = await world.svc(line.replace('aut_x', world.emulator.admin.createAutomation({})));
    expect([code, readdirSync(join(world.folder, 'state', 'svc', 'runs'))]).toEqual([2, []]);
  },
);

test('shows the newest run for runs show latest', async () => {
  const world = await createWorld();
  expect((await world.svc('runs show latest')).err).toContain('there is no run yet');
  world.file('list.csv', 'email\na@example.com\n');
  await world.svc('contacts import list.csv --dry-run --json');
  await world.clock.advance(1_000);
  const { json } = await world.svc('contacts import list.csv --dry-run --default-status subscribed --json');
  expect((await world.svc('runs ls --json')).json).toHaveLength(2);
  expect((await world.svc('runs show latest --json')).json.run).toBe(json.run);
});

test('runs resume shows which run, file and destination it continues', async () => {
  const world = await createWorld();
  world.emulator.admin.addFault({ kind: 'reset', when: 'after', match: { route: 'POST *contacts/batch' }, times: 40 });
  world.file('list.csv', 'email\na@example.com\n');
  const first = await world.svc('contacts import list.csv --default-status subscribed --json --max-wait 1s');
  expect(first.code).toBe(1);
  const { err } = await world.svc('runs resume --yes');
  expect(err.split('\n')[0]).toBe(
    `Resuming ${first.json.run}: contacts import list.csv to Newsletter, started 2026-01-01 00:00 UTC`,
  );
});

test('runs ls notes that the named state folder is missing', async () => {
  const world = await createWorld();
  const { code, out, err } = await world.svc('runs ls --state-dir nowhere');
  expect([code, out, err]).toEqual([0, '', expect.stringContaining('there is no folder')]);
  expect((await world.svc('runs ls')).err).toBe('');
});
