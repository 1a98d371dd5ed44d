import { describe, expect, test } from 'vitest';
import type { Transport } from '../../../../src/base/context.ts';
import { people } from '../../../support/lists.ts';
import { everyNth } from '../../../support/sweep.ts';
import { createWorld, type RunOptions, type World } from '../../../support/world.ts';

const SEND = [
  'emails',
  'send',
  '--from',
  'me@example.com',
  '--to',
  'ana@example.org',
  '--subject',
  'Hi',
  '--text',
  'a',
];
const seed = { account: { domains: ['example.com'] } };
const HOUR = 3_600_000;

/** How far the service's clock is ahead of the local one. Undefined: no response has a `Date` header. */
interface Service {
  readonly aheadMs: number | undefined;
  readonly losesPosts?: boolean;
}

function serviceOf(world: World, { aheadMs, losesPosts = false }: Service): RunOptions {
  const transport = (inner: Transport): Transport => ({
    close: () => inner.close(),
    send: async (request, signal) => {
      const { headers, ...response } = await inner.send(request, signal);
      if (losesPosts && request.method === 'POST') {
        throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
      }
      const { date: _, ...others } = headers;
      const date = aheadMs === undefined ? {} : { date: new Date(world.clock.now() + aheadMs).toUTCString() };
      return { ...response, headers: { ...others, ...date } };
    },
  });
  return { transport };
}

function keysOf(world: World): (string | undefined)[] {
  const posts = world.requests().filter(({ method }) => method === 'POST');
  return [...new Set(posts.map(({ headers }) => headers['idempotency-key']))];
}

