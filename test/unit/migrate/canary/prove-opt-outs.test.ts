import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { stoppedAfterPost } from '../../../support/after-post.ts';
import { csv, people } from '../../../support/lists.ts';
import { stoppedAt } from '../../../support/stopped-at.ts';
import type { World } from '../../../support/world.ts';
import { addressOf, createAudience, FLAGS, SIGNS_UP, sentPeople, setStatuses, statusesOf } from './support.ts';

// The audience has more than 1,000 newer contacts, so svc does not see who of the list left. `optedOut` are the numbers
// of the people whom the list opts out. The canary and the test of an opted-out person are the first two requests.
async function createWorldWith(
  count: number,
  optedOut: readonly number[],
  variants: Readonly<Record<string, string>> = SIGNS_UP,
): Promise<World & { readonly line: readonly string[] }> {
  const world = await createAudience(count, variants);
  const status = (index: number) => (optedOut.includes(index) ? 'unsubscribed' : 'subscribed');
  const list = csv('email,first_name,status', count, (index) => `${addressOf(index)},Name ${index},${status(index)}`);
  return { ...world, line: ['migrate', world.file('list.csv', list), ...FLAGS] };
}

const FEW = [10];
const MANY = Array.from({ length: 60 }, (_, index) => 10 + index);

describe.each([
  [1_300, FEW, []],
  [1_300, [1_250], []],
  [1_300, FEW, ['--explicit-status']],
  [1_300, FEW, ['--no-verify']],
  [900, FEW, []],
  [900, MANY, []],
] as const)('a list of %i people', (count, optedOut, flags) => {
  test.each([
    ['a service that signs people up', SIGNS_UP, [8, 'first_batch', 'unsubscribed']],
    ['a service that keeps opt-outs', {}, [0, undefined, 'unsubscribed']],
  ] as const)(`signs up no leaver, ${optedOut.length} opt-outs${flags}, %s (C1, L2)`, async (_, variants, expected) => {
    const world = await createWorldWith(count, optedOut, variants);
    await setStatuses(world, [count - 1], 'unsubscribed');
    const { code, json } = await world.svc([...world.line, ...flags]);
    expect(
      sentPeople(world)
        .flat()
        .includes(addressOf(count - 1)),
    ).toBe(variants !== SIGNS_UP);
    expect([code, json.error?.code, ...statusesOf(world, [count - 1])]).toEqual(expected);
    expect(statusesOf(world, [optedOut[0]])).toEqual(['unsubscribed']);
  });
});

test('imports a list of all leavers although the service signs people up (C1)', async () => {
  const world = await createWorldWith(1_300, [...FEW, 1_299]);
  await setStatuses(world, [1_299], 'unsubscribed');
  const { code, json } = await world.svc(world.line);
  expect([code, json.rows.created + json.rows.updated, ...statusesOf(world, [10, 1_299])]).toEqual([
    0,
    1_300,
    'unsubscribed',
    'unsubscribed',
  ]);
});

test('sends one request more when it tests an opted-out person (C1)', async () => {
  const world = await createWorldWith(600, [10, 11, 12], {});
  await setStatuses(world, [10, 11, 12], 'unsubscribed');
  await world.svc(world.line);
  const sent = sentPeople(world);
  expect([sent.length, sent[1], sent[2]?.length]).toEqual([3, [addressOf(10)], 600]);
});

test.each([
  ['the test is sent', stoppedAfterPost(2)],
  ['the response of the test is lost', stoppedAt('response lost', createNthPost(2))],
  ['the opt-out after the test is lost', stoppedAt('never arrives', createNthPost(3))],
] as const)('opts the tested person out again when the run stops after %s (C1)', async (_, options) => {
  const world = await createWorldWith(600, FEW);
  await world.svc(world.line, options);
  expect(statusesOf(world, FEW)).toEqual(['subscribed']);
  const { code, json } = await world.svc('runs resume --json');
  expect([code, json.rows.updated, ...statusesOf(world, FEW)]).toEqual([0, 600, 'unsubscribed']);
});

test('opts the tested person out again before anything else is sent (C1)', async () => {
  const world = await createWorldWith(600, FEW);
  await world.svc(world.line, stoppedAfterPost(3));
  expect([sentPeople(world).map(({ length }) => length), statusesOf(world, FEW)]).toEqual([
    [4, 1, 1],
    ['unsubscribed'],
  ]);
});

