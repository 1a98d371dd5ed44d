import { expect, test } from 'vitest';
import type { FaultRule } from '../../../../src/emulator/faults/fault.ts';
import { stoppedAfterPost } from '../../../support/after-post.ts';
import { people } from '../../../support/lists.ts';
import { stoppedAt } from '../../../support/stopped-at.ts';
import { everyNth } from '../../../support/sweep.ts';
import { BATCH, createWorld, type World } from '../../../support/world.ts';
import {
  addressOf,
  createAudience,
  FLAGS,
  MINUTE,
  REFUSED,
  resumeAfter,
  setStatuses,
  statusesOf,
  stoppedAtContact,
} from '../opt-outs/support.ts';

/** Lets a person come back in the pause, then resumes the run or imports another list. */
async function comeBack(world: World, who: string, next: string) {
  if (next === 'a resume') {
    return resumeAfter(world, [who], 'subscribed');
  }
  world.emulator.admin.setStatus(who, 'subscribed');
  const { code } = await world.svc(['migrate', world.file('shorter.csv', people(500)), ...FLAGS]);
  return [code, world.emulator.admin.contact(who)?.status];
}

test.each(['before', 'once more before'])(
  'keeps a person subscribed when they came back %s a resume (C1)',
  async (when) => {
    const world = await createAudience(600, {}, 0);
    const { admin } = world.emulator;
    const who = when === 'before' ? 'person1@example.com' : 'person0@example.com';
    const refuse = () => admin.addFault({ ...REFUSED, match: { route: BATCH } });
    if (when === 'before') {
      admin.setStatus(who, 'unsubscribed');
    }
    refuse();
    await world.svc(['migrate', world.list, ...FLAGS]);
    if (when !== 'before') {
      admin.setStatus(who, 'unsubscribed');
      refuse();
      await world.svc('runs resume --json');
    }
    expect(await resumeAfter(world, [who], 'subscribed')).toEqual([0, 'subscribed']);
  },
);

const BAD = { kind: 'error', status: 400, code: 'invalid_request', when: 'before', times: 1 } as const;

const CANARIES = [
  ['one request', 1, []],
  ['two halves', 3, []],
  ['two parts', 2, ['--explicit-status']],
] as const;

// The first four look-ups come before the first people are sent again, the others read them back.
const CASES = CANARIES.flatMap(([name]) => [1, 2, 3, 4, 5, 6, 7, 8].map((count) => [name, count] as const));

// Each canary and each look-up still occur, but not each pair of them.
test.each(everyNth(CASES, 3))('keeps a returned person: canary in %s, stop at look-up %i (C1)', async (name, count) => {
  const [, posts, flags] = CANARIES.find(([one]) => one === name) ?? CANARIES[0];
  const world = await createAudience(600, {}, 0);
  if (name === 'two parts') {
    world.emulator.admin.deleteContact('person599@example.com');
  }
  if (name === 'two halves') {
    const refusal = { kind: 'error', status: 400, code: 'invalid_request', when: 'before', times: 1 } as const;
    world.emulator.admin.addFault({ ...refusal, match: { route: BATCH } });
  }
  await world.svc(['migrate', world.list, ...FLAGS, ...flags], stoppedAfterPost(posts));
  world.emulator.admin.setStatus('person0@example.com', 'unsubscribed');
  await world.svc('runs resume --json', stoppedAtContact(count));
  expect(await resumeAfter(world, ['person0@example.com'], 'subscribed')).toEqual([0, 'subscribed']);
});

test('keeps a person subscribed when they came back after a refused run (C1)', async () => {
  const world = await createAudience(600, {}, 0);
  const { admin } = world.emulator;
  admin.setStatus('person1@example.com', 'unsubscribed');
  admin.addFault({ ...REFUSED, match: { route: BATCH } });
  await world.svc(['migrate', world.list, ...FLAGS]);
  admin.setStatus('person1@example.com', 'subscribed');
  const { code } = await world.svc(['migrate', world.file('shorter.csv', people(500)), ...FLAGS]);
  expect([code, admin.contact('person1@example.com')?.status]).toEqual([0, 'subscribed']);
});

// The canary is a replay after a lost response, which proves nothing. So the batch goes alone. Before it come two
// requests of the canary, and with --explicit-status two more and the part of the new person.
const ALONE = {
  'all of it': [[], [{ ...REFUSED, after: 2 }]],
  'a half': [
    [],
    [
      { ...BAD, after: 2 },
      { ...REFUSED, after: 4 },
    ],
  ],
  'a part': [['--explicit-status'], [{ ...REFUSED, after: 5 }]],
  'a half of a part': [
    ['--explicit-status'],
    [
      { ...BAD, after: 5 },
      { ...REFUSED, after: 7 },
    ],
  ],
} as const satisfies Record<string, readonly [readonly string[], readonly FaultRule[]]>;

const CASES_ALONE = (Object.keys(ALONE) as (keyof typeof ALONE)[]).flatMap((name) => [
  [name, 'a resume'] as const,
  [name, 'another list'] as const,
]);

