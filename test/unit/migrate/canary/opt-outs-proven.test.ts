import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Transport } from '../../../../src/base/context.ts';
import { type ContactItem, cutBatches } from '../../../../src/import/batch/cut-batches.ts';
import { createSampler } from '../../../../src/migrate/verify/sampler.ts';
import { numberedNames, statusOf } from '../../../support/nights.ts';
import { everyNth } from '../../../support/sweep.ts';
import { createWorld, type World } from '../../../support/world.ts';

interface Row {
  readonly email: string;
  readonly status?: string;
}

type Rewrite = (row: Row, isThere: boolean) => Row | undefined;

/** Services that do not write the opt-out of a person who is already in the audience. */
const NEGLECTS: Readonly<Record<string, { readonly rewrite: Rewrite; readonly counts: boolean }>> = {
  'takes a status on create only': {
    rewrite: ({ status, ...row }, isThere) => ({ ...row, ...(!isThere && status && { status }) }),
    counts: true,
  },
  'drops opt-outs and counts them': {
    rewrite: (row, isThere) => (isThere && row.status ? undefined : row),
    counts: true,
  },
  'drops opt-outs and counts the others only': {
    rewrite: (row, isThere) => (isThere && row.status ? undefined : row),
    counts: false,
  },
};

function neglecting(world: World, { rewrite, counts }: (typeof NEGLECTS)[string]) {
  return (inner: Transport): Transport => ({
    close: () => inner.close(),
    send: async (request, signal) => {
      if (!request.url.pathname.endsWith('/batch') || !request.body) {
        return inner.send(request, signal);
      }
      const sent = JSON.parse(String(request.body)) as { readonly contacts: readonly Row[] };
      const isThere = ({ email }: Row) => world.emulator.admin.contact(email) !== undefined;
      const contacts = sent.contacts.flatMap((row) => rewrite(row, isThere(row)) ?? []);
      const response = await inner.send(
        { ...request, body: Buffer.from(JSON.stringify({ ...sent, contacts })) },
        signal,
      );
      if (!counts) {
        return response;
      }
      const value = JSON.parse(String(response.body));
      value.summary.updated += sent.contacts.length - contacts.length;
      return { ...response, body: Buffer.from(JSON.stringify(value)) };
    },
  });
}

const COUNT = 1_200;
const PLACES: Readonly<Record<string, readonly number[]>> = {
  'in the first batch': [6],
  'in a later batch': [1_111],
  'at the start': Array.from({ length: 120 }, (_, index) => index + 1),
  'at the end': Array.from({ length: 120 }, (_, index) => COUNT - 120 + index),
  everywhere: Array.from({ length: 120 }, (_, index) => 10 * index + 5),
};

const CASES = Object.keys(NEGLECTS).flatMap((service) => Object.keys(PLACES).map((place) => [service, place] as const));

async function imported(place: string, rewriting?: (typeof NEGLECTS)[string]) {
  const world = await createWorld();
  const names = numberedNames(COUNT);
  world.emulator.admin.addContacts(names.map((name) => ({ email: `${name}@example.com` })));
  const leaving = new Set(PLACES[place]?.map((number) => `p${number}`));
  const rows = names.map((name) => `${name}@example.com,${leaving.has(name) ? 'un' : ''}subscribed`);
  world.file('list.csv', ['email,status', ...rows].join('\n'));
  const transport = rewriting && { transport: neglecting(world, rewriting) };
  return { world, leaving, ended: await world.svc('contacts import list.csv --plan paid --json', transport) };
}

/** The canary holds an opted-out person of the first batch, so the run stops there. */
const IN_CANARY = ['in the first batch', 'at the start', 'everywhere'];

test.each(everyNth(CASES, 2))('finds lost opt-outs when the service %s: %s (C1, L4)', async (service, place) => {
  const { world, leaving, ended } = await imported(place, NEGLECTS[service]);

  const open = [...leaving].filter((name) => statusOf(world, name) === 'subscribed');
  expect(open).toEqual([...leaving]);
  const { code, json } = ended;
  if (NEGLECTS[service]?.counts) {
    const isEarly = IN_CANARY.includes(place);
    const message = isEarly ? json.error.message : json.verification.checks[1].message;
    const named = message.match(/p\d+(?=@)/g);
    expect([code, json.phase, json.rows.updated]).toEqual(isEarly ? [8, 'first_batch', 4] : [8, 'done', COUNT]);
    expect([named.length > 0, named.filter((name: string) => !leaving.has(name))]).toEqual([true, []]);
  } else {
    expect([code, json.phase, json.rows.failed, json.rows.updated]).toEqual([
      ...[3, 'done', leaving.size, COUNT - leaving.size],
    ]);
    const given = readFileSync(json.files.rejects[0], 'utf8').match(/p\d+(?=@)/g);
    expect(given).toEqual([...leaving]);
  }
});

test.each(Object.keys(PLACES))(
  'passes verification when the service writes all opt-outs, %s (C1, L2)',
  async (place) => {
    const { world, leaving, ended } = await imported(place);

    expect([ended.code, ended.json.verification.status]).toEqual([0, 'passed']);
    expect([...leaving].filter((name) => statusOf(world, name) === 'subscribed')).toEqual([]);
  },
);

