import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Emit } from '../../../../src/base/events.ts';
import { afterPost, stoppedAfterPost } from '../../../support/after-post.ts';
import { people } from '../../../support/lists.ts';
import { BATCH, createWorld, type World } from '../../../support/world.ts';
import {
  addressOf,
  FLAGS,
  MINUTE,
  PENDING,
  SIGNS_UP,
  sentPeople,
  setStatuses,
  statusesOf,
  stoppedAtBatches,
} from '../opt-outs/support.ts';

// A response that the service replays is outdated if another machine wrote another version of the list since. svc finds
// out only in the resume, and sends the people again. So the resume must know who left in the pause.

/** Writes a list to the audience from another machine. */
async function importElsewhere(world: World, list: string): Promise<void> {
  const env = { XDG_STATE_HOME: join(world.folder, 'elsewhere') };
  await world.svc(['migrate', world.file('list.csv', list), ...FLAGS, '--no-verify'], { env });
  await world.clock.advance(10 * MINUTE);
}

const leave = (world: World, numbers: readonly number[]) => setStatuses(world, numbers, 'unsubscribed');

// The first people of this list are 0, 150, 300 and 450.
const OPTED_OUT = [150, 300, 200, 600];

test.each([
  ['was replayed', 1, []],
  ['was replayed, and one person had opted out before', 1, [450]],
  ['was sent again', 2, [450]],
] as const)('opts people out when they left after a batch sent alone %s (C1, I7)', async (_, posts, before) => {
  const world = await createWorld({ variants: SIGNS_UP });
  await importElsewhere(world, people(601));
  await importElsewhere(world, people(601).replace('Name 301,', 'Other,'));
  before.forEach((number) => world.emulator.admin.setStatus(`person${number}@example.com`, 'unsubscribed'));
  await world.clock.advance(MINUTE);
  const line = ['migrate', world.file('list.csv', people(601)), ...FLAGS, '--no-verify'];
  await world.svc(line, stoppedAtBatches());
  if (posts === 2) {
    await leave(world, OPTED_OUT);
  }
  await world.svc('runs resume --json', stoppedAfterPost(posts));
  if (posts === 1) {
    await leave(world, OPTED_OUT);
  }
  const { code } = await world.svc('runs resume --json');
  expect([code, statusesOf(world, OPTED_OUT)]).toEqual([8, OPTED_OUT.map(() => 'unsubscribed')]);
});

test('keeps a returned person subscribed when a replay is outdated (C1, I7)', async () => {
  const world = await createWorld();
  await importElsewhere(world, people(601));
  world.emulator.admin.setStatus(addressOf(450), 'unsubscribed');
  await importElsewhere(world, people(601).replace('Name 301,', 'Other,'));
  await world.svc(['migrate', world.file('list.csv', people(601)), ...FLAGS, '--no-verify'], stoppedAtBatches());
  await setStatuses(world, [450], 'subscribed');
  const { code } = await world.svc('runs resume --json');
  expect([code, statusesOf(world, [450])]).toEqual([0, ['subscribed']]);
});

test('opts people out again when they left after batch 2 was replayed (C1, I7)', async () => {
  const world = await createWorld({ variants: SIGNS_UP });
  await importElsewhere(world, people(2_000));
  await importElsewhere(world, people(2_000).replace('Name 1701,', 'Other,'));
  // A new person makes the first people and the first batch fresh. The second batch is an outdated replay.
  const list = people(2_000).replace('person0@example.com', 'fresh@example.com');
  await world.svc(['migrate', world.file('list.csv', list), ...FLAGS, '--no-verify'], stoppedAfterPost(3));
  await leave(world, [1_501, 1_600]);
  const { code } = await world.svc('runs resume --json');
  expect([code, statusesOf(world, [1_501, 1_600])]).toEqual([8, ['unsubscribed', 'unsubscribed']]);
});

