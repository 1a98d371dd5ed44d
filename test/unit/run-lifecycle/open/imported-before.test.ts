import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { people } from '../../../support/lists.ts';
import { numberedNames, rowsOf, runNight, statusOf } from '../../../support/nights.ts';
import { createWorld, type RunOptions, type World } from '../../../support/world.ts';

test('warns when a list was imported before, also in a dry run', async () => {
  const world = await createWorld();
  const list = world.file('list.csv', people(3));
  const other = world.file('other.csv', people(3, 10));
  const run = async (...flags: string[]) => (await world.svc(['migrate', list, '--json', ...flags])).json;
  const foundIn = ({ findings }: { findings: readonly { check: string; level: string; message: string }[] }) =>
    findings.filter(({ check }) => check === 'imported_before').map(({ level, message }) => [level, message]);

  const first = await run();
  const dry = await run('--dry-run');
  const second = await run();
  const another = (await world.svc(['migrate', other, '--json'])).json;
  const shown = await world.svc(['migrate', list]);

  const message = (id: string) =>
    `this list was imported before (${id}): importing it again brings back people of it who were deleted since`;
  expect([first, dry, second, another].map(foundIn)).toEqual([
    [],
    [['warn', message(first.run)]],
    [['warn', message(first.run)]],
    [],
  ]);
  expect(shown.err).toContain('Z warning: this list was imported before (run_');
});

test('the warning of a repeated import names opt-outs when the list has some', async () => {
  const world = await createWorld();
  const list = world.file('list.csv', 'email,status\nana@example.com,subscribed\nben@example.com,unsubscribed\n');
  await world.svc(['migrate', list]);
  expect((await world.svc(['migrate', list])).err).toContain('deleted since, and opts out those who came back since');
});

const list = (names: readonly string[]) => `${['email,first_name,city', ...rowsOf(names)].join('\n')}\n`;
const COME_BACK = 'brings back people of it who were deleted since';
const IMPORT = 'contacts import list.csv --default-status subscribed --plan paid';

interface FirstImport {
  readonly what: string;
  readonly line: string;
  /** How the second import names the first one. */
  readonly named?: 'same' | 'earlier version';
  /** The exit code of the first import, if it is not 0. */
  readonly code?: number;
  /** The second import, if it is another one. */
  readonly second?: string;
}

/** Sends the key of this world, because an emulator inside a command has a key of its own. */
function withKeyOf({ emulator }: World): RunOptions {
  const authorization = `Bearer ${emulator.apiKey}`;
  return {
    transport: (inner) => ({
      close: () => inner.close(),
      send: (request, signal) => inner.send({ ...request, headers: { ...request.headers, authorization } }, signal),
    }),
  };
}

const reading = (files: string) => IMPORT.replace('list.csv', files);
const MIGRATION = IMPORT.replace('contacts import', 'migrate');
const ENROLLMENT = 'automations enroll Welcome list.csv --default-status subscribed --plan paid';
const OLDER = 'earlier version';
const FOLDERS = ['2026-11-29', '2026-11-30', 'a', 'b'];

const FIRST_IMPORTS: readonly FirstImport[] = [
  { what: 'read the same file', line: IMPORT, named: OLDER },
  { what: 'read it beside another file', line: reading('list.csv other.csv'), named: OLDER },
  { what: 'read another file', line: reading('other.csv') },
  { what: 'was a rehearsal with --dry-run', line: `${IMPORT} --dry-run` },
  { what: 'was a rehearsal with --emulator', line: `${IMPORT} --emulator` },
  { what: 'was refused', line: IMPORT.replace(' --default-status subscribed', ''), code: 5 },
  { what: 'only compared', line: 'contacts check list.csv --default-status subscribed', code: 3 },
  { what: 'was a migration', line: MIGRATION, named: OLDER },
  { what: 'was followed by a migration', line: IMPORT, second: MIGRATION, named: OLDER },
  { what: 'was an enrollment with contacts', line: `${ENROLLMENT} --create-contacts`, named: OLDER },
  { what: 'was an enrollment without contacts', line: ENROLLMENT },
  { what: 'wrote to another audience', line: `${IMPORT} --audience Other` },
  {
    what: 'had an earlier date in its name',
    line: reading('exp-2026-11-29.csv'),
    second: reading('exp-2026-11-30.csv'),
  },
  {
    what: 'lay in a folder of an earlier date',
    line: reading('2026-11-29/users.csv'),
    second: reading('2026-11-30/users.csv'),
  },
  ...(
    [
      ['part-1.csv', 'part-2.csv'],
      ['customers_0001-0500.csv', 'customers_0501-1000.csv'],
      ['shop_100234.csv', 'shop_100871.csv'],
      ['all_1-2.csv', 'all_2-2.csv'],
      ['members-2025.csv', 'members-2026.csv'],
    ] as const
  ).map(([one, two]) => ({ what: `was the other part ${one}`, line: reading(one), second: reading(two) })),
  ...(
    [
      ['exp_20261129T0400.csv', 'exp_20261130T0401.csv'],
      ['exp-29.11.2026.csv', 'exp-30.11.2026.csv'],
      ['exp-29.11.26.csv', 'exp-30.11.26.csv'],
      ['exp-2026-1-5.csv', 'exp-2026-1-6.csv'],
      ['exp-30112026.csv', 'exp-01122026.csv'],
      ['exp-1764547200.csv', 'exp-1764633600.csv'],
    ] as const
  ).map(([one, two]) => ({ what: `was the dated ${one}`, line: reading(one), second: reading(two), named: OLDER })),
  { what: 'lay in another folder', line: reading('a/users.csv'), second: reading('b/users.csv') },
  { what: 'read other.csv too', line: reading('list.csv other.csv'), second: reading('other.csv'), named: 'same' },
  { what: 'was a migration of other.csv', line: 'migrate other.csv', second: reading('other.csv'), named: 'same' },
  { what: 'read one of two files', line: IMPORT, second: reading('list.csv other.csv'), named: OLDER },
].map((one) => ({ ...(/20\d\d-/.test(one.line) && { named: OLDER }), ...one }) as FirstImport);

