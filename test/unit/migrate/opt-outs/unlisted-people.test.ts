import { describe, expect, test } from 'vitest';
import type { Transport } from '../../../../src/base/context.ts';
import type { Emit } from '../../../../src/base/events.ts';
import { afterPost } from '../../../support/after-post.ts';
import { csv } from '../../../support/lists.ts';
import { withTraffic } from '../../../support/traffic.ts';
import { createWorld, type RunOptions, type World } from '../../../support/world.ts';
import {
  addressOf,
  createAudience,
  FLAGS,
  resumeAfter,
  SIGNS_UP,
  setStatuses,
  statusesOf,
  stoppedAtBatches,
} from './support.ts';

// A service that lists only subscribed people, and signs up each person whom svc sends without a status.
const HIDES = { ...SIGNS_UP, contact_list: 'subscribed' };

/** A list of people of whom it opts some out. */
function listOf(count: number, optedOut: readonly number[] = []): string {
  const status = (index: number) => (optedOut.includes(index) ? 'unsubscribed' : 'subscribed');
  return csv('email,first_name,status', count, (index) => `${addressOf(index)},Name ${index},${status(index)}`);
}

/** An audience of which only these people of the list are members, and they left. */
async function createOptedOutAudience(optedOut: readonly number[], status = 'unsubscribed'): Promise<World> {
  const world = await createWorld({ variants: HIDES });
  const { admin } = world.emulator;
  admin.addContacts([...optedOut.map((index) => ({ email: addressOf(index), status })), { email: 'eve@example.com' }]);
  await world.clock.advance(60_000);
  return world;
}

function lookUpsOf(world: World): number {
  return world.requests().filter(({ path }) => /contacts\/person/.test(path)).length;
}

describe.each([20, 1_300])('a list of %i people', (count) => {
  test.each([[[]], [[3, 4, 5]]])(
    'signs up no person who left before the resume, older opt-outs %j (C1)',
    async (optedOut) => {
      const world = await createAudience(count, HIDES, 5);
      const list = world.file('list.csv', listOf(count, optedOut));
      await world.svc(['migrate', list, ...FLAGS], stoppedAtBatches());
      const left = [10, 11].map(addressOf);
      expect(await resumeAfter(world, left, 'unsubscribed')).toEqual([8, 'unsubscribed', 'unsubscribed']);
    },
  );

  test.each(['bounced', 'pending', 'cleaned'])(
    'stops at the canary when the service does not list %s people (C1)',
    async (status) => {
      const world = await createAudience(count, HIDES, 5);
      world.emulator.admin.deleteContact('old@example.com');
      await setStatuses(world, [10, count - 1], status);
      const { code, json } = await world.svc(['migrate', world.file('list.csv', listOf(count)), ...FLAGS]);
      expect([code, json.rows.unsent, ...statusesOf(world, [count - 1])]).toEqual([8, count - 4, status]);
    },
  );
});

test('looks up only people whom the service does not list (C1)', async () => {
  const world = await createAudience(3_500, { contact_list: 'subscribed' }, 5);
  await setStatuses(world, [1_001, 2_003], 'unsubscribed');
  const list = world.file('list.csv', listOf(3_502));
  const { code } = await world.svc(['migrate', list, ...FLAGS, '--no-verify']);
  expect([code, ...statusesOf(world, [1_001, 2_003])]).toEqual([0, 'unsubscribed', 'unsubscribed']);
  // svc looks up two people who left and two new ones, the four people of the canary before and after it is sent, and
  // the opted-out person at the end.
  expect(lookUpsOf(world)).toBeLessThan(4 + 4 + 4 + 10);
});