test('opts people out again when they left after a read-back (C1, I7)', async () => {
  const world = await createWorld({ variants: SIGNS_UP });
  await importElsewhere(world, people(1_500));
  const list = people(1_500).replace('person1400@example.com', 'fresh@example.com');
  const line = ['migrate', world.file('here.csv', list), ...FLAGS, '--no-verify'];
  await world.svc(line, stoppedAfterPost(3));
  await importElsewhere(world, people(1_500).replace('Name 701,', 'Other,'));
  await leave(world, [501, 600]);
  const { code } = await world.svc('runs resume --json');
  expect([code, statusesOf(world, [501, 600])]).toEqual([8, ['unsubscribed', 'unsubscribed']]);
});

test.each([
  ['in parts', ['--explicit-status']],
  ['with a bad row before it', []],
] as const)('a second resume reads back a batch that was sent alone %s (C1)', async (how, flags) => {
  const world = await createWorld({ variants: SIGNS_UP });
  const { admin } = world.emulator;
  admin.addContacts(Array.from({ length: 1_500 }, (_, index) => ({ email: `person${index}@example.com` })));
  await world.clock.advance(10 * MINUTE);
  const line = ['migrate', world.file('list.csv', people(1_500)), ...FLAGS, '--no-verify', ...flags];
  await world.svc(line, stoppedAtBatches());
  await leave(world, [1_300]);
  let posts = 2;
  if (how !== 'in parts') {
    admin.addFault({
      kind: 'error',
      status: 400,
      code: 'invalid_request',
      when: 'before',
      times: 1,
      match: { route: BATCH },
    });
    posts = 4;
  }
  await world.svc('runs resume --json', stoppedAfterPost(posts));
  const signedUp = statusesOf(world, [1_300]);
  const { code } = await world.svc('runs resume --json');
  expect([signedUp, code, statusesOf(world, [1_300])]).toEqual([['subscribed'], 8, ['unsubscribed']]);
});

test('opts people out again when they left before replays are resent (C1, I7)', async () => {
  const world = await createWorld({ variants: SIGNS_UP });
  await importElsewhere(world, people(1_400));
  await importElsewhere(world, people(1_400).replace('Name 1301,', 'Other,'));
  world.emulator.admin.addContacts([PENDING]);
  // The first people and the first batch are replays that are not outdated. The second batch is outdated. svc reads the
  // newest 1,000 people of the audience, so it sees who of the first batch left.
  let hasLeft = false;
  const onEvent: Emit = (event) => {
    if (!hasLeft && event.type === 'progress' && event.phase === 'contacts' && event.done > 0) {
      hasLeft = true;
      world.emulator.admin.setStatus('person601@example.com', 'unsubscribed');
    }
  };
  const line = ['migrate', world.file('list.csv', people(1_400)), ...FLAGS, '--no-verify'];
  const { code } = await world.svc(line, { onEvent });
  expect([hasLeft, code, statusesOf(world, [601])]).toEqual([true, 8, ['unsubscribed']]);
});

// The service keeps the unsubscribed person of the canary at first. Later it signs that person up, together with a
// person of the batch that is sent again. The person of the canary is in another batch, so only the last reading of
// opted-out people finds that sign-up.
test('reads the canary again when a resent batch shows sign-ups (F5, I7)', async () => {
  const world = await createWorld();
  const { admin } = world.emulator;
  await importElsewhere(world, people(1_400));
  await importElsewhere(world, people(1_400).replace('Name 1301,', 'Other,'));
  await leave(world, [1_200]);
  // svc sends the canary, both batches, the second batch again, and then the first batch again.
  const late = afterPost(5, () => [601, 1_200].forEach((number) => admin.setStatus(addressOf(number), 'subscribed')));
  const onEvent: Emit = (event) => {
    if (event.type === 'progress' && event.phase === 'contacts' && event.done === 1_400) {
      // The canary shows nothing about bounced people.
      admin.setStatus(addressOf(601), 'bounced');
    }
  };
  const line = ['migrate', world.file('list.csv', people(1_400)), ...FLAGS, '--no-verify', '--concurrency', '1'];
  world.requests();
  const { code, json } = await world.svc(line, { ...late, onEvent });
  expect([code, json.error.message]).toEqual([8, expect.stringContaining(addressOf(601))]);
  expect(sentPeople(world).map(({ length }) => length)).toEqual([4, 1_000, 400, 400, 1_000, 1, 1]);
  expect(statusesOf(world, [601, 1_200])).toEqual(['unsubscribed', 'unsubscribed']);
});

