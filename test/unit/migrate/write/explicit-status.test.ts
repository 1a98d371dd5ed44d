import { describe, expect, test } from 'vitest';
import type { Transport } from '../../../../src/base/context.ts';
import { people } from '../../../support/lists.ts';
import { BATCH, createWorld, type World } from '../../../support/world.ts';

const FLAGS = ['--json', '--plan', 'paid', '--explicit-status'];
const UPDATES = { upsert_false_existing: 'update' } as const;

const status = (world: World, index: number) => world.emulator.admin.contact(`person${index}@example.com`)?.status;

const subscribed = (world: World) =>
  world.emulator.admin.contacts().filter(({ status }) => status === 'subscribed').length;

/** The sent contact batches: `upsert`, the number of contacts, and the status of the first contact. */
const batches = (world: World) =>
  world
    .requests()
    .filter(({ path }) => path.endsWith('/contacts/batch'))
    .map(({ body }) => JSON.parse(body) as { upsert: boolean; contacts: { status?: string }[] })
    .map(({ upsert, contacts }) => [upsert, contacts.length, contacts[0]?.status]);

/** Calls `act` once, before the first request whose body contains this text. */
function actBefore(text: string, act: () => void): (inner: Transport) => Transport {
  let done = false;
  return (inner) => ({
    close: () => inner.close(),
    send: (request, signal) => {
      if (!done && request.body?.includes(text)) {
        done = true;
        act();
      }
      return inner.send(request, signal);
    },
  });
}

/** Calls `act` with the people of the canary, after each request that sends it. */
function afterCanary(act: (emails: readonly string[]) => void): (inner: Transport) => Transport {
  return (inner) => ({
    close: () => inner.close(),
    send: async (request, signal) => {
      const response = await inner.send(request, signal);
      if (request.headers['idempotency-key']?.startsWith('svc1.canary.')) {
        act((JSON.parse(String(request.body)) as Canary).contacts.map(({ email }) => email));
      }
      return response;
    },
  });
}

interface Canary {
  readonly contacts: readonly { readonly email: string }[];
}

