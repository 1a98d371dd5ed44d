import { expect, test } from 'vitest';
import { cityOf, numberedNames, rowsOf, runNight, sentPeople, statusOf } from '../../../../support/nights.ts';
import { type CommandResult, createWorld, type World } from '../../../../support/world.ts';

const PEOPLE = numberedNames(30);
const BATCH = { route: 'POST *contacts/batch' };

const MORE = Array.from({ length: 8 }, (_, index) => `new${index + 1}`);

/** Ends the connection of each batch after the canary, before or after its effect. */
function loseBatches(world: World, when: 'before' | 'after'): void {
  world.emulator.admin.addFault({ kind: 'reset', when, after: 1, times: 999, match: BATCH });
}

/** The service takes the last person of the next list as written, and does not write this person. */
function dropLast(world: World): void {
  world.emulator.admin.addFault({ kind: 'drop_rows', rows: 1, after: 1, times: 1, match: BATCH });
}

function findingsOf({ json }: CommandResult): { level: string; message: string; total: number }[] {
  return json.findings.filter(({ check }: { check: string }) => check === 'deleted_since');
}

/** A second night after which the ledger does not have the content of the people of the first one. */
const FORGETTING: readonly (readonly [string, number, (world: World) => Promise<CommandResult>])[] = [
  [
    'a read-back found a difference',
    8,
    (world) => {
      dropLast(world);
      return runNight(world, rowsOf([...PEOPLE, ...MORE]));
    },
  ],
  [
    'the responses were lost',
    1,
    (world) => {
      loseBatches(world, 'after');
      return runNight(world, rowsOf(PEOPLE, 'Oslo'));
    },
  ],
  [
    'the requests were lost',
    1,
    (world) => {
      loseBatches(world, 'before');
      return runNight(world, rowsOf(PEOPLE, 'Oslo'));
    },
  ],
  [
    'the requests were refused',
    4,
    (world) => {
      world.refuse('POST *contacts/batch', { status: 403, code: 'forbidden', after: 1 });
      return runNight(world, rowsOf(PEOPLE, 'Oslo'));
    },
  ],
  [
    'an import without --only-changed lost its responses',
    1,
    async (world) => {
      loseBatches(world, 'after');
      world.file('all.csv', `email,first_name,city\n${rowsOf(PEOPLE, 'Oslo').join('\n')}\n`);
      return world.svc('contacts import all.csv --default-status subscribed --plan paid --json');
    },
  ],
];

test.each(FORGETTING)('sends no deleted person after a night when %s (C1, G1)', async (_, exit, forget) => {
  const world = await createWorld();
  await runNight(world, rowsOf(PEOPLE));
  const bad = await forget(world);
  world.emulator.admin.clearFaults();
  world.emulator.admin.deleteContact('p2@example.com');
  const night = await runNight(world, rowsOf(PEOPLE, 'Rome'));
  expect([bad.code, night.code, statusOf(world, 'p2'), night.json.rows.created]).toEqual([exit, 0, undefined, 0]);
  const named = findingsOf(night).filter(({ message }) => message.includes('p2@example.com'));
  expect([named.length, named[0]?.level, cityOf(world, 'p3')]).toEqual([1, 'warn', 'Rome']);
});

test('after exit 8, the same list creates no deleted person again (C1, G8)', async () => {
  const world = await createWorld();
  await runNight(world, rowsOf(PEOPLE));
  world.emulator.admin.deleteContact('p1@example.com');
  dropLast(world);
  const bad = await runNight(world, rowsOf([...PEOPLE, ...MORE]));
  expect([bad.code, statusOf(world, 'new8')]).toEqual([8, undefined]);
  for (const flags of ['', '--gone unsubscribe']) {
    const night = await runNight(world, rowsOf([...PEOPLE, ...MORE]), { flags });
    const found = findingsOf(night).find(({ message }) => message.includes('p1@example.com'));
    // The service never wrote the last new person, whom the ledger had as accepted.
    const statuses = ['p1', 'new8'].map((name) => statusOf(world, name));
    expect([night.code, statuses, found?.total]).toEqual([0, [undefined, 'subscribed'], 1]);
  }
});

test('the night after exit 8 sends its new people again, with a warning (G8)', async () => {
  const world = await createWorld();
  dropLast(world);
  const bad = await runNight(world, rowsOf(PEOPLE));
  const night = await runNight(world, rowsOf(['new', ...PEOPLE]));
  expect([bad.code, night.code, sentPeople(world).length, findingsOf(night)]).toMatchObject([
    8,
    0,
    31,
    [{ level: 'warn', message: expect.stringMatching(/^30 people were new in a run that found differences/) }],
  ]);
  expect(findingsOf(await runNight(world, rowsOf(['new', ...PEOPLE])))).toEqual([]);
});

test.each(['before', 'after'] as const)(
  'sends new people again when the connection broke %s the effect (G2)',
  async (when) => {
    const world = await createWorld();
    await runNight(world, rowsOf(PEOPLE));
    loseBatches(world, when);
    const names = [...PEOPLE, ...MORE];
    const lost = await runNight(world, rowsOf(names));
    world.emulator.admin.clearFaults();
    const night = await runNight(world, rowsOf(names, 'Oslo'));
    expect([lost.code, night.code, findingsOf(night), statusOf(world, 'new8')]).toEqual([1, 0, [], 'subscribed']);
  },
);

test('sends a deleted person again who was missing and is listed again (G1)', async () => {
  const world = await createWorld();
  await runNight(world, rowsOf(PEOPLE), { flags: '--gone report' });
  await runNight(world, rowsOf(PEOPLE.slice(1)), { flags: '--gone report' });
  world.emulator.admin.deleteContact('p1@example.com');
  const night = await runNight(world, rowsOf(PEOPLE), { flags: '--gone report' });
  expect([night.code, findingsOf(night), statusOf(world, 'p1')]).toEqual([0, [], 'subscribed']);
});

test('sends a deleted person whom the service had refused as suppressed (G1)', async () => {
  const world = await createWorld();
  await runNight(world, rowsOf(PEOPLE));
  world.emulator.admin.suppress(['p2@example.com'], 'bounced');
  await runNight(world, rowsOf(PEOPLE, 'Oslo'));
  world.emulator.admin.deleteContact('p2@example.com');
  const night = await runNight(world, rowsOf(PEOPLE, 'Oslo'));
  expect([night.json.rows.already_suppressed, findingsOf(night)]).toEqual([1, []]);
});

test('counts people created again when too many need a look-up (C1, G8)', async () => {
  const world = await createWorld();
  const many = numberedNames(401);
  await runNight(world, rowsOf(many));
  ['p1', 'p2'].forEach((name) => world.emulator.admin.deleteContact(`${name}@example.com`));
  dropLast(world);
  const bad = await runNight(world, rowsOf([...many, ...MORE]));
  const night = await runNight(world, rowsOf(many));
  expect([bad.code, night.code, findingsOf(night)]).toMatchObject([
    8,
    0,
    [
      { level: 'warn', total: 401 },
      { level: 'warn', total: 2 },
    ],
  ]);
});
