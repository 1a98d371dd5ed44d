import { describe, expect, test } from 'vitest';
import type { Transport, WireRequest } from '../../../../src/base/context.ts';
import type { Emit } from '../../../../src/base/events.ts';
import { findHiddenPeople } from '../../../../src/migrate/account/hidden-people.ts';
import type { Contact, ContactCounts } from '../../../../src/wire/shapes.ts';
import { afterPost, stoppedAfterPost } from '../../../support/after-post.ts';
import { csv, people } from '../../../support/lists.ts';
import { everyNth } from '../../../support/sweep.ts';
import { withTraffic } from '../../../support/traffic.ts';
import { createWorld, type World } from '../../../support/world.ts';
import { addressOf, FLAGS, SIGNS_UP, statusesOf, withoutListedOptOuts } from './support.ts';

/** A service that signs people up who are sent without a status, except people who had the status `kept`. */
function serviceThatKeeps({ emulator: { admin } }: World, kept: readonly string[]) {
  const keptPeople = ({ url, body }: WireRequest): [string, string][] => {
    const contacts: { email: string; status?: string }[] = /batch$/.test(url.pathname)
      ? JSON.parse(String(body)).contacts
      : [];
    return contacts.flatMap(({ email, status }) => {
      const before = admin.contact(email)?.status ?? '';
      return status === undefined && kept.includes(before) ? [[email, before] as [string, string]] : [];
    });
  };
  const transport = (inner: Transport): Transport => ({
    close: () => inner.close(),
    send: async (request, signal) => {
      const people = keptPeople(request);
      const response = await inner.send(request, signal);
      people.forEach(([email, status]) => admin.setStatus(email, status));
      return response;
    },
  });
  return { transport };
}

const KEPT_AND_SIGNED_UP = [
  ['unsubscribed', 'bounced'],
  ['unsubscribed', 'pending'],
  ['bounced', 'unsubscribed'],
  ['pending', 'unsubscribed'],
] as const;

/**
 * People of the list: for each kept status one person in the first batch, and two late people with the status
 * `signedUp`.
 */
async function createPeople(count: number, kept: readonly string[], signedUp: string) {
  const world = await createWorld({ variants: SIGNS_UP });
  const early = kept.map((status, index) => ({ email: addressOf(index + 3), status }));
  const late = [count - 3, count - 2].map((index) => ({ email: addressOf(index), status: signedUp }));
  world.emulator.admin.addContacts([...early, ...late, { email: 'eve@example.com' }]);
  await world.clock.advance(60_000);
  const list = csv('email,first_name,status', count, (index) => `${addressOf(index)},Name ${index},subscribed`);
  return { world, line: ['migrate', world.file('list.csv', list), ...FLAGS, '--no-verify'] };
}

describe.each([
  [20, 'shows all people'],
  [1_300, 'shows all people'],
  [20, 'hides people'],
  [3_300, 'hides people'],
])('a list of %i people, a service that %s', (count, lists) => {
  const hiding = lists === 'hides people';

  test.each(everyNth(KEPT_AND_SIGNED_UP, 2, count > 20 ? 1 : 0))(
    'stops when %s people keep their status and %s people are signed up (C1)',
    async (kept, signedUp) => {
      const { world, line } = await createPeople(count, [kept], signedUp);
      const service = serviceThatKeeps(world, [kept]);
      const { code, json } = await world.svc(line, hiding ? withoutListedOptOuts(service) : service);
      expect([code, json.error?.code, json.rows.unsent]).toEqual([8, 'first_batch', count - 4]);
      expect(statusesOf(world, [count - 3, count - 2]).includes('subscribed')).toBe(false);
    },
  );

  test('stops when the service keeps two opt-out statuses, not a third (C1)', async () => {
    const { world, line } = await createPeople(count, ['unsubscribed', 'pending'], 'bounced');
    const service = serviceThatKeeps(world, ['unsubscribed', 'pending']);
    const { code } = await world.svc(line, hiding ? withoutListedOptOuts(service) : service);
    expect([code, statusesOf(world, [count - 3, count - 2]).includes('subscribed')]).toEqual([8, false]);
  });

  test('completes the run when the service keeps every status (C1)', async () => {
    const { world, line } = await createPeople(count, ['unsubscribed', 'pending'], 'bounced');
    const service = serviceThatKeeps(world, ['unsubscribed', 'pending', 'bounced']);
    const { code, json } = await world.svc(line, hiding ? withoutListedOptOuts(service) : service);
    expect([code, json.rows.created, json.rows.updated]).toEqual([0, count - 4, 4]);
    expect(statusesOf(world, [3, 4, count - 2])).toEqual(['unsubscribed', 'pending', 'bounced']);
  });
});

