import { expect, test } from 'vitest';
import { afterPost } from '../../support/after-post.ts';
import { people } from '../../support/lists.ts';
import { createWorld, type World } from '../../support/world.ts';

const FLAGS = ['--json', '--plan', 'paid'];

/** An audience with these people of the list, on a service that keeps their status. */
async function worldOf(statuses: Readonly<Record<number, 'pending' | 'unsubscribed'>>, variant = 'keep') {
  const world = await createWorld({ variants: { omitted_status_existing: variant } });
  world.emulator.admin.addContacts(
    Object.entries(statuses).map(([index, status]) => ({ email: `person${index}@example.com`, status })),
  );
  return world;
}

function statusOf({ emulator }: World, index: number) {
  return emulator.admin.contact(`person${index}@example.com`)?.status;
}

/** Calls `then` after the response of this POST. Stops the run there if it returns 'stop'. */
function runWith(world: World, post: number, then: () => 'stop' | undefined) {
  const line = ['migrate', world.file('list.csv', people(20)), ...FLAGS];
  return world.svc(
    line,
    afterPost(post, (stopper) => {
      if (then() === 'stop') {
        stopper.abort();
      }
    }),
  );
}

test.each([{ 5: 'pending' }, { 5: 'pending', 6: 'unsubscribed' }] as const)(
  'keeps a person subscribed who confirms during the run, audience %j (C1)',
  async (statuses) => {
    const world = await worldOf(statuses);
    const ran = await runWith(
      world,
      2,
      () => world.emulator.admin.setStatus('person5@example.com', 'subscribed') as undefined,
    );
    expect([ran.code, statusOf(world, 5)]).toEqual([0, 'subscribed']);
  },
);

test('keeps a person subscribed when only they come back during the run (C1)', async () => {
  const world = await worldOf({ 5: 'unsubscribed', 6: 'unsubscribed', 7: 'pending' });
  const ran = await runWith(
    world,
    2,
    () => world.emulator.admin.setStatus('person5@example.com', 'subscribed') as undefined,
  );
  expect([ran.code, [5, 6, 7].map((index) => statusOf(world, index))]).toEqual([
    0,
    ['subscribed', 'unsubscribed', 'pending'],
  ]);
});

test.each(['keep', 'subscribed'])(
  'treats a pending person as confirmed after a killed run, variant %s (C1)',
  async (variant) => {
    const world = await worldOf({ 5: 'pending' }, variant);
    const cut = await runWith(world, 1, () => 'stop');
    world.emulator.admin.setStatus('person5@example.com', 'subscribed');
    const other = await world.svc([
      'migrate',
      world.file('other.csv', people(3).replaceAll('person', 'other')),
      ...FLAGS,
    ]);
    expect([cut.code, other.code, statusOf(world, 5)]).toEqual([130, 0, 'subscribed']);
  },
);

test('treats a pending person as confirmed when a killed run continues (C1)', async () => {
  const world = await worldOf({ 5: 'pending' });
  const cut = await runWith(world, 1, () => 'stop');
  world.emulator.admin.setStatus('person5@example.com', 'subscribed');
  const resumed = await world.svc('runs resume --json');
  expect([cut.code, resumed.code, statusOf(world, 5)]).toEqual([130, 0, 'subscribed']);
});

test('stops when the service signs up people who had not confirmed (C1, C3)', async () => {
  const world = await worldOf({ 5: 'pending' }, 'subscribed');
  const ran = await world.svc(['migrate', world.file('list.csv', people(20)), ...FLAGS]);
  expect([ran.code, ran.json.error.code, statusOf(world, 5)]).toEqual([8, 'first_batch', 'unsubscribed']);
});
