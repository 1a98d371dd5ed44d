import { expect, test } from 'vitest';
import { people } from '../../../support/lists.ts';
import { withTraffic } from '../../../support/traffic.ts';
import { BATCH, createWorld, type World } from '../../../support/world.ts';

test('writes all rows of a refused batch except the bad one (P3)', async () => {
  const world = await createWorld({ variants: { batch_invalid_row: 'whole' } });
  const list = world.file('list.csv', people(600).replace('person321@example.com', 'person321@nowhere'));

  const { code, json } = await world.svc(['migrate', list, '--json', '--plan', 'paid']);

  expect(code).toBe(3);
  expect(json.rows).toMatchObject({ created: 599, failed: 1, unsent: 0 });
  const parts = world.requests().filter((request) => request.path.endsWith('/batch'));
  expect(parts.length).toBeLessThanOrEqual(1 + 2 * 10);
});

test('stops after 64 requests when it bisects a batch of bad rows (P3, L5)', async () => {
  const world = await createWorld();
  refuseEveryBatch(world);
  const list = world.file('list.csv', people(500));

  const { code, json, out } = await world.svc(['migrate', list, '--json', '--plan', 'paid', '--max-failures', '100%']);

  // The first 7 requests are for the four people of the canary.
  expect(world.requests().filter((request) => request.path.endsWith('/batch')).length).toBe(65 + 7);
  const { failed, unsent } = json.rows;
  expect({ code, status: json.status, error: json.error.code }).toEqual({
    ...{ code: 7, status: 'stopped', error: 'rows_unsent' },
  });
  expect(failed + unsent).toBe(500);
  expect(unsent).toBeGreaterThan(400);
  expect(json.next).toEqual([`svc runs resume ${json.run}`, expect.stringContaining('rejects')]);
  expect(out).not.toContain('accounted for');
});

test('continues to bisect in a resume until all rows have an outcome (P3, L5)', async () => {
  const world = await createWorld({ variants: { batch_invalid_row: 'whole' } });
  const bad = (n: number) => n % 60 === 7;
  const rows = Array.from({ length: 1_000 }, (_, n) => (bad(n) ? `p${n}@nowhere` : `p${n}@example.com`));
  const list = world.file('list.csv', ['Email,Status', ...rows.map((email) => `${email},subscribed`), ''].join('\n'));
  let result = await world.svc(['migrate', list, '--json', '--plan', 'paid']);
  const unsent: number[] = [];

  while (result.code === 7 && unsent.length < 20) {
    unsent.push(result.json.rows.unsent);
    expect(result.json.rows.failed + result.json.rows.created + result.json.rows.unsent).toBe(1_000);
    world.requests();
    result = await world.svc(['runs', 'resume', result.json.run, '--json']);
    const batches = world.requests().filter((request) => request.path.endsWith('/batch'));
    expect(batches.length).toBeLessThanOrEqual(64);
  }

  expect(unsent.length).toBeGreaterThan(0);
  expect(unsent).toEqual([...unsent].sort((a, b) => b - a));
  expect({ code: result.code, status: result.json.status }).toEqual({ code: 3, status: 'partial' });
  expect(result.json.rows).toMatchObject({ created: 983, failed: 17, unsent: 0 });
});

test('sends no contact when suppressions could not be sent (P3, S1, L5)', async () => {
  const world = await createWorld();
  world.refuse('POST /v1/suppressions', { status: 400, code: 'invalid_request', when: 'effect' });
  const rows = Array.from({ length: 300 }, (_, n) => `gone${n}@example.com,bounced`);
  const list = world.file('list.csv', ['Email,Status', 'ana@example.com,subscribed', ...rows, ''].join('\n'));

  const { code, json } = await world.svc(['migrate', list, '--json', '--plan', 'paid', '--max-failures', '100%']);

  expect({ code, error: json.error.code }).toEqual({ code: 7, error: 'rows_unsent' });
  expect(world.requests().filter((request) => request.path.endsWith('/contacts/batch'))).toEqual([]);
});

function refuseEveryBatch(world: World): void {
  world.refuse(BATCH, { status: 400, code: 'invalid_request', when: 'effect' });
}

test('stops when an audience_join automation appears during the run (M3)', async () => {
  const world = await createWorld();
  // The second batch takes 59 seconds. Meanwhile another user publishes an automation.
  world.emulator.admin.addFault({ kind: 'slow', ms: 59_000, when: 'after', match: { route: BATCH }, after: 1 });
  const running = world.svc([
    ...['migrate', world.file('list.csv', people(3_000)), '--json', '--plan', 'paid', '--concurrency', '1'],
  ]);
  while (world.emulator.admin.contacts().length < 2_000) {
    await world.clock.sleep(100);
  }
  world.emulator.admin.createAutomation({ trigger: 'audience_join', status: 'active', name: 'Welcome' });

  const { code, json, err } = await running;

  expect({ code, error: JSON.parse(err.trim().split('\n').at(-1) ?? '').error.code }).toEqual({
    code: 7,
    error: 'automations',
  });
  expect(json.rows).toMatchObject({ created: 2_000, unsent: 1_000 });
});

const NEW_TRIGGER = withTraffic({
  of: /^GET .*\/automations$/,
  response: (list) => ({
    ...list,
    data: list.data.map((automation: object) => ({ ...automation, trigger: 'contact_created' })),
  }),
});

test('stops when an automation has a trigger that svc does not know (M3, O6)', async () => {
  const world = await createWorld();
  world.emulator.admin.createAutomation({ status: 'active', name: 'Welcome' });
  const list = world.file('list.csv', people(3));
  const line = ['contacts', 'import', list, '--plan', 'paid', '--json'];
  const { code, err } = await world.svc(line, NEW_TRIGGER);
  expect([code, err]).toEqual([5, expect.stringMatching(/Welcome.*unknown trigger contact_created/)]);
  expect((await world.svc('doctor', NEW_TRIGGER)).out).toContain('1 automation starts for each contact that joins');
  const enrolling = ['automations', 'enroll', 'Welcome', list, '--create-contacts', '--plan', 'paid', '--json'];
  expect((await world.svc(enrolling, NEW_TRIGGER)).code).toBe(5);
  expect(world.requests().filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('refuses an audience name when two audiences have it, and lists both (L3)', async () => {
  const world = await createWorld();
  const sameName = [world.emulator.admin.createAudience('Twin'), world.emulator.admin.createAudience('Twin')];

  const { code, err } = await world.svc([
    ...['migrate', world.file('list.csv', people(3)), '--json', '--audience-name', 'Twin'],
  ]);

  expect(code).toBe(2);
  expect(sameName.filter((id) => err.includes(id))).toEqual(sameName);
});

/** A run that recorded an intent and reached no service. */
async function unfinishedRun() {
  const world = await createWorld();
  const list = world.file('list.csv', people(5));
  world.emulator.admin.addFault({ kind: 'reset', when: 'before', match: { route: BATCH } });
  expect((await world.svc(['migrate', list, '--json', '--plan', 'paid'])).code).toBe(1);
  world.emulator.admin.clearFaults();
  return { world, list };
}

test('refuses to resume a run when the base URL is of another service (K4)', async () => {
  const { world } = await unfinishedRun();
  world.requests();

  const { code, err } = await world.svc('runs resume --json', {
    env: { SVC_BASE_URL: 'https://other.example.test/api' },
  });

  expect({ code, error: JSON.parse(err).error.code }).toEqual({ code: 2, error: 'another_destination' });
  expect(world.requests()).toEqual([]);
  expect(world.emulator.admin.contacts()).toEqual([]);
});
