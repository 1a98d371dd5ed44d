import { describe, expect, test } from 'vitest';
import type { Emit } from '../../../../src/base/events.ts';
import { afterPost } from '../../../support/after-post.ts';
import { people } from '../../../support/lists.ts';
import { createWorld, type World } from '../../../support/world.ts';

const FLAGS = ['--json', '--plan', 'paid'];

/** An audience that already holds these people of the list. `variant`: what the service does with their status. */
async function worldOf(statuses: Readonly<Record<number, 'pending' | 'unsubscribed' | 'bounced'>>, variant = 'keep') {
  const world = await createWorld({ variants: { omitted_status_existing: variant } });
  world.emulator.admin.addContacts(
    Object.entries(statuses).map(([index, status]) => ({ email: `person${index}@example.com`, status })),
  );
  return world;
}

function statusOf({ emulator }: World, index: number) {
  return emulator.admin.contact(`person${index}@example.com`)?.status;
}

/** Imports the list, and calls `then` after the response to this POST. The run stops there if it returns 'stop'. */
function runWith(world: World, post: number, then: () => 'stop' | undefined, onEvent?: Emit) {
  const line = ['migrate', world.file('list.csv', people(20)), ...FLAGS];
  const options = afterPost(post, (stopper) => {
    if (then() === 'stop') {
      stopper.abort();
    }
  });
  return world.svc(line, onEvent ? { ...options, onEvent } : options);
}

describe('people who confirm or subscribe again while a run is under way', () => {
  test.each([
    ['the only contact', { 5: 'pending' }],
    ['a contact beside an opted-out one', { 5: 'pending', 6: 'unsubscribed' }],
  ] as const)('keeps %s subscribed when they confirm during a run (C1)', async (_, statuses) => {
    const world = await worldOf(statuses);
    const ran = await runWith(
      world,
      2,
      () => world.emulator.admin.setStatus('person5@example.com', 'subscribed') as undefined,
    );
    expect([ran.code, statusOf(world, 5)]).toEqual([0, 'subscribed']);
  });

  test('leaves a person subscribed when they subscribe again in a run (C1)', async () => {
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

  test('names people who came back, and counts those still opted out (C1)', async () => {
    const world = await worldOf({ 5: 'unsubscribed', 6: 'unsubscribed', 7: 'unsubscribed', 8: 'unsubscribed' });
    const notes: string[] = [];
    const comeBack = () => {
      [5, 6].forEach((index) => world.emulator.admin.setStatus(`person${index}@example.com`, 'subscribed'));
      return undefined;
    };
    const ran = await runWith(world, 2, comeBack, (event) => {
      notes.push(event.type === 'note' ? event.message : '');
    });
    expect([ran.code, notes.filter((note) => note.includes('came back'))]).toEqual([
      0,
      [
        'These people came back on their own: person5@example.com, person6@example.com. 2 other people who had opted out of the audience stayed opted out.',
      ],
    ]);
  });

  // The canary shows people as they were before: the service ignored its rows, and writes them with the batch.
  test('stops when unsubscribed, but not bounced people are signed up (C1, F5)', async () => {
    const world = await worldOf({ 5: 'unsubscribed', 6: 'unsubscribed', 7: 'bounced', 8: 'bounced', 9: 'bounced' });
    const signUp = () => {
      [5, 6].forEach((index) => world.emulator.admin.setStatus(`person${index}@example.com`, 'subscribed'));
      return undefined;
    };
    const ran = await runWith(world, 2, signUp);
    const statuses = [5, 6, 7].map((index) => statusOf(world, index));
    expect([ran.code, ran.json.error?.code, statuses]).toEqual([
      8,
      'first_batch',
      ['unsubscribed', 'unsubscribed', 'bounced'],
    ]);
  });

  test('does not count a deleted person as one who stayed opted out (C1, F5)', async () => {
    const world = await worldOf({ 5: 'unsubscribed', 6: 'unsubscribed' });
    const ran = await runWith(world, 2, () => {
      world.emulator.admin.setStatus('person5@example.com', 'subscribed');
      world.emulator.admin.deleteContact('person6@example.com');
      return undefined;
    });
    expect([ran.code, ran.json.error?.code, statusOf(world, 5)]).toEqual([8, 'first_batch', 'unsubscribed']);
  });

  test.each([
    ['keeps the status of a contact', 'keep'],
    ['subscribes each contact', 'subscribed'],
  ])('keeps a confirmed person subscribed when the service %s (C1)', async (_, variant) => {
    const world = await worldOf({ 5: 'pending' }, variant);
    const cut = await runWith(world, 1, () => 'stop');
    world.emulator.admin.setStatus('person5@example.com', 'subscribed');
    const other = await world.svc([
      'migrate',
      world.file('other.csv', people(3).replaceAll('person', 'other')),
      ...FLAGS,
    ]);
    expect([cut.code, other.code, statusOf(world, 5)]).toEqual([130, 0, 'subscribed']);
  });

  test("keeps a person's confirmation when the stopped run continues (C1)", async () => {
    const world = await worldOf({ 5: 'pending' });
    const cut = await runWith(world, 1, () => 'stop');
    world.emulator.admin.setStatus('person5@example.com', 'subscribed');
    const resumed = await world.svc('runs resume --json');
    expect([cut.code, resumed.code, statusOf(world, 5)]).toEqual([130, 0, 'subscribed']);
  });

  test('stops when the service subscribes a person who did not confirm (C1, C3)', async () => {
    const world = await worldOf({ 5: 'pending' }, 'subscribed');
    const ran = await world.svc(['migrate', world.file('list.csv', people(20)), ...FLAGS]);
    expect([ran.code, ran.json.error.code, statusOf(world, 5)]).toEqual([8, 'first_batch', 'unsubscribed']);
  });
});