describe('the age of a message or creation whose response was lost', () => {
  test.each([
    ['the local clock is three hours fast', -3 * HOUR, -3 * HOUR],
    ['the local clock is three hours slow', 3 * HOUR, 3 * HOUR],
    ['at first, only the time of a fast local clock is known', undefined, -3 * HOUR],
    ['later, only the time of a slow local clock is known', 3 * HOUR, undefined],
    ['only the time of the local clock is known', undefined, undefined],
  ])('sends no message again a day after a lost response when %s (I6, P7)', async (_, first, later) => {
    const world = await createWorld({ seed });
    expect((await world.svc(SEND, serviceOf(world, { aheadMs: first, losesPosts: true }))).code).toBe(1);
    expect(keysOf(world)).toHaveLength(1);
    await world.clock.advance(25 * HOUR);
    const { code, err } = await world.svc(SEND, serviceOf(world, { aheadMs: later }));
    expect([code, keysOf(world)], err).toEqual([1, []]);
    expect(err).toMatch(/too (?:late|old) to repeat/);
  });

  test('repeats a message within a day when the clock is fast (I6, P7)', async () => {
    const world = await createWorld({ seed });
    await world.svc(SEND, serviceOf(world, { aheadMs: -3 * HOUR, losesPosts: true }));
    const keys = keysOf(world);
    await world.clock.advance(22 * HOUR);
    const { code, err } = await world.svc(SEND, serviceOf(world, { aheadMs: -3 * HOUR }));
    expect([code, keysOf(world)], err).toEqual([0, keys]);
  });

  const AUDIENCE = ['audiences', 'create', 'Shop', '-q'];
  const MIGRATE = ['migrate', 'list.csv', '--plan', 'paid', '--audience-name', 'Shop', '--create-audience', '-q'];
  const AGES = [60_000, 25 * HOUR].flatMap((afterMs) =>
    [0, -afterMs, -30 * 24 * HOUR, 3 * HOUR].flatMap((jumpMs) =>
      [0, undefined].flatMap((first) => [0, undefined].map((later) => ({ afterMs, jumpMs, first, later }))),
    ),
  );

  const LOST: readonly (readonly [string, readonly string[]])[] = [
    ['emails send', SEND],
    ['audiences create', AUDIENCE],
    ['migrate --create-audience', MIGRATE],
  ];

  test.each(LOST)('repeats %s after a lost response only when it is surely recent (I6)', async (_, line) => {
    // Five has no factor in common with the choices, so each pair of an age and a jump of the clock comes once.
    for (const { afterMs, jumpMs, first, later } of line === SEND ? AGES : everyNth(AGES, 5)) {
      const world = await createWorld({ seed });
      world.file('list.csv', people(3));
      world.emulator.admin.addFault({ kind: 'reset', when: 'before', match: { route: 'POST *' } });
      await world.svc(line, serviceOf(world, { aheadMs: first }));
      world.emulator.admin.clearFaults();
      const [key] = keysOf(world);
      await world.clock.advance(afterMs);
      const serviceAt = world.clock.now();
      world.clock.set(serviceAt + jumpMs);
      const aheadMs = later === undefined ? undefined : serviceAt - world.clock.now();
      await world.svc(line, serviceOf(world, { aheadMs }));
      const isYoung = first === 0 && later === 0 && afterMs < HOUR;
      expect([key !== undefined, keysOf(world)[0]], JSON.stringify({ afterMs, jumpMs, first, later })).toEqual([
        true,
        isYoung ? key : undefined,
      ]);
    }
  });

  const UNDATED = [401, 403, 404, 500, 'reset'];

  test.each(LOST.slice(0, 2).flatMap(([what, line]) => UNDATED.map((status) => ({ what, line, status }))))(
    'a later resume repeats $what when a $status had no Date header (I6, O2)',
    async ({ line, status }) => {
      const world = await createWorld({ seed });
      world.file('list.csv', people(3));
      world.emulator.admin.addFault({ kind: 'reset', when: 'before', match: { route: 'POST *' } });
      await world.svc(line);
      world.emulator.admin.clearFaults();
      const [key] = keysOf(world);
      if (typeof status === 'number') {
        world.refuse('GET *', { status, code: 'refused' });
      } else {
        world.emulator.admin.addFault({ kind: 'reset', when: 'before', match: { route: 'GET *' } });
      }
      const refused = await world.svc('runs resume', serviceOf(world, { aheadMs: undefined }));
      expect(refused.err).not.toContain('too late');
      expect(refused.err).toMatch(/svc runs resume run_/);
      expect([refused.code, keysOf(world)], refused.err).toEqual([status === 401 ? 4 : 1, []]);
      world.emulator.admin.clearFaults();
      const resumed = await world.svc('runs resume');
      expect([resumed.code, keysOf(world)[0]], resumed.err).toEqual([0, key]);
    },
  );

  test('repeats no message after a day when a fast clock was corrected (I6, P7)', async () => {
    const world = await createWorld({ seed });
    await world.svc(SEND, serviceOf(world, { aheadMs: -3 * HOUR, losesPosts: true }));
    expect(keysOf(world)).toHaveLength(1);
    await world.clock.advance(25 * HOUR);
    world.clock.set(world.clock.now() - 3 * HOUR);
    const { code } = await world.svc(SEND, serviceOf(world, { aheadMs: 0 }));
    expect([code, keysOf(world)]).toEqual([1, []]);
  });

  test('repeats no creation after 3 h when the clock was fast (I4, P7)', async () => {
    const world = await createWorld();
    const line = ['audiences', 'create', 'Shop', '-q'];
    await world.svc(line, serviceOf(world, { aheadMs: -3 * HOUR, losesPosts: true }));
    expect(keysOf(world)).toHaveLength(1);
    await world.clock.advance(3 * HOUR - 60_000);
    const { code } = await world.svc(line, serviceOf(world, { aheadMs: -3 * HOUR }));
    expect([code, keysOf(world)]).toEqual([1, []]);
  });

  test.each([
    [403, 'insufficient_scope'],
    [403, 'forbidden'],
    [404, 'not_found'],
  ])('sends a message when the service refuses all reads with %i %s', async (status, code) => {
    const world = await createWorld({ seed });
    world.refuse('GET *', { status, code });
    expect([(await world.svc(SEND)).code, keysOf(world).length]).toEqual([0, 1]);
  });

  test('sends no message and leaves no run when the service is unreachable', async () => {
    const world = await createWorld({ seed });
    world.emulator.admin.addFault({ kind: 'reset', when: 'before' });
    const { code, err } = await world.svc(SEND);
    expect([code, keysOf(world), (await world.svc('runs ls --json')).json]).toEqual([1, [], []]);
    expect(err).not.toContain('unknown');
  });
});