describe('an import with --explicit-status, which sends people as subscribed', () => {
  test('tests with one person that `upsert: false` keeps a known contact (C1)', async () => {
    const world = await createWorld();

    const { code, json } = await world.svc(['migrate', world.file('list.csv', people(2_000)), ...FLAGS]);

    expect([code, json.rows]).toMatchObject([0, { created: 2_000, updated: 0, unsent: 0 }]);
    expect(batches(world)).toEqual([
      [false, 4, 'subscribed'],
      [false, 1, undefined],
      [false, 996, 'subscribed'],
      [false, 1_000, 'subscribed'],
    ]);
  });

  test('stops after the canary when `upsert: false` changes a known contact (C1)', async () => {
    const world = await createWorld({ variants: UPDATES });
    const stopped = await world.svc(['migrate', world.file('list.csv', people(2_000)), ...FLAGS]);
    world.requests();
    world.emulator.admin.addContacts([{ email: 'person1500@example.com', status: 'unsubscribed' }]);

    const resumed = await world.svc('runs resume --json');

    expect([stopped.code, stopped.json.error.code, resumed.code]).toEqual([8, 'first_batch', 8]);
    expect(resumed.json.rows).toMatchObject({ created: 4, updated: 0, failed: 0, unknown: 0, unsent: 1_996 });
    expect(batches(world)).toEqual([]);
    expect(status(world, 1_500)).toBe('unsubscribed');
  });

  test.each<[string, (admin: World['emulator']['admin'], email: string) => void]>([
    ['left', (admin, email) => admin.setStatus(email, 'unsubscribed')],
    ['were deleted', (admin, email) => admin.deleteContact(email)],
    ['were suppressed', (admin, email) => admin.suppress([email], 'complained')],
  ])('after `upsert: false` failed, a resume sends nothing when all %s (C1)', async (_, change) => {
    const world = await createWorld({ variants: UPDATES });
    const { admin } = world.emulator;
    // The canary proves nothing, so a person of the first batch shows the fault.
    const suppress = afterCanary((emails) => admin.suppress(emails, 'complained'));
    const stopped = await world.svc(['migrate', world.file('list.csv', people(3_000)), ...FLAGS], {
      transport: suppress,
    });
    admin.contacts().forEach(({ email }) => change(admin, String(email)));
    world.requests();

    const resumed = await world.svc('runs resume --json');

    expect([stopped.code, stopped.json.rows.created, batches(world)]).toEqual([8, 1_000, []]);
    expect([resumed.code, resumed.json.error]).toEqual([8, stopped.json.error]);
  });

  test('never tests `upsert: false` with an opted-out person (C1)', async () => {
    const world = await createWorld({ variants: { ...UPDATES, omitted_status_existing: 'subscribed' } });
    world.emulator.admin.addContacts(
      [0, 1, 2].map((index) => ({
        email: `person${index}@example.com`,
        status: index === 1 ? 'subscribed' : 'pending',
      })),
    );
    world.emulator.admin.setStatus('person0@example.com', 'unsubscribed');
    world.emulator.admin.setStatus('person2@example.com', 'unsubscribed');

    const { code } = await world.svc(['migrate', world.file('list.csv', people(3)), ...FLAGS]);

    expect(code).toBe(8);
    expect([0, 1, 2].map((index) => status(world, index))).toEqual(['unsubscribed', 'subscribed', 'unsubscribed']);
  });

  test('tests `upsert: false` with the next person when one is suppressed (C1)', async () => {
    const world = await createWorld({ variants: UPDATES });
    const suppress = afterCanary(([first = '']) => world.emulator.admin.suppress([first], 'complained'));

    const { code, json } = await world.svc(['migrate', world.file('list.csv', people(2_000)), ...FLAGS], {
      transport: suppress,
    });

    expect([code, json.rows]).toMatchObject([8, { created: 4, unsent: 1_996 }]);
    expect(batches(world)).toEqual([
      [false, 4, 'subscribed'],
      [false, 1, undefined],
      [false, 1, undefined],
    ]);
  });

  test('keeps an opt-out that comes before the test of `upsert: false` (C1)', async () => {
    const world = await createWorld({ variants: UPDATES });
    const { admin } = world.emulator;
    const leave = afterCanary(([first = '', ...others]) => {
      admin.setStatus(first, 'unsubscribed');
      admin.suppress(others, 'complained');
    });

    const { code, json } = await world.svc(['migrate', world.file('list.csv', people(4_000)), ...FLAGS], {
      transport: leave,
    });

    expect([code, json.error.code, status(world, 0)]).toEqual([8, 'first_batch', 'unsubscribed']);
    // svc sent only one batch before the test with one person.
    expect(json.rows).toMatchObject({ created: 1_000, updated: 0, unsent: 3_000 });
  });

  /** Starts a run whose canary is written, but its response is lost. Then these people opt out, and a day passes. */
  async function lostCanary(world: World, left: readonly number[]): Promise<void> {
    const { admin } = world.emulator;
    admin.addFault({ kind: 'reset', when: 'after', match: { route: BATCH }, times: 100 });
    await world.svc(['migrate', world.file('list.csv', people(2_000)), ...FLAGS]);
    admin.clearFaults();
    left.forEach((index) => admin.setStatus(`person${index}@example.com`, 'unsubscribed'));
    await world.clock.advance(25 * 3_600_000);
    world.requests();
  }

  test('keeps an opt-out when the canary is repeated after a lost response (C1)', async () => {
    const world = await createWorld({ variants: UPDATES });
    await lostCanary(world, [0]);

    const { code, json } = await world.svc('runs resume --json');

    expect([code, json.error.code, status(world, 0)]).toEqual([8, 'first_batch', 'unsubscribed']);
  });

  test('sends nothing when the whole canary opted out after a lost response (C1)', async () => {
    const world = await createWorld({ variants: UPDATES });
    await lostCanary(world, [0, 250, 500, 750]);

    const { code, json } = await world.svc('runs resume --json');

    expect([code, json.error.code, batches(world)]).toEqual([7, 'in_doubt', []]);
    expect(json.error.hint).toContain('--again');
  });

  test('continues after a lost canary response when opt-outs are kept (C1)', async () => {
    const world = await createWorld();
    await lostCanary(world, [0]);

    const { code, json } = await world.svc('runs resume --json');

    expect([code, json.rows.read, json.rows.failed, status(world, 0)]).toEqual([0, 2_000, 0, 'unsubscribed']);
    expect(subscribed(world)).toBe(1_999);
  });

  test('does not sign up a person who joins and opts out before the batch (C1)', async () => {
    const world = await createWorld();
    const leave = actBefore('person500@', () => {
      world.emulator.admin.addContacts([{ email: 'person500@example.com', status: 'unsubscribed' }]);
    });

    const { code, json } = await world.svc(['migrate', world.file('list.csv', people(600)), ...FLAGS], {
      transport: leave,
    });

    expect([code, json.rows]).toMatchObject([0, { created: 599, updated: 1, failed: 0 }]);
    expect([status(world, 500), subscribed(world)]).toEqual(['unsubscribed', 599]);
  });

  test('does not count people who joined meanwhile as failures (O7)', async () => {
    const world = await createWorld();
    const join = actBefore('person900@', () => {
      world.emulator.admin.addContacts(
        Array.from({ length: 200 }, (_, index) => ({ email: `person${501 + index}@example.com` })),
      );
    });

    const line = ['migrate', world.file('list.csv', people(1_000)), ...FLAGS, '--max-failures', '0'];
    const { code, json } = await world.svc(line, { transport: join });

    expect([code, json.rows]).toMatchObject([0, { created: 800, updated: 200, failed: 0, unsent: 0 }]);
    expect(subscribed(world)).toBe(1_000);
  });
});