test('stops after the canary when an update does not change the status (C1)', async () => {
  const { ended } = await imported('in the first batch', NEGLECTS['takes a status on create only']);

  expect([ended.code, ended.json.phase]).toEqual([8, 'first_batch']);
  expect(ended.json.rows.updated).toBeLessThanOrEqual(4);
  const { message, hint } = JSON.parse(ended.err).error;
  expect(message).toContain('p6@example.com: status was sent as "unsubscribed" and reads "subscribed"');
  expect(hint).toContain('The service leaves people subscribed whom svc unsubscribes.');
});

test('stops after the canary again when the run is resumed or repeated (C1)', async () => {
  const rewriting = NEGLECTS['takes a status on create only'] as (typeof NEGLECTS)[string];
  const { world, ended } = await imported('in the first batch', rewriting);
  const transport = { transport: neglecting(world, rewriting) };

  const repeated = await world.svc('contacts import list.csv --plan paid --json', transport);
  const resumed = await world.svc(`runs resume ${ended.json.run} --json`, transport);

  expect([repeated.code, repeated.json.phase, repeated.json.run]).toEqual([8, 'first_batch', ended.json.run]);
  expect([resumed.code, resumed.json.phase, resumed.json.rows.updated]).toEqual([
    8,
    'first_batch',
    ended.json.rows.updated,
  ]);
});

test('does not stop at a replayed canary when a person re-subscribed (C1, I7)', async () => {
  const { world } = await imported('in the first batch');
  world.emulator.admin.setStatus('p6@example.com', 'subscribed');

  const { code, json } = await world.svc('contacts import list.csv --plan paid --json');

  expect([code, json.phase, json.error]).toEqual([8, 'done', undefined]);
  expect(json.verification.checks).toContainEqual(
    expect.objectContaining({ status: 'failed', message: 'p6@example.com opted out, but is subscribed' }),
  );
});

const SIZE = 40;

test('the sample has all opt-outs up to 20, and at least 5 of more (L4)', async () => {
  const list = fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 400 })), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(list, fc.integer({ min: 20, max: 30 }), async (runs, size) => {
      const leaving = runs.flatMap(([leaves, count]) => Array<boolean>(count).fill(leaves));
      const optOuts = leaving.filter(Boolean).length;
      const sampler = createSampler(leaving.length, size, optOuts);
      for await (const batch of cutBatches(itemsOf(leaving), { size: SIZE })) {
        sampler.collect(batch);
      }
      const found = sampler.items.filter(({ contact }) => contact.status === 'unsubscribed').length;
      expect(found).toBeGreaterThanOrEqual(optOuts <= 20 ? optOuts : 5);
      expect(new Set(sampler.items).size).toBe(sampler.items.length);
      expect(sampler.items.length).toBeLessThanOrEqual(size + 20);
      expect(sampler.items.length - found).toBeLessThanOrEqual(size);
    }),
  );
});

async function* itemsOf(leaving: readonly boolean[]): AsyncGenerator<ContactItem> {
  for (const [line, leaves] of leaving.entries()) {
    const contact = { email: `p${line}@example.com`, ...(leaves && { status: 'unsubscribed' as const }) };
    yield { source: 0, line, contact };
  }
}

test.each([
  ['absent', undefined, ''],
  ['null', null, ''],
  ['a word that svc does not know', 'engaged', ''],
  ['absent, with an opt-out', undefined, 'other10@example.com,unsubscribed\n'],
  ['null, with an opt-out', null, 'other10@example.com,unsubscribed\n'],
])("does not read a contact's status as an opt-out when it is %s (C1, O6)", async (_, shown, optOut) => {
  const world = await createWorld({ variants: { omitted_status_existing: 'subscribed' } });
  const left = Array.from({ length: 5 }, (_person, index) => `left${index}@example.com`);
  const others = Array.from({ length: 1_060 }, (_person, index) => `other${index}@example.com`);
  world.emulator.admin.addContacts(left.map((email) => ({ email, status: 'unsubscribed' })));
  world.emulator.admin.addContacts(others.map((email) => ({ email })));
  const rows = [...left, ...others.slice(0, 10)].map((email) => `${email},subscribed\n`).join('');
  world.file('list.csv', `email,status\n${rows}${optOut}`);
  const { code, json } = await world.svc('contacts import list.csv --json', { transport: showingStatus(shown) });
  // Only the counts of the audience, after the first batch, show that people were signed up. Two were in the canary.
  const message = expect.stringMatching(/at least [45] unsubscribed people fewer than before/);
  expect([code, json.phase, json.error]).toEqual([8, 'first_batch', expect.objectContaining({ message })]);
});

/** The service shows each contact with this status. Undefined: without a status. */
function showingStatus(status: unknown): (inner: Transport) => Transport {
  return (inner) => ({
    close: () => inner.close(),
    send: async (request, signal) => {
      const response = await inner.send(request, signal);
      if (request.method !== 'GET' || !request.url.pathname.includes('/contacts') || response.status !== 200) {
        return response;
      }
      const got = JSON.parse(response.body.toString());
      const withStatus = (contact: object) => ({ ...contact, status });
      const changed = Array.isArray(got.data) ? { ...got, data: got.data.map(withStatus) } : withStatus(got);
      return { ...response, body: Buffer.from(JSON.stringify(changed)) };
    },
  });
}
