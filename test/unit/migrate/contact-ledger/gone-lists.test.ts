import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../simulation/random.ts';
import { goneOf, numberedNames, rowsOf, runNight, statusOf } from '../../../support/nights.ts';
import { everyNth } from '../../../support/sweep.ts';
import { createWorld } from '../../../support/world.ts';

const PEOPLE = numberedNames(40);
const UNSUBSCRIBE = { flags: '--gone unsubscribe' };
const VIPS = { file: 'vips.csv' };

describe('a person in two lists of one audience', () => {
  test.each([
    ['unchanged in the other list', rowsOf(PEOPLE.slice(20)), ''],
    ['changed in the other list', rowsOf(PEOPLE.slice(20), 'Oslo'), ''],
    ['skipped in the other list', [...rowsOf(PEOPLE.slice(20, 39)), 'p40@example.com,,Lisbon,skip'], ',skipped'],
    [
      'named in another cell of the other list',
      [...rowsOf(PEOPLE.slice(20, 39)), 'eve@example.com,p40@example.com,Rome'],
      '',
    ],
  ])('keeps a person subscribed when one of two lists drops them: %s (G7)', async (_, vips, more) => {
    const world = await createWorld();
    const header = `email,first_name,city${more === '' ? '' : ',status'}`;
    await runNight(world, rowsOf(PEOPLE));
    await runNight(world, vips, {
      ...VIPS,
      header,
      flags: more === '' ? '' : '--status-map skip=skip --status-map =subscribed',
    });
    const one = await runNight(world, rowsOf(PEOPLE.slice(0, 39)), UNSUBSCRIBE);
    expect([one.code, one.json.gone.missing, statusOf(world, 'p40')]).toEqual([0, 0, 'subscribed']);
    expect(JSON.stringify(one.json.findings)).toContain('another list of this audience names them');
  });

  test('unsubscribes a person when both lists drop them, in any order (G7)', async () => {
    for (const [first, last] of [
      ['users.csv', 'vips.csv'],
      ['vips.csv', 'users.csv'],
    ]) {
      const world = await createWorld();
      await runNight(world, rowsOf(PEOPLE));
      await runNight(world, rowsOf(PEOPLE), VIPS);
      const one = await runNight(world, rowsOf(PEOPLE.slice(0, 39)), { ...UNSUBSCRIBE, file: first as string });
      expect([one.code, one.json.gone.missing, statusOf(world, 'p40')]).toEqual([0, 0, 'subscribed']);
      const two = await runNight(world, rowsOf(PEOPLE.slice(0, 39)), { ...UNSUBSCRIBE, file: last as string });
      expect([two.code, goneOf(two), statusOf(world, 'p40')]).toEqual([0, ['p40 unsubscribed'], 'unsubscribed']);
    }
  });

  test('a large list does not replace a small one that has another person (G7)', async () => {
    const world = await createWorld();
    await runNight(world, rowsOf([...PEOPLE.slice(20), 'eve']), VIPS);
    const reported = await runNight(world, rowsOf(PEOPLE), { flags: '--gone report' });
    const next = await runNight(world, rowsOf(PEOPLE.slice(0, 39)), UNSUBSCRIBE);
    expect([reported.json.gone.missing, next.code, next.json.gone.missing]).toEqual([0, 0, 0]);
    expect([statusOf(world, 'eve'), statusOf(world, 'p40')]).toEqual(['subscribed', 'subscribed']);
  });

  test('counts only people of its own list for --max-gone (G7)', async () => {
    const world = await createWorld();
    const others = PEOPLE.map((name) => `other_${name}`);
    const report = { flags: '--gone report --max-gone 10%' };
    await runNight(world, rowsOf(PEOPLE));
    await runNight(world, rowsOf(others), VIPS);
    await runNight(world, rowsOf(others.slice(0, 10)), { ...VIPS, flags: '--gone report --max-gone 100%' });
    const four = await runNight(world, rowsOf(PEOPLE.slice(0, 36)), report);
    expect([four.code, four.json.gone.missing]).toEqual([0, 4]);
    const five = await runNight(world, rowsOf(PEOPLE.slice(0, 31)), report);
    expect(five.code).not.toBe(0);
    expect(JSON.stringify(five.json.findings)).toContain('5 people of 36 of earlier lists are missing');
  });

  test('keeps a person subscribed when the import of the other list failed (G7)', async () => {
    const world = await createWorld();
    await runNight(world, rowsOf(PEOPLE));
    world.refuse('POST *', { status: 403, code: 'forbidden', times: 9 });
    expect((await runNight(world, [...rowsOf(PEOPLE), 'eve@example.com,Eve,Rome'], VIPS)).code).not.toBe(0);
    world.emulator.admin.clearFaults();
    await runNight(world, rowsOf(PEOPLE.slice(0, 39)), UNSUBSCRIBE);
    expect(statusOf(world, 'p40')).toBe('subscribed');
  });
});

test.each(everyNth(numberedNames(8), 3))(
  'unsubscribes only people who are in no list, random seed %s (G7)',
  async (name) => {
    const random = createRandom(Number(name.slice(1)) * 2_654_435_761);
    const files = ['users.csv', 'vips.csv', 'leads.csv'];
    const people = numberedNames(8);
    const held = new Map<string, readonly string[]>();
    const expected = new Map<string, string>();
    const world = await createWorld();
    for (let night = 0; night < 12; night += 1) {
      const file = files[night] ?? random.pick(files);
      const list = people.filter(() => random.chance(0.6));
      const dropped = (held.get(file) ?? []).filter((one) => !list.includes(one));
      held.set(file, list);
      list.forEach((one) => expected.set(one, expected.get(one) ?? 'subscribed'));
      const isHeld = (one: string) => [...held.values()].some((names) => names.includes(one));
      dropped.filter((one) => !isHeld(one)).forEach((one) => expected.set(one, 'unsubscribed'));
      const flags = night < files.length ? '' : '--gone unsubscribe --max-gone 100%';
      const rows = [...rowsOf(list, random.pick(['Lisbon', 'Lisbon', 'Oslo'])), 'filler@example.com,Fil,Rome'];
      const { code } = await runNight(world, rows, { file, flags });
      const found = people.map((one) => `${one} ${statusOf(world, one)}`);
      expect([night, code, ...found]).toEqual([night, 0, ...people.map((one) => `${one} ${expected.get(one)}`)]);
    }
  },
);