test.each([
  ['unsubscribed', 1_001, []],
  ['bounced', 3_201, []],
  ['unsubscribed', 3_201, ['--explicit-status']],
])('finds the only %s person of 3,300 by look-ups, row %i, flags %s (C1)', async (status, optedOutIndex, flags) => {
  const world = await createOptedOutAudience([optedOutIndex], status);
  const list = world.file('list.csv', listOf(3_300));
  const notes: string[] = [];
  const onEvent: Emit = (event) => void (event.type === 'note' && notes.push(event.message));
  const { code, json } = await world.svc(['migrate', list, ...FLAGS, '--no-verify', ...flags], { onEvent });
  expect([code, json.error?.message]).toEqual([8, expect.stringContaining(addressOf(optedOutIndex))]);
  expect(notes.filter((note) => note.endsWith('All of them take 6 min or more.'))).toHaveLength(1);
  expect(statusesOf(world, [optedOutIndex])).toEqual(['unsubscribed']);
});

test('signs up no opted-out person when the one in the canary is refused (C1)', async () => {
  const optedOut = [500, 501, 2_701];
  const world = await createOptedOutAudience(optedOut);
  // The service refuses the person whom svc finds first.
  world.emulator.admin.suppress([addressOf(500)], 'complained');
  const { code } = await world.svc(['migrate', world.file('list.csv', listOf(3_300)), ...FLAGS]);
  expect([code, new Set(statusesOf(world, optedOut))]).toEqual([8, new Set(['unsubscribed'])]);
});

describe('a service whose total has subscribed people only', () => {
  const counting = withTraffic({
    of: /audiences\/[^/]+$/,
    response: (body) => ({
      ...body,
      contact_counts: { ...body.contact_counts, total: body.contact_counts.subscribed },
    }),
  });

  // Only unsubscribed people are left out of the lists.
  const listed = ({ status }: { readonly status: string }) => status !== 'unsubscribed';
  const lists = withTraffic({ of: /contacts$/, response: (body) => ({ ...body, data: body.data?.filter(listed) }) });
  const transport = (inner: Transport) => counting.transport(lists.transport(inner));

  test.each([
    ['a subscribed person too', [{ email: 'eve@example.com' }]],
    ['only this person', []],
    ['a pending person too', [{ email: 'eve@example.com', status: 'pending' }]],
  ])('keeps an opt-out that is not listed, in an audience with %s (C1, L2)', async (_, others) => {
    const world = await createWorld({ variants: SIGNS_UP });
    world.emulator.admin.addContacts([{ email: addressOf(17), status: 'unsubscribed' }, ...others]);
    const line = ['migrate', world.file('list.csv', listOf(40)), ...FLAGS, '--no-verify'];
    const { code } = await world.svc(line, { transport });
    expect([code, ...statusesOf(world, [17])]).toEqual([8, 'unsubscribed']);
  });

  test('creates no second contact for another spelling of an opt-out (F8, C1)', async () => {
    const world = await createWorld({ variants: { contact_list: 'subscribed' } });
    const number = (index: number) => `p${index}@b\u00fccher.example`;
    const left = [1, 2, 3].map((index) => ({ email: number(index), status: 'unsubscribed' }));
    world.emulator.admin.addContacts([...left, { email: 'eve@example.com' }]);
    const rows = [1, 2, 3, 4].map((index) => `p${index}@xn--bcher-kva.example,subscribed\n`).join('');
    const list = world.file('list.csv', `email,status\n${rows}`);
    const { code, json } = await world.svc(['migrate', list, ...FLAGS, '--no-verify'], counting);
    expect([code, json.rows.created, json.rows.updated]).toEqual([0, 1, 3]);
    const now = world.emulator.admin.contacts().map(({ email, status }) => [email, status]);
    expect(Object.fromEntries(now)).toEqual({
      ...Object.fromEntries(left.map(({ email }) => [email, 'unsubscribed'])),
      'eve@example.com': 'subscribed',
      'p4@xn--bcher-kva.example': 'subscribed',
    });
  });
});

/** Calls an act right before each of these pages of the audience is read. */
function beforePages(acts: Readonly<Record<number, () => void>>): RunOptions {
  let page = 0;
  return withTraffic({ of: /contacts$/, before: () => acts[++page]?.() });
}