test.each(['another list', 'the same list with --again'])(
  'opts the tested person out again before %s (C1)',
  async (next) => {
    const world = await createWorldWith(600, FEW);
    await world.svc(world.line, stoppedAfterPost(2));
    const other = ['migrate', world.file('other.csv', people(500, 20)), ...FLAGS];
    const { code } = await world.svc(next === 'another list' ? other : [...world.line, '--again']);
    expect([code, ...statusesOf(world, FEW)]).toEqual([0, 'unsubscribed']);
  },
);

test('signs up no tested person in another list when the run was stopped (C1)', async () => {
  const world = await createWorldWith(600, FEW);
  await world.svc(world.line, stoppedAfterPost(2));
  const { code, json } = await world.svc(['migrate', world.file('other.csv', people(1_300)), ...FLAGS, '--no-verify']);
  expect([code, json.error?.message]).toEqual([8, expect.stringContaining(addressOf(10))]);
  expect(statusesOf(world, FEW)).toEqual(['unsubscribed']);
});

test('tests no person when each row is an opt-out (C1)', async () => {
  const world = await createAudience(20, SIGNS_UP);
  await setStatuses(world, [10, 11], 'unsubscribed');
  const list = csv('email,status', 20, (index) => `${addressOf(index)},unsubscribed`);
  const { code } = await world.svc(['contacts', 'import', world.file('left.csv', list), ...FLAGS]);
  expect([code, sentPeople(world).map(({ length }) => length)]).toEqual([0, [1, 20]]);
});

const DATE = '2024-05-06T07:08:09.000Z';

test.each(['--concurrency 1', '--explicit-status'])(
  'compares no opt-out date when the test may have changed it, %s (C2)',
  async (flag) => {
    const world = await createAudience(0, SIGNS_UP);
    const state = (index: number) => (index % 5 === 0 ? `unsubscribed,${DATE}` : 'subscribed,');
    const list = csv('email,status,unsubscribed_at', 20, (index) => `new${index}@example.com,${state(index)}`);
    const { code, json } = await world.svc(['migrate', world.file('list.csv', list), ...FLAGS, ...flag.split(' ')]);
    expect([code, readFileSync(json.files.consent, 'utf8')]).toEqual([0, expect.stringContaining(DATE)]);
  },
);

test('keeps the date of a tested person when the run stops at the opt-out (C2)', async () => {
  const world = await createWorldWith(600, FEW);
  world.emulator.admin.deleteContact(addressOf(10));
  world.emulator.admin.addContacts([
    { email: addressOf(10), status: 'unsubscribed', unsubscribed_at: Date.parse(DATE) },
  ]);
  await world.svc(world.line, stoppedAfterPost(3));
  const { code, json } = await world.svc('runs resume --json');
  expect([code, readFileSync(json.files.consent, 'utf8')]).toEqual([0, expect.stringContaining(DATE)]);
});

test('sends an opt-out of a later batch with the first people (C1)', async () => {
  const world = await createWorldWith(1_300, [1_250], {});
  await world.svc(world.line);
  const sent = sentPeople(world);
  expect([sent.map(({ length }) => length), sent[1]]).toEqual([[4, 1, 1_000, 300], [addressOf(1_250)]]);
});

test('tests another person when the first one is suppressed (C1)', async () => {
  const world = await createWorldWith(600, [10, 11, 12], {});
  await setStatuses(world, [10, 11, 12], 'unsubscribed');
  world.emulator.admin.suppress([addressOf(10), addressOf(11)], 'complained');
  const { code } = await world.svc(world.line);
  const sizes = sentPeople(world).map(({ length }) => length);
  expect([code, sizes]).toEqual([0, [4, 1, 1, 1, 600]]);
});

test('reads the whole audience when no person can be tested (C1, L2)', async () => {
  const world = await createWorldWith(600, FEW);
  await setStatuses(world, [599], 'unsubscribed');
  world.emulator.admin.suppress([addressOf(10)], 'complained');
  const { code, json } = await world.svc(world.line);
  expect([code, json.error?.code, ...statusesOf(world, [599])]).toEqual([8, 'first_batch', 'unsubscribed']);
  expect(json.error.message).toContain(addressOf(599));
});

function createNthPost(nth: number) {
  let posts = 0;
  return ({ method }: { readonly method: string }) => {
    posts += method === 'POST' ? 1 : 0;
    return method === 'POST' && posts === nth;
  };
}