test('stops when a batch signs up bounced, but no unsubscribed people (C1)', async () => {
  const { world, line } = await createPeople(2_500, ['unsubscribed'], 'bounced');
  // The bounced person in the canary is refused, which shows nothing.
  world.emulator.admin.suppress([addressOf(2_497)], 'bounced');
  const { code, json } = await world.svc(line, serviceThatKeeps(world, ['unsubscribed']));
  expect([code, json.error?.message]).toEqual([8, expect.stringContaining(addressOf(2_498))]);
  expect(statusesOf(world, [3, 2_497, 2_498])).toEqual(['unsubscribed', 'bounced', 'unsubscribed']);
});

// Person 0 would be in the canary, because each person has equally many fields.
const OLD = 1;

/** An audience of more people than svc reads first. An old one has this status, and new ones have `known`. */
async function createLargeAudience(status: string, known: readonly string[], others: readonly string[]) {
  const world = await createWorld({ variants: SIGNS_UP });
  const statusOf = (index: number) => (index === OLD ? status : (known[1_500 - index] ?? 'subscribed'));
  const members = Array.from({ length: 1_501 }, (_, index) => ({ email: addressOf(index), status: statusOf(index) }));
  world.emulator.admin.addContacts(members);
  world.emulator.admin.addContacts(others.map((other) => ({ email: `${other}@example.com`, status: other })));
  await world.clock.advance(60_000);
  return { world, line: ['migrate', world.file('list.csv', people(1_501)), ...FLAGS, '--no-verify'] };
}

const COUNTED = {
  'subscribed people only': ({ subscribed }: ContactCounts) => subscribed,
  'no pending or bounced people': ({ subscribed, unsubscribed }: ContactCounts) => subscribed + unsubscribed,
};

describe.each(['bounced', 'pending'])('a service that keeps unsubscribed people and signs up %s ones', (status) => {
  test.each([
    ['subscribed people only', []],
    ['no pending or bounced people', []],
    ['no pending or bounced people', ['bounced']],
    ['no pending or bounced people', ['pending']],
  ] as const)('opts an old contact out when the total counts %s, read: %j (C1, L2)', async (counted, others) => {
    const { world, line } = await createLargeAudience(status, ['unsubscribed'], others);
    const { transport: keeping } = serviceThatKeeps(world, ['unsubscribed']);
    const { transport: counting } = withTraffic({
      of: /audiences\/[^/]+$/,
      response: (body) => ({
        ...body,
        contact_counts: { ...body.contact_counts, total: COUNTED[counted](body.contact_counts) },
      }),
    });
    const { code, json } = await world.svc(line, { transport: (inner: Transport) => counting(keeping(inner)) });
    expect([code, json.error?.message]).toEqual([8, expect.stringContaining(addressOf(OLD))]);
    expect(statusesOf(world, [OLD, 1_500])).toEqual(['unsubscribed', 'unsubscribed']);
  });
});

// In an audience of more than 10,000 people, svc looks for uncounted people only when the counts leave some out.
test('looks for pending people when the total differs from the sum (C1, L2)', () => {
  const seen = { isWhole: false, all: 1_000, withKnownStatus: 1_000, unsubscribed: 300, unconfirmed: 0 };
  const withTotal = (total: number) => ({ total, subscribed: 19_700, unsubscribed: 300 });
  const more = (total: number) => findHiddenPeople(seen, withTotal(total), withTotal(total)).moreUnconfirmed;
  expect([more(19_700), more(20_000), more(20_001)]).toEqual([true, false, true]);
});

