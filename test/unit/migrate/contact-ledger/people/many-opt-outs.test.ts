import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import type { CheckContext } from '../../../../../src/migrate/checks/check-context.ts';
import { manyOptOutsFindings } from '../../../../../src/migrate/checks/repeated-list/many-opt-outs.ts';
import { createRandom } from '../../../../simulation/random.ts';
import { numberedNames } from '../../../../support/nights.ts';
import { everyNth } from '../../../../support/sweep.ts';
import { type CommandResult, createWorld, type World } from '../../../../support/world.ts';

const DAY_MS = 24 * 3_600_000;

/** Imports a list with these columns, with the given flags. */
async function night(world: World, file: string, text: string, flags: string): Promise<CommandResult> {
  await world.clock.advance(DAY_MS);
  world.file(file, text);
  return world.svc(`contacts import ${file} --plan paid --yes ${flags}`);
}

function listOf(header: string, names: readonly string[], cell: (index: number) => string): string {
  return `email,${header}\n${names.map((name, index) => `${name}@example.com,${cell(index)}\n`).join('')}`;
}

function statuses(world: World): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of world.emulator.admin.contacts()) {
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

/** Makes the ledger one of an older svc. */
function forgetWhoOptedOut(world: World): void {
  const ledgers = join(world.folder, 'state/svc/ledgers');
  const name = readdirSync(ledgers).find((each) => /^contacts-\w+\.db$/.test(each)) ?? '';
  const db = new DatabaseSync(join(ledgers, name));
  db.exec('ALTER TABLE people DROP COLUMN opts_out');
  db.close();
}

const NAMES = numberedNames(40);
const isEighth = (index: number) => index % 8 === 0;
const YES_NO = '--status-map newsletter:yes=subscribed --status-map newsletter:no=unsubscribed';
const ONE_ZERO = '--status-map active:1=subscribed --status-map active:0=unsubscribed';

/** What the second night says although no person left, with the answers of the first night. */
const FAULTS: readonly (readonly [what: string, answers: string, first: string, second: string])[] = [
  [
    'yes and no are exchanged',
    YES_NO,
    listOf('newsletter', NAMES, (index) => (isEighth(index) ? 'no' : 'yes')),
    listOf('newsletter', NAMES, (index) => (isEighth(index) ? 'yes' : 'no')),
  ],
  [
    '0 and 1 are exchanged',
    ONE_ZERO,
    listOf('active', NAMES, (index) => (isEighth(index) ? '0' : '1')),
    listOf('active', NAMES, (index) => (isEighth(index) ? '1' : '0')),
  ],
  [
    'each row says unsubscribed',
    '',
    listOf('status', NAMES, (index) => (isEighth(index) ? 'unsubscribed' : 'subscribed')),
    listOf('status', NAMES, () => 'unsubscribed'),
  ],
  [
    'a date stands in each row of a new column',
    '--default-status subscribed',
    listOf('city', NAMES, () => 'Lisbon'),
    listOf('city,unsubscribed_at', NAMES, (index) => `Lisbon,2024-02-${10 + (index % 9)}`),
  ],
];

test('does not stop a resume when an older svc began the run (G12)', () => {
  const context = { ledgerCounts: {}, snapshot: {}, options: { changes: { full: false } } };
  expect(manyOptOutsFindings(context as unknown as CheckContext)).toEqual([]);
});

describe('a list that suddenly opts out many people', () => {
  const allFlags = ['--only-changed', '--full', '--only-changed --gone unsubscribe', '--gone report'];
  for (const [index, flags] of allFlags.entries()) {
    test.each(everyNth(FAULTS, 2, index))(
      `stops before the first write with ${flags} when %s (G12)`,
      async (_, answers, first, second) => {
        const world = await createWorld();
        await night(world, 'users.csv', first, `${answers} --save-mapping users.json ${flags}`);
        const before = statuses(world);
        world.requests();

        const stopped = await night(world, 'users.csv', second, `--mapping users.json ${flags} -q`);

        const writes = world.requests().filter(({ method }) => method !== 'GET');
        expect([stopped.code, writes, statuses(world)]).toEqual([5, [], before]);
        expect(stopped.err.replace(/\s+/g, ' ')).toMatch(
          /opts out \d+ people of \d+ who were subscribed .*After you corrected the export.* svc .*(?:Only if t|T)hese (\d+) people really left: .* svc --yes contacts import users\.csv .*--max-opt-outs \1\b/,
        );
      },
    );
  }

  test('asks no more about opt-outs after the printed command was run (G12)', async () => {
    const world = await createWorld();
    const [, answers, first, second] = FAULTS[0] as (typeof FAULTS)[number];
    await night(world, 'users.csv', first, `${answers} --save-mapping users.json --only-changed`);
    const stopped = await night(world, 'users.csv', second, '--mapping users.json --only-changed');
    const command = /^ *svc (.*--max-opt-outs.*)$/m.exec(stopped.err)?.[1] ?? '';
    expect(command).toMatch(/--max-opt-outs 35$/);
    expect((await world.svc(command)).code).toBe(0);
    // The service signs up no person who left, so the five of the first night stay opted out.
    expect(statuses(world)).toEqual({ unsubscribed: 40 });
    expect((await night(world, 'users.csv', second, '--mapping users.json --only-changed')).code).toBe(0);
  });

  test('a resume does not ask again when --max-opt-outs allowed the run (G12)', async () => {
    const world = await createWorld();
    const [, answers, first, second] = FAULTS[1] as (typeof FAULTS)[number];
    await night(world, 'users.csv', first, `${answers} --save-mapping users.json --only-changed`);
    world.refuse('POST *', { status: 403, code: 'forbidden', times: 1 });
    const failed = await night(world, 'users.csv', second, '--mapping users.json --only-changed --max-opt-outs 100%');
    expect([failed.code === 0, statuses(world)]).toEqual([false, { subscribed: 35, unsubscribed: 5 }]);
    expect((await world.svc('runs resume --yes')).code).toBe(0);
    expect(statuses(world)).toEqual({ unsubscribed: 40 });
  });

  test('does not stop when a new list opts out people of another list (G12)', async () => {
    const world = await createWorld();
    await night(
      world,
      'users.csv',
      listOf('status', NAMES, () => 'subscribed'),
      '--only-changed',
    );
    const leavers = listOf('status', NAMES.slice(0, 15), () => 'unsubscribed');
    expect((await night(world, 'leavers.csv', leavers, '--only-changed')).code).toBe(0);
    expect(statuses(world)).toEqual({ subscribed: 25, unsubscribed: 15 });
  });

  test('stops when a list under a new name opts out the same people (G12)', async () => {
    const world = await createWorld();
    await night(
      world,
      'users.csv',
      listOf('status', NAMES, () => 'subscribed'),
      '--only-changed',
    );
    const text = listOf('status', NAMES, () => 'unsubscribed');
    expect((await night(world, 'members.csv', text, '--only-changed')).code).toBe(5);
  });

  test('does not count earlier opt-outs when the list has a new column (G12)', async () => {
    const world = await createWorld();
    const half = (index: number) => (index % 2 === 0 ? 'unsubscribed' : 'subscribed');
    await night(world, 'users.csv', listOf('status', NAMES, half), '--only-changed');
    const text = listOf('status,city', NAMES, (index) => `${half(index)},Oslo`);
    expect((await night(world, 'users.csv', text, '--only-changed')).code).toBe(0);
  });

  test('counts new opt-outs when an older ledger does not say who left (G12)', async () => {
    const world = await createWorld();
    const half = (index: number) => (index % 2 === 0 ? 'unsubscribed' : 'subscribed');
    await night(world, 'users.csv', listOf('status', NAMES, half), '--only-changed');
    forgetWhoOptedOut(world);
    expect((await night(world, 'users.csv', listOf('status', NAMES, half), '--only-changed')).code).toBe(0);
    const text = listOf('status', NAMES, (index) => (index < 14 ? 'unsubscribed' : half(index)));
    const at = (limit: number) => night(world, 'users.csv', text, `--only-changed --max-opt-outs ${limit}`);
    const stopped = await at(6);
    expect([stopped.code, stopped.err.replace(/\s+/g, ' ')]).toEqual([
      5,
      expect.stringContaining('7 people of 20 who'),
    ]);
    expect((await at(7)).code).toBe(0);
  });
});

const FLAGS = [
  [undefined, ''],
  [0, '--max-opt-outs 0'],
  [4, '--max-opt-outs 4'],
] as const;

/** Two random nights of a list, and whether more people leave in the second one than the flag allows. */
function randomNights(seed: number) {
  const random = createRandom(seed * 2_654_435_761 + 1);
  const size = random.pick([9, 12, 40, 90]);
  const first = Array.from({ length: size }, () => random.chance(0.2));
  const leaves = random.pick([0, 0.1, 0.2, 0.3, 1]);
  const second = first.map((left) => left || random.chance(leaves));
  const [limit, flag] = random.pick(FLAGS);
  const subscribed = first.filter((left) => !left).length;
  const added = second.filter((left) => left).length - (size - subscribed);
  const isTooMany = limit === undefined ? added >= 10 && added > subscribed / 5 : added > limit;
  return { seed, first, second, flag, subscribed, added, isTooMany };
}

// Only seed 26 has --max-opt-outs 0 and no opt-out.
const NIGHTS = [...Array.from({ length: 12 }, (_, seed) => seed), 26].map(randomNights);

test('the random lists are both within and above each limit', () => {
  const sides = new Set(NIGHTS.map(({ flag, isTooMany }) => `${flag} ${isTooMany}`));
  expect([...sides].sort()).toEqual(FLAGS.flatMap(([, flag]) => [`${flag} false`, `${flag} true`]).sort());
});

test.each(NIGHTS)(
  'stops only when more people leave than allowed, random seed $seed (G12)',
  async ({ first, second, flag, subscribed, added, isTooMany }) => {
    const names = numberedNames(first.length);
    const say = (left: boolean | undefined) => (left ? 'unsubscribed' : 'subscribed');
    const world = await createWorld();
    await night(
      world,
      'users.csv',
      listOf('status', names, (index) => say(first[index])),
      '--only-changed',
    );

    const text = listOf('status', names, (index) => say(second[index]));
    const { code } = await night(world, 'users.csv', text, `--only-changed ${flag}`);

    expect([code, statuses(world).subscribed ?? 0]).toEqual(isTooMany ? [5, subscribed] : [0, subscribed - added]);
  },
);
