import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createWorld } from '../../../support/world.ts';

const CREATE = 'webhooks create --url https://hooks.example.com/in --event email.bounced --secret-file secret';
const HOUR = 3_600_000;

describe('webhooks create with a wrong local clock', () => {
  test('a resume lists endpoints before the POST when the clock is 2 h fast (W1)', async () => {
    const world = await createWorld();
    const { admin } = world.emulator;
    admin.addFault({ kind: 'reset', when: 'after', match: { route: 'POST /v1/webhooks' } });
    expect((await world.svc(CREATE)).code).toBe(1);
    admin.clearFaults();
    const date = new Date(world.clock.now() - 2 * HOUR).toUTCString();
    admin.addFault({ kind: 'headers', headers: { date } });
    world.requests();
    const { code, err } = await world.svc('runs resume');
    expect(code, err).toBe(0);
    expect(world.requests().map(({ method }) => method)).toEqual(['GET', 'POST', 'GET']);
    expect(readFileSync(join(world.folder, 'secret'), 'utf8')).toBe(admin.webhooks()[0]?.secret);
  });

  test('webhooks create repeats its POST for 4 min 30 s, clock 30 s fast (I4)', async () => {
    const world = await createWorld();
    const { admin } = world.emulator;
    admin.addFault({ kind: 'reset', when: 'before', match: { route: 'POST /v1/webhooks' } });
    await world.svc(CREATE);
    admin.clearFaults();
    world.clock.set(Date.UTC(2026, 0, 1));
    admin.addFault({
      kind: 'headers',
      headers: { date: new Date(world.clock.now() - 30_000).toUTCString() },
      times: 1,
    });
    admin.addFault({ kind: 'headers', headers: { date: null }, after: 1 });
    // This wait for the rate limit makes the key older, but is no attempt.
    admin.addFault({
      kind: 'rate_limited',
      retry_after: '40',
      match: { route: 'POST /v1/webhooks' },
      after: 3,
      times: 1,
    });
    admin.addFault({ kind: 'in_flight', seconds: 900, match: { route: 'POST /v1/webhooks' } });
    world.requests();
    await world.svc('runs resume');
    const posts = world.requests().filter(({ method }) => method === 'POST');
    const [first = 0, last = 0] = [posts[0]?.at, posts.at(-1)?.at];
    expect([posts.length > 10, last - first > 250_000, last - first <= 270_000]).toEqual([true, true, true]);
  });

  test.each([
    ['was 50 s fast, and only it dated the first request', undefined, -50_000],
    ['is 50 s slow, and only it shows the time now', 50_000, undefined],
  ])('webhooks create repeats its POST for 4 min 30 s, clock %s (I4, P7)', async (_, first, later) => {
    const world = await createWorld();
    const { admin } = world.emulator;
    const dateResponses = (aheadMs: number | undefined) => {
      if (aheadMs !== undefined) {
        const date = new Date(world.clock.now() + aheadMs).toUTCString();
        admin.addFault({ kind: 'headers', headers: { date }, times: 1 });
      }
      admin.addFault({ kind: 'headers', headers: { date: null }, after: aheadMs === undefined ? 0 : 1 });
    };
    dateResponses(first);
    admin.addFault({ kind: 'reset', when: 'before', match: { route: 'POST /v1/webhooks' } });
    await world.svc(CREATE);
    const [sent] = world.requests().filter(({ method }) => method === 'POST');
    await world.clock.advance(120_000);
    admin.clearFaults();
    dateResponses(later);
    admin.addFault({ kind: 'in_flight', seconds: 900, match: { route: 'POST /v1/webhooks' } });
    await world.svc('runs resume');
    const posts = world.requests().filter(({ method }) => method === 'POST');
    const took = (posts.at(-1)?.at ?? 0) - (sent?.at ?? 0);
    expect([posts.length > 3, took > 250_000, took <= 270_000], String(took)).toEqual([true, true, true]);
  });
});