test.each(['files whose names differ by a digit', 'standard input'])(
  'stops before it unsubscribes the people of another list: %s (G7)',
  async (how) => {
    const world = await createWorld();
    const night = (number: number, names: readonly string[], flags = '') => {
      const text = `email,first_name,city\n${rowsOf(names).join('\n')}\n`;
      const [list, run] = how === 'standard input' ? ['-', { stdin: text }] : [world.file(`r${number}.csv`, text), {}];
      const line = `contacts import ${list} --default-status subscribed --plan paid --only-changed ${flags} --json`;
      return world.svc(line, run);
    };
    const people = numberedNames(60);
    await night(1, people.slice(2));
    await night(2, people.slice(0, 2));

    const stopped = await night(1, people.slice(2), '--gone unsubscribe');

    expect([stopped.code, statusOf(world, 'p1')]).toEqual([5, 'subscribed']);
    expect(JSON.parse(stopped.err).error.message).toContain('lacked 58 people whom this one has');
  },
);

/** The printed commands of a stop, without `svc`. */
function printedCommands(hint: string): string[] {
  return hint.split('\n').flatMap((line) => (line.startsWith('svc ') ? [line.slice('svc '.length)] : []));
}

test.each([
  ['in two folders', 'shop-a/users.csv', 'shop-b/users.csv'],
  ['whose names differ by a digit', 'users-1.csv', 'users-2.csv'],
  ['from standard input', '-', '-'],
])('the first printed command unsubscribes no person, for two lists %s (G7)', async (_, first, second) => {
  const world = await createWorld();
  const night = async (file: string, names: readonly string[], typed?: string) => {
    await world.clock.advance(86_400_000);
    const text = `email,first_name,city\n${rowsOf(names).join('\n')}\n`;
    if (file !== '-') {
      mkdirSync(join(world.folder, dirname(file)), { recursive: true });
      world.file(file, text);
    }
    const line = `contacts import ${file} --default-status subscribed --plan paid --only-changed --gone unsubscribe --json`;
    return world.svc(typed ?? line, file === '-' ? { stdin: text } : {});
  };
  const others = PEOPLE.map((name) => `other_${name}`);
  await night(first, PEOPLE.slice(0, 20));
  for (const [file, names] of [
    [second, others],
    [first, PEOPLE.slice(0, 20)],
    [second, others],
  ] as const) {
    const stopped = await night(file, names);
    const { message, hint } = JSON.parse(stopped.err).error;
    expect([stopped.code, message]).toEqual([5, expect.stringContaining('This may be another list')]);
    expect(hint.split('\n').at(-2)).toMatch(
      /^Only if these \d+ people really left: they are unsubscribed, and svc can't/,
    );
    expect(hint).toContain(file === '-' ? 'save it in a file' : 'give its file a name of its own');
    const [harmless, last] = printedCommands(hint);
    expect([harmless, last]).toEqual([
      expect.stringContaining('--gone report'),
      expect.stringMatching(/--max-gone \d+$/),
    ]);
    expect((await night(file, names, harmless)).code).toBe(0);
  }
  const statuses = new Set(world.emulator.admin.contacts().map(({ status }) => status));
  expect([...statuses]).toEqual(['subscribed']);
});

test('a stop names the path of the last list of the same name (G7)', async () => {
  const world = await createWorld();
  ['shop-a', 'shop-b'].forEach((name) => mkdirSync(join(world.folder, name)));
  await runNight(world, rowsOf(PEOPLE.slice(0, 20)), { file: 'shop-a/users.csv' });
  const stopped = await runNight(world, rowsOf(PEOPLE.slice(20)), { ...UNSUBSCRIBE, file: 'shop-b/users.csv' });
  expect([stopped.code, stopped.json.error.message]).toEqual([5, expect.stringContaining('shop-a/users.csv. Folders')]);
});

test('stops at a terminal without a question when many people are missing (G7)', async () => {
  const world = await createWorld();
  await runNight(world, rowsOf(PEOPLE));
  world.file('users.csv', `email,first_name,city\n${rowsOf(PEOPLE.slice(0, 20)).join('\n')}\n`);
  const line = 'contacts import users.csv --default-status subscribed --plan paid --only-changed --gone unsubscribe';
  const { code, err } = await world.svc(line, { answers: ['1', 'y', 'y'] });
  expect([code, statusOf(world, 'p40')]).toEqual([5, 'subscribed']);
  expect(err.replace(/\s+/g, ' ')).toMatch(/only report: .*--gone report .*Only if these 20 people really left/);
});

test('says that # stands for digits when it names the list users#.csv (G7)', async () => {
  const world = await createWorld();
  const rows = rowsOf(PEOPLE);
  await runNight(world, rows);
  const { code, err } = await runNight(world, rows.slice(1), { ...UNSUBSCRIBE, file: 'users2.csv' });
  const { message } = JSON.parse(err).error;
  expect([code, message]).toEqual([5, expect.stringContaining('this one is users#.csv (# stands for digits)')]);
});
