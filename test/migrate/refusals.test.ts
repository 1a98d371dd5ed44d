import { expect, test } from 'vitest';
import { people } from '../support/lists.ts';
import { createWorld } from '../support/world.ts';

const BATCH = 'POST /v1/audiences/*/contacts/batch';

test('one bad row is found by halving, and all others of its batch are written (P3)', async () => {
  const world = await createWorld({ quirks: { batch_invalid_row: 'whole' } });
  const list = world.file('list.csv', people(600).replace('person321@example.com', 'person321@nowhere'));

  const { code, json } = await world.svc(['migrate', list, '--json', '--plan', 'paid']);

  expect(code).toBe(3);
  expect(json.rows).toMatchObject({ created: 599, failed: 1, unsent: 0 });
  const parts = world.requests().filter((request) => request.path.endsWith('/batch'));
  expect(parts.length).toBeLessThanOrEqual(1 + 2 * 10);
});

test('halving a batch costs 64 more requests at most (P3)', async () => {
  const world = await createWorld();
  world.emulator.admin.addFault({
    kind: 'error',
    status: 400,
    code: 'invalid_request',
    when: 'effect',
    match: { route: BATCH },
  });

  const { json } = await world.svc([
    ...['migrate', world.file('list.csv', people(500)), '--json', '--plan', 'paid'],
    ...['--max-failures', '100%'],
  ]);

  expect(json.rows).toMatchObject({ created: 0, failed: 500 });
  const parts = world.requests().filter((request) => request.path.endsWith('/batch'));
  expect(parts.length).toBe(65);
});

test('an audience_join flow that appears during a run stops it (M3)', async () => {
  const world = await createWorld();
  // The second batch takes a while, in which somebody publishes a flow.
  world.emulator.admin.addFault({ kind: 'slow', ms: 59_000, when: 'after', match: { route: BATCH }, after: 1 });
  const running = world.svc([
    ...['migrate', world.file('list.csv', people(6_000)), '--json', '--plan', 'paid', '--concurrency', '1'],
  ]);
  while (world.emulator.admin.contacts().length < 2_000) {
    await world.clock.sleep(100);
  }
  world.emulator.admin.createAutomation({ trigger: 'audience_join', status: 'active', name: 'Welcome' });

  const { code, json, err } = await running;

  expect({ code, error: JSON.parse(err).error.code }).toEqual({ code: 7, error: 'automations' });
  expect(json.rows).toMatchObject({ created: 2_000, unsent: 4_000 });
});

test('a name that two audiences have is refused, and both are listed (L3)', async () => {
  const world = await createWorld();
  const twins = [world.emulator.admin.createAudience('Twin'), world.emulator.admin.createAudience('Twin')];

  const { code, err } = await world.svc([
    ...['migrate', world.file('list.csv', people(3)), '--json', '--audience-name', 'Twin'],
  ]);

  expect(code).toBe(2);
  expect(twins.filter((id) => err.includes(id))).toEqual(twins);
});

/** A run that could send nothing but its intent. */
async function unfinishedRun() {
  const world = await createWorld();
  const list = world.file('list.csv', people(5));
  world.emulator.admin.addFault({ kind: 'reset', when: 'before', match: { route: BATCH } });
  expect((await world.svc(['migrate', list, '--json', '--plan', 'paid'])).code).toBe(1);
  world.emulator.admin.clearFaults();
  return { world, list };
}

test('a run is not resumed at another origin (K4)', async () => {
  const { world } = await unfinishedRun();

  const { code, err } = await world.svc('runs resume --json', {
    env: { SVC_BASE_URL: 'https://other.example.test/api' },
  });

  expect({ code, error: JSON.parse(err).error.code }).toEqual({ code: 2, error: 'another_destination' });
  expect(world.emulator.admin.contacts()).toEqual([]);
});
