import { expect, test } from 'vitest';
import { goneOf, numberedNames, rowsOf, runNight, sentPeople, statusOf } from '../../../support/nights.ts';
import { createWorld, type RunOptions, type World } from '../../../support/world.ts';

const PEOPLE = numberedNames(40);
const WITHOUT_LAST = rowsOf(numberedNames(39));
const NOT_FOUND = Buffer.from(JSON.stringify({ error: { code: 'not_found', message: 'No such contact.' } }));
const MINUTE_MS = 60_000;

/** The service says of each of these people that there is no such contact. */
function hiding(...names: string[]): RunOptions {
  return {
    transport: (inner) => ({
      close: () => inner.close(),
      send: async (request, signal) => {
        const response = await inner.send(request, signal);
        const path = decodeURIComponent(request.url.pathname);
        const isHidden = request.method === 'GET' && names.some((name) => path.includes(`/${name}@`));
        return isHidden ? { ...response, status: 404, body: NOT_FOUND } : response;
      },
    }),
  };
}

function night(world: World, options: RunOptions & { readonly after?: number } = {}, rows = WITHOUT_LAST) {
  return runNight(world, rows, { flags: '--gone unsubscribe', ...options });
}

/** The number of look-ups of this person since the last night began. */
function lookUpsOf(world: World, name: string): number {
  return world.requests().filter(({ path }) => decodeURIComponent(path).includes(`/${name}@`)).length;
}

test('unsubscribes a missing person on the night after a false 404 (G6)', async () => {
  const world = await createWorld();
  await runNight(world, rowsOf(PEOPLE));
  const first = await night(world, hiding('p40'));
  expect([first.code, goneOf(first), statusOf(world, 'p40')]).toEqual([0, ['p40 not_found'], 'subscribed']);
  expect(first.json.gone).toMatchObject({ missing: 1, unsubscribed: 0, left_before: 0, reported: 0, not_found: 1 });
  const next = await night(world);
  expect([next.code, goneOf(next), statusOf(world, 'p40')]).toEqual([0, ['p40 unsubscribed'], 'unsubscribed']);
  expect((await night(world)).json.gone.missing).toBe(0);
});

test('looks a deleted missing person up on two nights only (G6)', async () => {
  const world = await createWorld();
  await runNight(world, rowsOf(PEOPLE));
  world.emulator.admin.deleteContact('p40@example.com');
  const outcomes: unknown[] = [];
  for (let count = 0; count < 4; count += 1) {
    const result = await night(world);
    const { missing } = result.json.gone;
    outcomes.push([result.code, missing === 0 ? [] : goneOf(result), lookUpsOf(world, 'p40')]);
  }
  expect(outcomes).toEqual([
    [0, ['p40 not_found'], 1],
    [0, ['p40 left_before'], 1],
    [0, [], 0],
    [0, [], 0],
  ]);
});

test('does not count a second 404 when it comes within minutes (G6)', async () => {
  const world = await createWorld();
  await runNight(world, rowsOf(PEOPLE));
  await night(world, hiding('p40'));
  const again = await night(world, { ...hiding('p40'), after: 5 * MINUTE_MS });
  expect(goneOf(again)).toEqual(['p40 not_found']);
  const next = await night(world);
  expect([goneOf(next), statusOf(world, 'p40')]).toEqual([['p40 unsubscribed'], 'unsubscribed']);
});

test('forgets a 404 when the person was in a list since then (G6)', async () => {
  const world = await createWorld();
  await runNight(world, rowsOf(PEOPLE));
  await night(world, hiding('p40'));
  await night(world, {}, rowsOf(PEOPLE));
  expect(sentPeople(world)).toEqual(['p40']);
  expect(goneOf(await night(world, hiding('p40')))).toEqual(['p40 not_found']);
  expect(goneOf(await night(world))).toEqual(['p40 unsubscribed']);
});

test('counts a person once for --max-gone when looked up twice (G6, G7)', async () => {
  const world = await createWorld();
  await runNight(world, rowsOf(PEOPLE));
  // Two people are 5 % of the list. Two more on the next night are not too many.
  expect((await night(world, hiding('p39', 'p40'), rowsOf(numberedNames(38)))).code).toBe(0);
  const next = await night(world, {}, rowsOf(numberedNames(37)));
  expect([next.code, goneOf(next)]).toEqual([0, ['p38 unsubscribed', 'p39 unsubscribed', 'p40 unsubscribed']]);
});

test('reports a missing person when a 404 follows a refused opt-out (G6)', async () => {
  const world = await createWorld();
  await runNight(world, rowsOf(PEOPLE));
  let hasPosted = false;
  const refused = await night(world, {
    transport: (inner) => ({
      close: () => inner.close(),
      send: async (request, signal) => {
        const isMeant = hasPosted && decodeURIComponent(request.url.pathname).includes('/p40@');
        hasPosted ||= request.method === 'POST';
        const response = await inner.send(request, signal);
        if (request.method === 'POST') {
          const body = Buffer.from(JSON.stringify({ error: { code: 'invalid_request', message: 'No.' } }));
          return { ...response, status: 400, body };
        }
        return isMeant ? { ...response, status: 404, body: NOT_FOUND } : response;
      },
    }),
  });
  expect([refused.code, goneOf(refused)]).toEqual([3, ['p40 reported']]);
});
