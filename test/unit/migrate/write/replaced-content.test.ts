import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../simulation/random.ts';
import { afterPost } from '../../../support/after-post.ts';
import { cityOf, numberedNames, rowsOf } from '../../../support/nights.ts';
import { everyNth } from '../../../support/sweep.ts';
import { BATCH, createWorld, type RunOptions, type World } from '../../../support/world.ts';

const HOUR = 3_600_000;
const NAMES = numberedNames(1_100);
// The list has one of these people in each of its two batches. Neither is in the canary.
const [FIRST, SECOND] = ['p500', 'p1090'] as const;

/** Imports a list in which two people live in these cities. */
async function importCities(world: World, cities: readonly [string, string], flags = '', run: RunOptions = {}) {
  const rows = rowsOf(NAMES).map((row) =>
    row.replace(/^(p500@.*),Lisbon$/, `$1,${cities[0]}`).replace(/^(p1090@.*),Lisbon$/, `$1,${cities[1]}`),
  );
  await world.clock.advance(60_000);
  world.file('list.csv', `email,first_name,city\n${rows.join('\n')}\n`);
  return world.svc(`contacts import list.csv --default-status subscribed --plan paid --no-verify --json ${flags}`, run);
}

/** Sets the local clock only: the service keeps its time. */
function jump(world: World, ms: number): void {
  world.clock.set(world.clock.now() + ms);
  world.emulator.admin.advance(-ms);
}

/** The body and the idempotency key of each POST since the last look. */
const keysOf = (world: World) =>
  world
    .requests()
    .filter(({ method }) => method === 'POST')
    .map(({ body, headers }) => [body, headers['idempotency-key']] as const);

const citiesOf = (world: World) => [cityOf(world, FIRST), cityOf(world, SECOND)];

describe('a list that is imported again within a day', () => {
  test('writes a list again when another version came between two imports (I7)', async () => {
    const world = await createWorld();
    await importCities(world, ['Lisbon', 'Lisbon']);
    await importCities(world, ['Oslo', 'Lisbon']);
    const { code, json } = await importCities(world, ['Lisbon', 'Lisbon']);
    expect([code, json.rows_replayed, citiesOf(world)]).toEqual([0, 0, ['Lisbon', 'Lisbon']]);
  });

  test('writes a list again after another version and a clock jump (I7, P7)', async () => {
    const world = await createWorld();
    await importCities(world, ['Lisbon', 'Lisbon']);
    await importCities(world, ['Oslo', 'Lisbon']);
    jump(world, 30 * 24 * HOUR);
    world.requests();
    await importCities(world, ['Lisbon', 'Lisbon']);
    const posts = world.requests().filter(({ method }) => method === 'POST');
    // svc sent the canary and two batches. If it had got a replay, it would have sent them once more.
    expect([posts.length, citiesOf(world)]).toEqual([3, ['Lisbon', 'Lisbon']]);
  });

  test('lets the service replay a list that is imported twice in a row (I7)', async () => {
    const world = await createWorld();
    await importCities(world, ['Oslo', 'Oslo']);
    await world.clock.advance(26 * HOUR);
    await importCities(world, ['Lisbon', 'Lisbon']);
    const { code, json } = await importCities(world, ['Lisbon', 'Lisbon'], '--rate 500');
    expect([code, json.rows_replayed]).toEqual([0, 1_100]);
  });

  test('lets the service replay a batch when only another batch changed (I7)', async () => {
    const world = await createWorld();
    await importCities(world, ['Lisbon', 'Lisbon']);
    const { json } = await importCities(world, ['Oslo', 'Lisbon']);
    expect([json.rows_replayed > 0, citiesOf(world)]).toEqual([true, ['Oslo', 'Lisbon']]);
  });

  test('a resume keeps keys and writes again what another list replaced (I7, I9)', async () => {
    const world = await createWorld();
    await importCities(world, ['Lisbon', 'Lisbon']);
    await importCities(world, ['Oslo', 'Oslo']);
    world.refuse('POST *', { status: 500, code: 'internal_error', after: 1, times: 99 });
    world.requests();
    expect((await importCities(world, ['Lisbon', 'Lisbon'])).code).toBe(1);
    const before = keysOf(world);
    world.emulator.admin.clearFaults();
    expect((await world.svc('runs resume --json')).code).toBe(0);
    // The refused batch is the last request of the run, and the first one of its resume.
    expect(keysOf(world)[0]).toEqual(before.at(-1));
    expect(citiesOf(world)).toEqual(['Lisbon', 'Lisbon']);
  });
});

