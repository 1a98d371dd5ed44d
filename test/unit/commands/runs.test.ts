import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createWorld } from '../../support/world.ts';

const SEND = 'emails send --from me@example.com --to a@example.com --subject s --text t';

test('prints a run without a report in the words of the service with --json', async () => {
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

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

test.each(['migrate nofile.csv', 'automations enroll aut_x nofile.csv'])(
  'leaves no run behind after %s, because nothing of it can be resumed',
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

test('shows which run, file and destination runs resume continues', async () => {
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