test('looks people up when a person joins before the first page is read (C1)', async () => {
  const world = await createWorld({ variants: HIDES });
  const { admin } = world.emulator;
  admin.addContacts(Array.from({ length: 40 }, (_, index) => ({ email: addressOf(index) })));
  await setStatuses(world, [17], 'unsubscribed');
  const join = beforePages({ 1: () => admin.addContacts([{ email: 'new@example.com' }]) });
  const { code } = await world.svc(['migrate', world.file('list.csv', listOf(40)), ...FLAGS, '--no-verify'], join);
  expect([code, ...statusesOf(world, [17])]).toEqual([8, 'unsubscribed']);
});

test('looks no person up when contacts are deleted while svc reads (C1, L2)', async () => {
  const world = await createWorld();
  const { admin } = world.emulator;
  admin.addContacts(['ann', 'bea'].map((name) => ({ email: `${name}@example.com`, status: 'unsubscribed' })));
  await world.clock.advance(1_000);
  admin.addContacts(Array.from({ length: 250 }, (_, index) => ({ email: addressOf(index) })));
  // The three pages are read twice. Each time a person joins too.
  const change = (gone: string, joined: string) => () => {
    admin.deleteContact(gone);
    admin.addContacts([{ email: joined }]);
  };
  const leave = beforePages({
    2: change('ann@example.com', 'yul@example.com'),
    5: change('bea@example.com', 'zoe@example.com'),
  });
  const { code } = await world.svc(['migrate', world.file('list.csv', listOf(300)), ...FLAGS, '--no-verify'], leave);
  expect(code).toBe(0);
  // svc looks up only the people of the canary, and candidates for it.
  expect(lookUpsOf(world)).toBeLessThan(15);
});