test('writes replaced people again when no page lists them (I7, C1)', async () => {
  const world = await createWorld({ variants: { contact_list: 'subscribed' } });
  await importCities(world, ['Lisbon', 'Lisbon']);
  // p500 opts out, so the next canary holds this person.
  [FIRST, SECOND].forEach((name) => world.emulator.admin.setStatus(`${name}@example.com`, 'unsubscribed'));
  const otherMachine = { env: { XDG_STATE_HOME: join(world.folder, 'other machine') } };
  await importCities(world, ['Lisbon', 'Oslo'], '', otherMachine);
  const { code } = await importCities(world, ['Lisbon', 'Lisbon']);
  expect([code, citiesOf(world)]).toEqual([0, ['Lisbon', 'Lisbon']]);
});

test.each([1, 2, 3, 4, 5, 6])(
  'sends each row when request %i and the next resume are refused (I7, D1)',
  async (nth) => {
    const world = await createWorld();
    await importCities(world, ['Lisbon', 'Lisbon']);
    await world.clock.advance(HOUR);
    // A person of the first batch changes after the first request, so the replay of that batch is outdated.
    const change = () => world.emulator.admin.setStatus(`${FIRST}@example.com`, 'unsubscribed');
    const refusal = { kind: 'error', status: 403, code: 'plan_limit_reached', when: 'before', times: 1 } as const;
    world.emulator.admin.addFault({ ...refusal, match: { route: BATCH }, after: nth - 1 });
    const { code } = await importCities(world, ['Lisbon', 'Lisbon'], '', afterPost(1, change));
    world.emulator.admin.addFault({ ...refusal, match: { route: BATCH } });
    const codes = [code];
    for (let more = 0; more < 2 && codes.at(-1) === 7; more += 1) {
      codes.push((await world.svc('runs resume --json')).code);
    }
    const [last] = (await world.svc('runs ls --json')).json;
    expect([codes, last.status, last.finished]).toEqual([[7, 7, 0].slice(3 - codes.length), 'completed', true]);
  },
);

test.each(everyNth([1, 2, 3, 4], 3))(
  'writes the values of the newest list each time, random seed %i (I7)',
  async (seed) => {
    const random = createRandom(seed);
    const world = await createWorld();
    const city = () => random.pick(['Lisbon', 'Oslo']);
    for (let count = 0; count < 8; count += 1) {
      await world.clock.advance(random.int(0, 9) * HOUR);
      const cities = [city(), city()] as const;
      const { code } = await importCities(world, cities);
      expect([count, code, citiesOf(world)]).toEqual([count, 0, cities]);
    }
  },
);

const JUMPS = [-30 * 24 * HOUR, -26 * HOUR, -2 * HOUR, 0, 0, 2 * HOUR, 26 * HOUR, 30 * 24 * HOUR];

test.each(everyNth([1, 2, 3, 4, 5, 6], 3))(
  'writes the values of the newest list at clock jumps, seed %i (I7, P7)',
  async (seed) => {
    const random = createRandom(seed);
    const world = await createWorld();
    const city = () => random.pick(['Lisbon', 'Oslo']);
    for (let count = 0; count < 8; count += 1) {
      await world.clock.advance(random.int(0, 9) * HOUR);
      jump(world, random.pick(JUMPS));
      const cities = [city(), city()] as const;
      const { code } = await importCities(world, cities);
      expect([count, code, citiesOf(world)]).toEqual([count, 0, cities]);
    }
  },
);