test.each(FIRST_IMPORTS)(
  'warns of an earlier version only when it was imported: it $what (G1)',
  async ({ line, named, code: ended = 0, second = IMPORT }) => {
    const world = await createWorld();
    const { admin, audienceId } = world.emulator;
    admin.createAutomation({ name: 'Welcome' });
    admin.createAudience('Other');
    FOLDERS.forEach((name) => mkdirSync(join(world.folder, name)));
    const files = [...new Set(`${line} ${second}`.match(/\S+\.csv/g))].filter((file) => file !== 'other.csv');
    const write = (names: readonly string[]) => files.forEach((file) => world.file(file, list(names)));
    write(numberedNames(8));
    world.file('other.csv', 'email,status\nq1@example.com,subscribed\np1@example.com,subscribed\n');
    const at = (text: string) => (/--audience| enroll /.test(text) ? text : `${text} --audience ${audienceId}`);
    const { code: firstCode } = await world.svc(at(line), withKeyOf(world));
    expect(firstCode).toBe(ended);
    const [first] = (await world.svc('runs ls --json')).json;
    await world.clock.advance(2 * 24 * 3_600_000);
    admin.deleteContact('p1@example.com');
    write(numberedNames(9));
    const message =
      named === 'same'
        ? `this list was imported before (${first?.run}): importing it again`
        : `an earlier version of this list was imported on 2026-01-01 (${first?.run}): importing this one`;
    const warning = { check: 'imported_before', level: 'warn', message: `${message} ${COME_BACK}` };
    for (const flags of ['--dry-run', '']) {
      const { code, json } = await world.svc(at(`${second} --json ${flags}`));
      const found = json.findings.filter(({ check }: { check: string }) => check === 'imported_before');
      expect([code, found]).toEqual([0, named ? [warning] : []]);
    }
    expect(statusOf(world, 'p1')).toBe('subscribed');
  },
);

const NAMES = numberedNames(40);
const WITH_BEN = rowsOf([...NAMES, 'ben']);
const PLAIN = 'contacts import users.csv --default-status subscribed --plan paid --json';

const NIGHTS = [
  { what: 'only changed people are sent', flags: '', isNamed: false },
  { what: 'missing people are reported', flags: '--gone report', isNamed: false },
  { what: 'missing people are unsubscribed', flags: '--gone unsubscribe', isNamed: false },
  { what: 'all people are sent', flags: '--full', isNamed: true },
  { what: 'the command has no --only-changed', flags: undefined, isNamed: true },
].flatMap((night) => [
  { ...night, rows: WITH_BEN },
  { ...night, what: `${night.what}, of a newer list`, rows: rowsOf([...NAMES, 'ben', 'zoe']) },
]);

test.each(NIGHTS)('warns of an earlier import only when people come back: $what (G1)', async (night) => {
  const { flags, isNamed, rows } = night;
  const world = await createWorld();
  await runNight(world, WITH_BEN);
  await runNight(world, rowsOf(NAMES));
  world.emulator.admin.deleteContact('p3@example.com');
  const again = flags === undefined ? undefined : await runNight(world, rows, { flags });
  if (again === undefined) {
    world.file('users.csv', `${['email,first_name,city', ...rows].join('\n')}\n`);
    await world.clock.advance(2 * 24 * 3_600_000);
  }
  const { code, json } = again ?? (await world.svc(PLAIN));
  const named = json.findings.filter(({ check }: { check: string }) => check === 'imported_before').length > 0;
  const isBack = statusOf(world, 'p3') !== undefined;
  expect([code, named, isBack]).toEqual([0, isNamed, isNamed]);
});

test('warns of an earlier import when the ledger knows only other lists (G1)', async () => {
  const world = await createWorld();
  world.file('users.csv', `${['email,first_name,city', ...WITH_BEN].join('\n')}\n`);
  await world.svc(PLAIN);
  await runNight(world, rowsOf(['q1', 'q2']), { file: 'others.csv' });
  world.emulator.admin.deleteContact('p3@example.com');
  const { json } = await runNight(world, WITH_BEN);
  expect(json.findings.some(({ check }: { check: string }) => check === 'imported_before')).toBe(true);
  expect(statusOf(world, 'p3')).toBe('subscribed');
});
