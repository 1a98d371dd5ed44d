import { expect, test } from 'vitest';
import { stoppedAfterPost } from '../../../support/after-post.ts';
import { people } from '../../../support/lists.ts';
import { stoppedAt } from '../../../support/stopped-at.ts';
import { everyNth } from '../../../support/sweep.ts';
import { BATCH, createWorld, type RunOptions, type World } from '../../../support/world.ts';
import {
  addressOf,
  createAudience,
  FLAGS,
  MINUTE,
  REFUSED,
  SIGNS_UP,
  setStatuses,
  statusesOf,
  stoppedAtBatches,
  withoutShownOptOuts,
} from '../opt-outs/support.ts';

interface Case {
  readonly absent?: readonly number[];
  readonly flags?: readonly string[];
  readonly variants?: Readonly<Record<string, string>>;
}

/** An audience of the people of the list, and a run that stopped after its first people. Batch 1 must go alone. */
async function stoppedBeforeBatch1(count: number, { absent = [], flags = [], variants = {} }: Case): Promise<World> {
  const world = await createWorld({ variants });
  const numbers = Array.from({ length: count }, (_, index) => index).filter((number) => !absent.includes(number));
  world.emulator.admin.addContacts(numbers.map((number) => ({ email: addressOf(number) })));
  await world.clock.advance(10 * MINUTE);
  await world.svc(['migrate', world.file('list.csv', people(count)), ...FLAGS, ...flags], stoppedAtBatches());
  return world;
}

const resume = (world: World, options?: RunOptions) => world.svc('runs resume --json', options);

test.each([
  ['in parts', { absent: [5], flags: ['--explicit-status'] }, [5, 500]],
  ['in halves', {}, [100, 700]],
] as const)(
  'opts people out again when they left while a batch %s was stopped (C1)',
  async (name, options, [first, second]) => {
    const world = await stoppedBeforeBatch1(900, { ...options, variants: SIGNS_UP });
    if (name === 'in halves') {
      const match = { route: BATCH };
      world.emulator.admin.addFault({ kind: 'error', status: 400, code: 'bad', when: 'before', times: 1, match });
    }
    await resume(world, stoppedAfterPost(name === 'in halves' ? 2 : 1));
    await setStatuses(world, [first, second], 'unsubscribed');
    await resume(world, stoppedAfterPost(1));
    expect(statusesOf(world, [first, second])).toEqual(['unsubscribed', 'subscribed']);

    const { code } = await resume(world);

    expect([code, ...statusesOf(world, [first, second])]).toEqual([8, 'unsubscribed', 'unsubscribed']);
  },
);

test('rolls a sign-up back when another person of the batch opts out (C1)', async () => {
  const world = await stoppedBeforeBatch1(600, { variants: SIGNS_UP });
  await setStatuses(world, [200, 400], 'unsubscribed');
  await resume(world, stoppedAfterPost(1));
  expect(statusesOf(world, [200, 400])).toEqual(['subscribed', 'subscribed']);
  await setStatuses(world, [200], 'unsubscribed');

  const { code } = await resume(world);

  expect([code, ...statusesOf(world, [200, 400])]).toEqual([8, 'unsubscribed', 'unsubscribed']);
});

test('rolls a sign-up back when another person of the batch is deleted (C1)', async () => {
  const world = await stoppedBeforeBatch1(600, { variants: SIGNS_UP });
  await setStatuses(world, [200, 300, 400], 'unsubscribed');
  await resume(world, stoppedAfterPost(1));
  await setStatuses(world, [200], 'unsubscribed');
  world.emulator.admin.deleteContact(addressOf(300));

  const { code } = await resume(world);

  expect([code, ...statusesOf(world, [200, 400])]).toEqual([8, 'unsubscribed', 'unsubscribed']);
});