// The service counts hidden people as unsubscribed. Its lists show unsubscribed people.
test.each([
  ['pending', []],
  ['bounced', []],
  ['bounced', ['pending']],
])('leaves no %s people subscribed when pages hide them but show %j (C1, L2)', async (status, shown) => {
  const { world, line } = await createPeople(20, ['unsubscribed', ...shown], status);
  const { transport: keeping } = serviceThatKeeps(world, ['unsubscribed', ...shown]);
  const { transport: counting } = withTraffic({
    of: /audiences\/[^/]+$/,
    response: ({ contact_counts: { subscribed, total }, ...body }) => ({
      ...body,
      contact_counts: { subscribed, unsubscribed: total - subscribed, total },
    }),
  });
  const { transport: listing } = withTraffic({
    of: /^GET .*\/contacts$/,
    response: (page) => ({ ...page, data: page.data.filter((contact: Contact) => contact.status !== status) }),
  });
  const { code } = await world.svc(line, { transport: (inner) => listing(counting(keeping(inner))) });
  expect([code, statusesOf(world, [17, 18]).includes('subscribed')]).toEqual([8, false]);
});

test('reads all pages when new people have an unknown status (C1, O6)', async () => {
  const kept = ['unsubscribed', 'pending', 'bounced'];
  const { world, line } = await createLargeAudience('cleaned', kept, ['cleaned']);
  world.requests();
  const { code, json } = await world.svc(line, serviceThatKeeps(world, kept));
  expect([code, json.error?.message]).toEqual([8, expect.stringContaining(addressOf(OLD))]);
  expect(statusesOf(world, [OLD])).toEqual(['unsubscribed']);
  const requests = world.requests();
  const beforeBatches = requests.slice(
    0,
    requests.findIndex(({ method }) => method === 'POST'),
  );
  const pages = beforeBatches.map(({ path }) => path).filter((path) => path.includes('/contacts?'));
  // 1,502 people are on 16 pages.
  expect(new Set(pages).size).toBe(16);
});

// svc can't tell whether a killed process signed pending people up, or whether they confirmed on their own since.
test.each([
  ['the canary', 1, [2_498]],
  ['a batch that was sent alone', 4, [2_497, 2_498]],
])('names pending people who are subscribed after %s (C1)', async (_, posts, subscribed) => {
  const { world, line } = await createPeople(2_500, [], 'pending');
  const { admin } = world.emulator;
  if (posts > 1) {
    // The pending person in the canary is refused, which shows nothing.
    admin.addContacts([{ email: addressOf(3), status: 'pending' }]);
    admin.suppress([addressOf(3)], 'complained');
  } else {
    admin.deleteContact(addressOf(2_497));
  }
  await world.svc([...line, '--concurrency', '1'], stoppedAfterPost(posts));
  const notes: string[] = [];
  const onEvent: Emit = (event) => void (event.type === 'note' && notes.push(event.message));
  const { code } = await world.svc('runs resume --json', { onEvent });
  const named = notes.find((note) => note.includes('were pending')) ?? '';
  expect([code, named.match(/person\d+@example\.com/g)]).toEqual([0, subscribed.map(addressOf)]);
});

test('looks up fewer than 50 of 3,300 people when each status was found (C1)', async () => {
  const { world, line } = await createPeople(3_300, [], 'unsubscribed');
  world.emulator.admin.addContacts([{ email: addressOf(10), status: 'unsubscribed' }]);
  world.requests();
  const service = serviceThatKeeps(world, ['unsubscribed']);
  const { code } = await world.svc(line, withoutListedOptOuts(service));
  const lookUps = world.requests().filter(({ path }) => path.includes('/contacts/person'));
  expect([code, lookUps.length < 50]).toEqual([0, true]);
});

