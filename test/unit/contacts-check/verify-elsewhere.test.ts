import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createWorld, type World } from '../../support/world.ts';

const LIST = 'email,status\nana@example.com,subscribed\nbea@example.com,unsubscribed\n';

/** Flags that choose a service, and the part of its origin that messages show. */
const ORIGINS = {
  'a service': ['', 'https://mail.example.test/api'],
  'another service': ['--base-url https://other.example.test', 'https://other.example.test'],
  'a folder of an emulator': ['--emulator-data one', 'emulator'],
  'another folder': ['--emulator-data two', 'emulator'],
  'a temporary emulator': ['--emulator', 'emulator'],
} as const;

const PAIRS = Object.entries(ORIGINS).flatMap(([here, [flags]]) =>
  Object.entries(ORIGINS).flatMap(([there, [otherFlags, shown]]) =>
    // Each temporary emulator is another one.
    here === there && flags !== '--emulator' ? [] : [{ here, flags, there, otherFlags, shown }],
  ),
);

/** Runs a command. The service of this test answers at all origins, and each of them shows the same audience. */
function at(world: World, line: string) {
  const authorization = `Bearer ${world.emulator.apiKey}`;
  return world.svc(line, {
    transport: (inner) => ({
      close: () => inner.close(),
      send: (request, signal) => {
        const path = request.url.pathname.replace(/^(?:\/api)?/, '/api');
        const url = new URL(path + request.url.search, 'https://mail.example.test');
        return inner.send({ ...request, url, headers: { ...request.headers, authorization } }, signal);
      },
    }),
  });
}

async function importAt(world: World, flags: string): Promise<string> {
  const { code, err, json } = await at(world, `contacts import list.csv --again --json ${flags}`);
  expect(code, err).toBe(0);
  await world.clock.advance(60_000);
  world.requests();
  return json.run;
}

describe('runs verify with a run of another service', () => {
  test.each(PAIRS)(
    'sends no request to $here to verify a run of $there (V4, K4)',
    async ({ flags, otherFlags, shown }) => {
      const world = await createWorld();
      world.file('list.csv', LIST);
      const run = await importAt(world, otherFlags);
      for (const named of [run, 'latest']) {
        const { code, err } = await at(world, `runs verify ${named} --json ${flags}`);
        expect([code, JSON.parse(err).error]).toMatchObject([2, { code: 'another_destination' }]);
        expect(JSON.parse(err).error.message).toContain(`${run} cannot be verified here: it was begun at `);
        expect(err).toContain(shown);
      }
      const { code, err } = await at(world, `runs verify --json ${flags}`);
      expect([code, JSON.parse(err).error.code, world.requests()]).toEqual([2, 'nothing_to_verify', []]);
    },
  );

  test.each(PAIRS.filter(({ flags }) => flags !== '--emulator'))(
    'takes the latest run at $here, not a newer one at $there (V4)',
    async ({ flags, otherFlags }) => {
      const world = await createWorld();
      world.file('list.csv', LIST);
      const run = await importAt(world, flags);
      await importAt(world, otherFlags);
      const { code, json } = await at(world, `runs verify --json ${flags}`);
      expect([code, json.verifies, json.counts.same]).toEqual([0, run, 2]);
    },
  );

  test('makes no emulator when the folder of --emulator-data has none (V4)', async () => {
    const world = await createWorld();
    const list = world.file('list.csv', LIST);
    await importAt(world, '');
    const { code } = await at(world, 'runs verify --emulator-data none');
    expect([code, existsSync(join(dirname(list), 'none'))]).toEqual([2, false]);
  });

  test('runs verify suggests no --emulator when no base URL is set (V4)', async () => {
    const world = await createWorld();
    const { code, err } = await world.svc('runs verify', { env: { SVC_BASE_URL: '' } });
    expect([code, err]).toEqual([2, expect.stringMatching(/or set SVC_BASE_URL\.\n$/)]);
  });

  test('prints a command that verifies the run at its own service (V4)', async () => {
    const world = await createWorld();
    world.file('list.csv', LIST);
    const run = await importAt(world, '--base-url https://other.example.test');
    for (const line of [`runs verify ${run}`, 'runs verify', 'runs verify --emulator-data one']) {
      const { err } = await at(world, line);
      const hint = /svc (runs verify.*)/.exec(err)?.[1] ?? '';
      const { code, json } = await at(world, `${hint} --json`);
      expect([hint, code, json.verifies]).toEqual([
        expect.stringContaining('--base-url https://other.example.test'),
        0,
        run,
      ]);
    }
  });
});
