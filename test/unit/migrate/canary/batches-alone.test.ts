import { describe, expect, test } from 'vitest';
import { stoppedAfterPost } from '../../../support/after-post.ts';
import { csv, people } from '../../../support/lists.ts';
import { BATCH, createWorld, type World } from '../../../support/world.ts';

const FLAGS = ['--json', '--plan', 'paid'];

/** The number of batches, and the largest number in flight at one time. */
function inFlight(world: World, slowMs: number) {
  const requests = world.requests();
  const starts = requests.filter(({ path }) => path.endsWith('/contacts/batch')).map(({ at }) => at);
  const together = starts.map((at) => starts.filter((other) => other >= at && other < at + slowMs).length);
  return { batches: starts.length, together: Math.max(...together) };
}

async function slowWorld(variants: Readonly<Record<string, string>> = {}): Promise<World> {
  const world = await createWorld({ variants });
  world.emulator.admin.addFault({ kind: 'slow', ms: 1_000, when: 'after', match: { route: BATCH } });
  return world;
}

function addPeople({ emulator }: World, indexes: readonly number[]): void {
  emulator.admin.addContacts(
    indexes.map((index) => ({ email: `person${index}@example.com`, first_name: `Name ${index}` })),
  );
}

/** A list of 7,000 people. The audience holds those whom the canary may take, so the canary has no new person. */
async function hiddenWorld(variants: Readonly<Record<string, string>>) {
  const world = await createWorld({ variants });
  addPeople(world, [0, 250, 500, 750, 1_000, 2_000, 3_000, 4_000, 5_000, 6_000]);
  return { world, list: world.file('list.csv', people(7_000)) };
}