test.each(CASES_ALONE)('keeps a returned person subscribed, refused batch: %s, next: %s (C1)', async (name, next) => {
  const [flags, faults] = ALONE[name];
  const world = await createAudience(600, {}, 0);
  const { admin } = world.emulator;
  ['person0@example.com', 'person3@example.com'].forEach((email) => admin.deleteContact(email));
  ['person1@example.com', 'person501@example.com'].forEach((email) => admin.setStatus(email, 'unsubscribed'));
  admin.addFault({ kind: 'reset', when: 'after', times: 1, match: { route: BATCH } });
  faults.forEach((fault) => admin.addFault({ ...fault, match: { route: BATCH } }));
  const { json } = await world.svc(['migrate', world.list, ...FLAGS, ...flags]);
  expect(json.error.code).toBe('plan_limit_reached');
  expect(await comeBack(world, 'person501@example.com', next)).toEqual([0, 'subscribed']);
});

test('keeps a returned person subscribed when a resume sent nothing (C1)', async () => {
  const world = await createAudience(600, {}, 0);
  const { admin } = world.emulator;
  admin.setStatus('person1@example.com', 'unsubscribed');
  admin.addFault({ ...REFUSED, match: { route: BATCH } });
  await world.svc(['migrate', world.list, ...FLAGS]);
  await world.svc('runs resume --json', stoppedAt('no route'));
  expect(await resumeAfter(world, ['person1@example.com'], 'subscribed')).toEqual([0, 'subscribed']);
});

test.each<[string, FaultRule | undefined]>([
  ['a 429', { kind: 'rate_limited', retry_after: '900' }],
  ['no route', undefined],
])('keeps a returned person subscribed when %s stopped the canary (C1)', async (_, fault) => {
  const world = await createAudience(600, {}, 0);
  const { admin } = world.emulator;
  admin.setStatus('person1@example.com', 'unsubscribed');
  if (fault) {
    admin.addFault({ ...fault, match: { route: BATCH }, times: 1 });
  }
  const line = ['migrate', world.list, ...FLAGS, '--max-wait', '2s'];
  const { json } = await world.svc(line, fault ? {} : stoppedAt('no route'));
  expect(json.rows).toMatchObject({ unsent: 600, unknown: 0 });
  expect(await resumeAfter(world, ['person1@example.com'], 'subscribed')).toEqual([0, 'subscribed']);
});

// The person who opted out is the last of the four first people, so the second half or part holds them.
const HALF = [[], [BAD, { ...REFUSED, after: 2 }]] as const;
const PART = [['--explicit-status'], [{ ...REFUSED, after: 2 }]] as const;

// With --explicit-status the first request has the new person only. The second one has the people who were there: the
// service refuses it, and then its second half.
const HALF_OF_PART = [
  ['--explicit-status'],
  [
    { ...BAD, after: 2 },
    { ...REFUSED, after: 4 },
  ],
] as const;

test.each<[string, string, readonly string[], readonly FaultRule[]]>([
  ['half', 'a resume', ...HALF],
  ['part', 'a resume', ...PART],
  ['half', 'another list', ...HALF],
  ['part', 'another list', ...PART],
  ['half of a part', 'a resume', ...HALF_OF_PART],
  ['half of a part', 'another list', ...HALF_OF_PART],
])('keeps a returned person when a %s of the canary fails before %s (C1, P3)', async (_, next, flags, faults) => {
  const world = await createAudience(600, {}, 0);
  const { admin } = world.emulator;
  admin.deleteContact('person0@example.com');
  admin.setStatus('person599@example.com', 'unsubscribed');
  faults.forEach((fault) => admin.addFault({ ...fault, match: { route: BATCH } }));
  const { json } = await world.svc(['migrate', world.list, ...FLAGS, ...flags]);
  expect(json.rows.created).toBe(1);
  expect(await comeBack(world, 'person599@example.com', next)).toEqual([0, 'subscribed']);
});

test('keeps a returned person subscribed when their row was refused (C1, P3)', async () => {
  const world = await createAudience(1, {}, 0);
  const { admin } = world.emulator;
  admin.setStatus('person0@example.com', 'unsubscribed');
  admin.addFault({ ...BAD, match: { route: BATCH } });
  await world.svc(['migrate', world.list, ...FLAGS], stoppedAfterPost(1));
  expect(await resumeAfter(world, ['person0@example.com'], 'subscribed')).toEqual([3, 'subscribed']);
});

// The process stops after the first people, so the resume sends the batch alone. The service accepts its first half. It
// refuses each part of the second half until svc stops the search.
test.each(['another list', 'a resume'])(
  'keeps a returned person when half a batch is refused before %s (C1, P3)',
  async (next) => {
    const world = await createWorld();
    const { admin } = world.emulator;
    admin.addContacts(Array.from({ length: 800 }, (_, index) => ({ email: addressOf(index) })));
    await setStatuses(world, [500, 700], 'unsubscribed');
    await world.svc(['migrate', world.file('list.csv', people(800)), ...FLAGS], stoppedAfterPost(1));
    await world.clock.advance(60 * MINUTE);
    admin.addFault({ ...BAD, match: { route: BATCH } });
    admin.addFault({ ...BAD, times: 66, after: 2, match: { route: BATCH } });
    expect((await world.svc('runs resume --json')).json.error.code).toBe('rows_unsent');
    admin.clearFaults();
    await setStatuses(world, [700], 'subscribed');
    const other = ['migrate', world.file('other.csv', people(790)), ...FLAGS];
    const { json } = await world.svc(next === 'a resume' ? 'runs resume --json' : other);
    expect([json.error, ...statusesOf(world, [500, 700])]).toEqual([undefined, 'unsubscribed', 'subscribed']);
  },
);