describe('people of the list whom no page shows', () => {
  const variants = { contact_list: 'subscribed' };

  test.each([40, 3_300])('--explicit-status keeps opt-outs that are not listed, %i people (C1)', async (count) => {
    const world = await createWorld({ variants });
    const optedOutContacts = [3, count - 9].map((index) => ({ email: addressOf(index), status: 'unsubscribed' }));
    world.emulator.admin.addContacts(optedOutContacts);
    const list = world.file('list.csv', listOf(count));
    const { code, json } = await world.svc(['migrate', list, ...FLAGS, '--explicit-status']);
    expect([code, json.rows.created, json.rows.updated]).toEqual([0, count - 2, 2]);
    expect(statusesOf(world, [3, count - 9])).toEqual(['unsubscribed', 'unsubscribed']);
  });

  test('adds no contact when opted-out people have another spelling (F8, C1)', async () => {
    const world = await createWorld({ variants });
    const { admin } = world.emulator;
    const optedOutContact = { email: addressOf(3), status: 'unsubscribed' };
    const spelled = [1, 2, 3].map((index) => ({ email: `p${index}@bücher.example`, status: 'unsubscribed' }));
    admin.addContacts([
      optedOutContact,
      ...spelled,
      ...Array.from({ length: 150 }, (_, index) => ({ email: `o${index}@a.test` })),
    ]);
    const rows = [
      ...spelled.map((_, index) => `p${index + 1}@xn--bcher-kva.example`),
      ...[2, 3, 4, 5, 6].map(addressOf),
    ];
    const list = world.file('list.csv', `email,status\n${rows.map((email) => `${email},subscribed\n`).join('')}`);
    const { code, json } = await world.svc(['migrate', list, ...FLAGS, '--no-verify']);
    expect([code, json.rows.created, json.rows.updated]).toEqual([0, 4, 4]);
    const optedOut = admin.contacts().filter(({ status }) => status === 'unsubscribed');
    expect(optedOut.map(({ email }) => email).sort()).toEqual([...spelled.map(({ email }) => email), addressOf(3)]);
    expect(admin.contacts().filter(({ email }) => email.includes('xn--'))).toEqual([]);
  });

  test('uses the spelling of the list when the service shows another (F8, C1)', async () => {
    const world = await createWorld({ variants });
    const { admin } = world.emulator;
    const left = [1, 2, 3].map((index) => `p${index}@bücher.example`);
    admin.addContacts(left.map((email) => ({ email, status: 'unsubscribed' })));
    admin.addContacts(left.map((email) => ({ email: email.replace('bücher', 'xn--bcher-kva') })));
    const rows = left.map((email) => `${email},New,subscribed\n`).join('');
    const list = world.file('list.csv', `email,first_name,status\n${rows}`);
    const { code } = await world.svc(['migrate', list, ...FLAGS, '--no-verify']);
    const names = left.map((email) => admin.contact(email)?.first_name);
    expect([code, names]).toEqual([0, ['New', 'New', 'New']]);
  });

  test('reports no missing person when another contact is deleted (L2, L4)', async () => {
    const world = await createWorld({ variants });
    const { admin } = world.emulator;
    admin.addContacts([{ email: 'eve@example.com' }]);
    const leave = withTraffic({ of: /batch$/, before: () => admin.deleteContact('eve@example.com') });
    const { code, json } = await world.svc(['migrate', world.file('list.csv', listOf(40, [3, 5, 7])), ...FLAGS], leave);
    expect([code, json.verification.checks[0]]).toMatchObject([0, { check: 'contact_counts', status: 'passed' }]);
  });

  test('looks up only five of the missing people when 30 are missing (L4)', async () => {
    const world = await createWorld();
    const gone = Array.from({ length: 30 }, (_, index) => addressOf(index));
    const leave = afterPost(2, () => gone.forEach((email) => world.emulator.admin.deleteContact(email)));
    const line = ['migrate', world.file('list.csv', listOf(40)), ...FLAGS, '--verify-sample', '0'];
    const { code, json } = await world.svc(line, leave);
    const [{ message }] = json.verification.checks;
    expect([code, message]).toEqual([8, expect.stringContaining('30 people of the list are not there')]);
    expect(lookUpsOf(world)).toBe(4 + 4 + 5);
  });

  test.each([
    ['subscribed', 1],
    ['all', 0],
  ])('says when an export lacks people, contact_list=%s (C1)', async (value, notes) => {
    const world = await createWorld({ variants: { contact_list: value } });
    world.emulator.admin.addContacts([
      { email: 'ann@example.com', status: 'unsubscribed' },
      { email: 'bo@example.com' },
    ]);
    const { code, err } = await world.svc('contacts export');
    expect([code, err.match(/The service counts 2 contacts and lists 1\./g)?.length ?? 0]).toEqual([0, notes]);
  });

  test('says in the hint of a stop that an export may lack people (C1)', async () => {
    const world = await createOptedOutAudience([3, 4, 5]);
    const lacks = expect.stringContaining('("svc contacts export" lacks those whom the service leaves out');
    const { json } = await world.svc(['migrate', world.file('list.csv', listOf(20)), ...FLAGS]);
    const other = await world.svc(['migrate', world.file('other.csv', listOf(2)), ...FLAGS]);
    expect([json.error.hint, other.json.error.hint]).toEqual([lacks, lacks]);
  });

  test('does not count people as new when the service does not list them (P2)', async () => {
    const world = await createWorld({ variants, plan: 'free' });
    const status = (index: number) => (index % 4 ? {} : { status: 'unsubscribed' });
    const there = Array.from({ length: 480 }, (_, index) => ({ email: addressOf(index), ...status(index) }));
    world.emulator.admin.addContacts(there);
    const { code, json } = await world.svc(['migrate', world.file('list.csv', listOf(490)), '--json', '--no-verify']);
    expect([code, json.rows.created]).toEqual([0, 10]);
  });
});