// If the earlier batch signs a person up, the run stops there. Then the other batch is never read back.
test.each([
  ['was sent again', []],
  ['signed a person up', [601]],
] as const)('opts a person of batch 2 out again after batch 1 %s (C1, I7)', async (_, optedOut) => {
  const world = await createWorld({ variants: SIGNS_UP });
  await importElsewhere(world, people(1_400));
  const list = people(1_400).replace('person1399@example.com', 'fresh@example.com');
  const line = ['migrate', world.file('here.csv', list), ...FLAGS, '--no-verify'];
  await world.svc(line, stoppedAtBatches());
  await leave(world, [1_300]);
  // The first batch is a replay. The second is fresh, and the service signs the person up. Nothing is read back.
  await world.svc('runs resume --json', stoppedAfterPost(2));
  await importElsewhere(world, people(1_400).replace('Name 701,', 'Other,').replace('person1300@', 'other@'));
  const signedUp = statusesOf(world, [1_300]);
  await leave(world, optedOut);
  const { code } = await world.svc('runs resume --json');
  expect([signedUp, code, statusesOf(world, [1_300])]).toEqual([['subscribed'], 8, ['unsubscribed']]);
  expect(statusesOf(world, optedOut)).toEqual(optedOut.map(() => 'unsubscribed'));
});

// The people of each batch stand in two requests. The service signs up people of the second request only.
test.each([
  ['a new person of the canary', ['--explicit-status'], 900, [], 0, [0, 950, 1_500]],
  ['a part that was sent before', ['--explicit-status'], 2, [5], 1, [5, 500]],
  ['a half that was sent before', [], 0, [], 2, [100, 700]],
] as const)(
  'opts people out again when their batch includes %s (C1)',
  async (_, flags, from, absent, posts, optedOut) => {
    const world = await createWorld({ variants: SIGNS_UP });
    const { admin } = world.emulator;
    const count = from === 900 ? 1_800 : from === 2 ? 600 : 900;
    const there = Array.from({ length: count - from }, (_item, index) => from + index);
    const isAbsent = (number: number) => absent.some((one) => one === number);
    admin.addContacts(
      there.filter((number) => !isAbsent(number)).map((number) => ({ email: `person${number}@example.com` })),
    );
    await world.clock.advance(10 * MINUTE);
    await world.svc(['migrate', world.file('list.csv', people(count)), ...FLAGS, ...flags], stoppedAtBatches());
    if (posts === 2) {
      admin.addFault({ kind: 'error', status: 400, code: 'bad', when: 'before', times: 1, match: { route: BATCH } });
    }
    if (posts > 0) {
      await world.svc('runs resume --json', stoppedAfterPost(posts));
    }
    await leave(world, optedOut);
    const { code } = await world.svc('runs resume --json');
    expect([code, statusesOf(world, optedOut)]).toEqual([8, optedOut.map(() => 'unsubscribed')]);
  },
);

test('opts a person out when half a batch signed them up before a stop (C1)', async () => {
  const world = await createWorld({ variants: SIGNS_UP });
  const { admin } = world.emulator;
  admin.addContacts(Array.from({ length: 900 }, (_, index) => ({ email: `person${index}@example.com` })));
  await world.clock.advance(10 * MINUTE);
  await world.svc(['migrate', world.file('list.csv', people(900)), ...FLAGS], stoppedAtBatches());
  await leave(world, [100]);
  admin.addFault({ kind: 'error', status: 400, code: 'bad', when: 'before', times: 1, match: { route: BATCH } });
  await world.svc('runs resume --json', stoppedAfterPost(2));
  const signedUp = statusesOf(world, [100]);
  const { code } = await world.svc('runs resume --json');
  expect([signedUp, code, statusesOf(world, [100])]).toEqual([['subscribed'], 8, ['unsubscribed']]);
});