test('keeps a person subscribed who returned before their part is sent (C1)', async () => {
  const world = await stoppedBeforeBatch1(600, { absent: [5], flags: ['--explicit-status'] });
  await setStatuses(world, [500], 'unsubscribed');
  await resume(world, stoppedAfterPost(1));
  await setStatuses(world, [500], 'subscribed');

  const { code } = await resume(world);

  expect([code, ...statusesOf(world, [500])]).toEqual([0, 'subscribed']);
});

const BAD = { kind: 'error', status: 400, code: 'bad', when: 'before', times: 1 } as const;

// The service accepts the halves and parts before the refused one. The first number is a person of an accepted one, the
// second is a person of the refused one.
const REFUSED_HALVES = [
  ['the second half', { flags: [] }, [BAD, { ...REFUSED, after: 2 }], [100, 700]],
  ['the last quarter', { flags: [] }, [BAD, { ...BAD, after: 2 }, { ...REFUSED, after: 4 }], [500, 800]],
  [
    'a half of a part',
    { absent: [5], flags: ['--explicit-status'] },
    [
      { ...BAD, after: 1 },
      { ...REFUSED, after: 3 },
    ],
    [100, 700],
  ],
] as const;
const NEXT = ['a resume', 'a stopped resume', 'another list'];

test.each(
  everyNth(
    REFUSED_HALVES.flatMap((one) => NEXT.map((next) => [...one, next] as const)),
    2,
  ),
)(
  'opts a signed-up person out again when %s of a batch is refused (C1)',
  async (_, options, faults, [first, second], next) => {
    const world = await stoppedBeforeBatch1(900, { ...options, variants: SIGNS_UP });
    const { admin } = world.emulator;
    await setStatuses(world, [first, second], 'unsubscribed');
    faults.forEach((fault) => admin.addFault({ ...fault, match: { route: BATCH } }));
    expect((await resume(world)).json.error.code).toBe('plan_limit_reached');
    expect(statusesOf(world, [first, second])).toEqual(['subscribed', 'unsubscribed']);
    if (next === 'a stopped resume') {
      await resume(world, stoppedAt('no route'));
    }

    const other = ['migrate', world.file('shorter.csv', people(850)), ...FLAGS];
    const { code } = await (next === 'another list' ? world.svc(other) : resume(world));

    expect([code, ...statusesOf(world, [first, second])]).toEqual([8, 'unsubscribed', 'unsubscribed']);
  },
);

test.each(['--no-verify', '--concurrency 1'])(
  'stops when a batch signed up the only opted-out person, with %s (C1)',
  async (flag) => {
    const world = await createAudience(600, SIGNS_UP);
    world.emulator.admin.deleteContact('old@example.com');
    await setStatuses(world, [200], 'unsubscribed');
    const line = ['migrate', world.list, ...FLAGS, ...flag.split(' ')];
    await world.svc(line, withoutShownOptOuts(stoppedAfterPost(2)));
    expect(statusesOf(world, [200])).toEqual(['subscribed']);
    const { code, json } = await resume(world, withoutShownOptOuts());
    expect([code, json.error.code, json.error.message]).toEqual([
      8,
      'first_batch',
      expect.stringContaining('at least 1 unsubscribed person fewer than before'),
    ]);
  },
);

test.each([
  ['a part', ['--explicit-status'], [], 3],
  ['a half', [], [{ ...BAD, after: 1 }], 3],
] as const)('finds sign-ups by counts when people left after a stop at %s (C1)', async (_, flags, faults, posts) => {
  const world = await createAudience(600, SIGNS_UP);
  const { admin } = world.emulator;
  ['old@example.com', 'person3@example.com'].forEach((email) => admin.deleteContact(email));
  faults.forEach((fault) => admin.addFault({ ...fault, match: { route: BATCH } }));
  const line = ['migrate', world.list, ...FLAGS, '--no-verify', ...flags];
  await world.svc(line, withoutShownOptOuts(stoppedAfterPost(posts)));
  await setStatuses(world, [400, 501], 'unsubscribed');
  const { code, json } = await resume(world, withoutShownOptOuts());
  expect([code, json.error?.message]).toEqual([8, expect.stringContaining('people fewer than before')]);
});