describe('batches after the canary, one at a time until svc knows what the service does', () => {
  test('sends batches in parallel when the canary proved everything (C1)', async () => {
    const world = await slowWorld();

    await world.svc(['migrate', world.file('list.csv', people(6_000)), ...FLAGS]);

    expect(inFlight(world, 1_000)).toEqual({ batches: 7, together: 4 });
  });

  test('sends batches one at a time when the service replays each (I7, C1)', async () => {
    const world = await slowWorld();
    const line = ['migrate', world.file('list.csv', people(4_000)), ...FLAGS];
    await world.svc(line);
    world.requests();

    const { code, json } = await world.svc(line);

    expect([code, json.rows.created, json.rows_replayed]).toEqual([0, 4_000, 4_000]);
    expect(inFlight(world, 1_000)).toEqual({ batches: 5, together: 1 });
  });

  test('the canary takes a new person from batch 3 when 1 and 2 have none (C1)', async () => {
    const world = await slowWorld({ omitted_status: 'pending' });
    addPeople(
      world,
      Array.from({ length: 2_000 }, (_, index) => index),
    );

    const { code, json, err } = await world.svc(['migrate', world.file('list.csv', people(9_000)), ...FLAGS]);

    expect([code, json.phase, json.rows.created]).toEqual([8, 'first_batch', 1]);
    expect(err).toContain('--explicit-status');
    expect(inFlight(world, 1_000)).toEqual({ batches: 1, together: 1 });
  });

  test('takes the canary also from batch 2 when batch 1 has only opt-outs (C1)', async () => {
    const world = await slowWorld({ omitted_status: 'pending' });
    const list = csv(
      'email,status',
      6_000,
      (index) => `person${index}@example.com,${index < 1_000 ? 'un' : ''}subscribed`,
    );

    const { code, json } = await world.svc(['migrate', world.file('list.csv', list), ...FLAGS]);

    expect([code, json.phase, json.rows.created]).toEqual([8, 'first_batch', 4]);
  });

  test('reads another opted-out person back when one is suppressed (C1, O7)', async () => {
    const world = await slowWorld({ omitted_status_existing: 'subscribed' });
    const { admin } = world.emulator;
    admin.addContacts([3, 1_500].map((index) => ({ email: `person${index}@example.com`, status: 'unsubscribed' })));
    admin.suppress(['person3@example.com'], 'bounced');

    const { code, json } = await world.svc(['migrate', world.file('list.csv', people(6_000)), ...FLAGS]);

    expect([code, json.phase, json.rows.unsent]).toEqual([8, 'first_batch', 4_000]);
    expect(admin.contact('person1500@example.com')?.status).toBe('unsubscribed');
  });

  test('reads no batch back when the audience already has all people (C1)', async () => {
    const world = await createWorld();
    addPeople(
      world,
      Array.from({ length: 5_000 }, (_, index) => index),
    );

    const { code } = await world.svc(['migrate', world.file('list.csv', people(5_000)), ...FLAGS, '--no-verify']);

    const after = world.requests().map(({ method, path }) => `${method} ${path.split('?')[0]?.split('/contacts/')[1]}`);
    expect(code).toBe(0);
    expect(after.slice(after.indexOf('POST batch'))).toEqual([
      'POST batch',
      ...[0, 250, 500, 750].map((index) => `GET person${index}%40example.com`),
      ...Array(5).fill('POST batch'),
      // The next request is the check for new automations after the last batch (M3).
      'GET undefined',
    ]);
  });

  test('stops the import after batch 1 when its new people stay pending (C1)', async () => {
    const { world, list } = await hiddenWorld({ omitted_status: 'pending' });

    const { code, json, err } = await world.svc(['migrate', list, ...FLAGS]);

    expect([code, json.phase, json.rows.unsent]).toEqual([8, 'first_batch', 6_000]);
    expect(err).toContain('svc read people of batch 1 back and found differences');
    expect(err).toContain('was sent without a status and is \\"pending\\", not \\"subscribed\\"');
  });

  test('reads batch 1 back in a resume when the run stopped before that (D1, C1)', async () => {
    const { world, list } = await hiddenWorld({ omitted_status: 'pending' });
    const cut = await world.svc(['migrate', list, ...FLAGS], stoppedAfterPost(2));

    const resumed = await world.svc('runs resume --json');

    expect([cut.code, resumed.code, resumed.json.phase]).toEqual([130, 8, 'first_batch']);
    expect(resumed.json.rows).toMatchObject({ created: 996, updated: 4, unsent: 6_000 });
  });

  test('needs one page and one look-up to find a new person of batch 1 (C1)', async () => {
    const { world, list } = await hiddenWorld({});

    const { code } = await world.svc(['migrate', list, ...FLAGS, '--no-verify']);

    const asked = world
      .requests()
      .map(({ method, path }) => `${method} ${path.split('?')[0]?.split('/aud_')[1] ?? ''}`);
    const after = asked
      .slice(asked.findIndex((request) => request.startsWith('POST')))
      .map((one) => one.replace(/\w+\//, ''));
    expect(code).toBe(0);
    expect(after).toEqual([
      'POST contacts/batch',
      ...[0, 250, 500, 750].map((index) => `GET contacts/person${index}%40example.com`),
      'POST contacts/batch',
      'GET contacts',
      'GET contacts/person999%40example.com',
      ...Array(6).fill('POST contacts/batch'),
      // The next request is the check for new automations after the last batch (M3).
      'GET ',
    ]);
  });

  test.each([
    ['is replayed', { kind: 'reset', when: 'after' }],
    ['its repeat writes the batch again', { kind: 'lost_claim', effect: true }],
  ] as const)('sends the next batch alone when a response was lost and %s (C1, I7)', async (_, fault) => {
    const { world, list } = await hiddenWorld({ omitted_status: 'pending' });
    world.emulator.admin.addFault({ ...fault, match: { route: BATCH }, after: 1, times: 1 });

    const { code, json } = await world.svc(['migrate', list, ...FLAGS]);

    expect([code, json.phase, json.rows.unsent]).toEqual([8, 'first_batch', 5_000]);
  });

  test('reads batch 1 back when the service wrote the canary twice (C1)', async () => {
    const world = await createWorld({
      variants: { omitted_status: 'unsubscribed', omitted_status_existing: 'subscribed' },
    });
    world.emulator.admin.addFault({ kind: 'lost_claim', effect: true, match: { route: BATCH }, times: 1 });

    const { code, json } = await world.svc(['migrate', world.file('list.csv', people(7_000)), ...FLAGS]);

    expect([code, json.phase, json.rows.unsent]).toEqual([8, 'first_batch', 6_000]);
  });

  test('does not count a pending contact of the audience as a new person (C1)', async () => {
    const world = await createWorld();
    world.emulator.admin.addContacts(
      Array.from({ length: 98 }, (_, index) => ({
        email: `person${index}@example.com`,
        status: index < 50 ? 'subscribed' : 'pending',
      })),
    );
    await world.clock.advance(1_000);
    // The only new people opt out. One is in the canary; the other is the newest contact after the batch.
    const list = csv('email,status', 100, (index) => `person${index}@example.com,${index < 98 ? '' : 'un'}subscribed`);

    const { code, json } = await world.svc(['migrate', world.file('list.csv', list), ...FLAGS]);

    expect([code, json.rows]).toMatchObject([0, { created: 2, updated: 98 }]);
  });
});