test('continues when an unsubscribed person subscribes again (C1, L2)', async () => {
  const { world, line } = await createPeople(40, ['unsubscribed'], 'pending');
  const { admin } = world.emulator;
  admin.addContacts(['fay', 'gil'].map((name) => ({ email: `${name}@example.com`, status: 'unsubscribed' })));
  // svc compares counts, because nothing shows what happens to bounced people.
  admin.setStatus('eve@example.com', 'bounced');
  const back = afterPost(2, () => admin.setStatus('fay@example.com', 'subscribed'));
  const service = serviceThatKeeps(world, ['unsubscribed', 'pending']);
  const inOrder = withoutListedOptOuts(service);
  const { code } = await world.svc(line, {
    transport: (inner) => (back.transport as typeof inOrder.transport)(inOrder.transport(inner)),
  });
  expect([code, admin.contact('fay@example.com')?.status]).toEqual([0, 'subscribed']);
});

test('the run of another list names pending people of a stopped run (C1)', async () => {
  const { world, line } = await createPeople(40, [], 'pending');
  await world.svc(line, stoppedAfterPost(1));
  const notes: string[] = [];
  const onEvent: Emit = (event) => void (event.type === 'note' && notes.push(event.message));
  const other = (name: string) => ['migrate', world.file(name, `email,status\n${name}@b.test,subscribed\n`), ...FLAGS];
  await world.svc(other('ann'), { onEvent });
  await world.svc(other('bea'), { onEvent });
  const named = notes.filter((note) => note.includes('were pending'));
  expect(named).toEqual([expect.stringContaining(addressOf(37))]);
});

test('refuses to delete a stopped run until its pending people are read (C1)', async () => {
  const { world, line } = await createPeople(40, [], 'pending');
  const stopped = await world.svc(line, stoppedAfterPost(1));
  const { run } = stopped.json;
  const refused = await world.svc(`runs delete ${run} --json`);
  const resumed = await world.svc(line);
  const deleted = await world.svc(`runs delete ${run} --json`);
  expect(JSON.parse(refused.err).error).toMatchObject({
    code: 'open_opt_outs',
    message: `${run} may have signed up 1 person who had opted out or not confirmed; its folder is the only record of them`,
  });
  expect([resumed.json.run, deleted.code]).toEqual([run, 0]);
});

// The canary was read back before the service showed its effect. A later batch shows that people are signed up.
test.each(['bounced', 'unsubscribed'])(
  'opts %s people of the canary out when batch 2 shows sign-ups (F5)',
  async (was) => {
    const world = await createWorld();
    const { admin } = world.emulator;
    const statuses = [[3, was] as const, ...[1_050, 1_051].map((number) => [number, 'cleaned'] as const)];
    admin.addContacts(statuses.map(([number, status]) => ({ email: addressOf(number), status })));
    await world.clock.advance(60_000);
    const late = afterPost(3, () => [3, 1_050].forEach((number) => admin.setStatus(addressOf(number), 'subscribed')));
    const { code, json } = await world.svc(['migrate', world.file('list.csv', people(1_100)), ...FLAGS], late);
    const message = 'The service signed these people up too. svc opts them out again: person3@example.com';
    expect([code, statusesOf(world, [3, 1_050, 1_051])]).toEqual([8, Array(3).fill('unsubscribed')]);
    expect(json.findings).toContainEqual({ check: 'subscribed_since', level: 'warn', message });
  },
);

test('does not warn of a late sign-up that svc has already undone (F5)', async () => {
  const world = await createWorld();
  const { admin } = world.emulator;
  const statuses = [[3, 'unsubscribed'] as const, [1_050, 'cleaned'] as const];
  admin.addContacts(statuses.map(([number, status]) => ({ email: addressOf(number), status })));
  await world.clock.advance(60_000);
  const late = afterPost(3, () => admin.setStatus(addressOf(1_050), 'subscribed'));
  const { code, json } = await world.svc(['migrate', world.file('list.csv', people(1_100)), ...FLAGS], late);
  expect([code, statusesOf(world, [3, 1_050])]).toEqual([8, ['unsubscribed', 'unsubscribed']]);
  expect(json.findings.map(({ check }: { check: string }) => check)).not.toContain('subscribed_since');
});
