import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rowsOf, runNight, statusOf } from '../../../support/nights.ts';
import { everyNth } from '../../../support/sweep.ts';
import { createWorld, type World } from '../../../support/world.ts';

const LIST = ['p1', 'p2', 'p3'];
const FLAGS = '--default-status subscribed --plan paid --json';
const ENROLL = `automations enroll Welcome users.csv --create-contacts ${FLAGS}`;

interface Earlier {
  readonly what: string;
  readonly come: (world: World) => Promise<unknown>;
  /** True if the deleted person comes back. */
  readonly isBack: boolean;
  readonly flags?: string;
}

const listOf = (names: readonly string[]) => `email,first_name,city\n${rowsOf(names).join('\n')}\n`;

const night = (world: World) => runNight(world, rowsOf(LIST));
const enroll = (world: World) => world.svc(ENROLL);
const importPlainly = (world: World) => world.svc(`contacts import users.csv ${FLAGS}`);

function loseLedger({ folder }: World): void {
  const ledgers = join(folder, 'state', 'svc', 'ledgers');
  readdirSync(ledgers).forEach((name) => rmSync(join(ledgers, name)));
}

const EARLIER: readonly Earlier[] = [
  { what: 'an enrollment', come: enroll, isBack: false },
  { what: 'a night', come: night, isBack: false },
  { what: 'an import', come: importPlainly, isBack: true },
  {
    what: 'an import, then a night',
    come: async (world) => [await importPlainly(world), await night(world)],
    isBack: false,
  },
  {
    what: 'a night, then an import of the same list',
    come: async (world) => [await night(world), await importPlainly(world)],
    isBack: false,
  },
  {
    what: 'an import, then an enrollment',
    come: async (world) => [await importPlainly(world), await enroll(world)],
    isBack: false,
  },
  {
    what: 'a night without them, then an import',
    come: async (world) => {
      await runNight(world, rowsOf(LIST.slice(1)));
      world.file('users.csv', listOf(LIST));
      await importPlainly(world);
    },
    isBack: true,
  },
  {
    what: 'an enrollment in another automation',
    come: (world) => world.svc(ENROLL.replace('Welcome', 'Offer')),
    isBack: true,
  },
  {
    what: 'a night whose ledger is lost',
    come: async (world) => [await night(world), loseLedger(world)],
    isBack: true,
  },
  {
    what: 'a night whose ledger another list replaced',
    come: async (world) => {
      await night(world);
      loseLedger(world);
      await runNight(world, rowsOf(['q1']), { file: 'others.csv' });
    },
    isBack: true,
  },
  {
    what: 'an enrollment whose record is lost, with --reenroll',
    come: async (world) => [await enroll(world), loseLedger(world)],
    flags: '--reenroll',
    isBack: true,
  },
];

/** The same list, or a newer version of it. A full sweep has both. */
const CASES = EARLIER.flatMap((earlier, index) => {
  const same = { ...earlier, names: LIST };
  const newer = { ...earlier, what: `${earlier.what}, of a newer list`, names: [...LIST, 'new'] };
  return everyNth([same, newer], 2, index);
});

test.each(CASES)('warns only when --create-contacts brings people back: after $what (G1)', async (earlier) => {
  const { come, isBack, names, flags = '' } = earlier;
  const world = await createWorld();
  const { admin } = world.emulator;
  ['Welcome', 'Offer'].forEach((name) => admin.createAutomation({ name }));
  world.file('users.csv', listOf(LIST));
  await come(world);
  await world.clock.advance(2 * 24 * 3_600_000);
  expect(statusOf(world, 'p1')).toBe('subscribed');
  admin.deleteContact('p1@example.com');
  world.file('users.csv', listOf(names));
  const { code, json } = await world.svc(`${ENROLL} ${flags}`);
  const isNamed = json.findings.some(({ check }: { check: string }) => check === 'imported_before');
  expect([code, isNamed, statusOf(world, 'p1') !== undefined]).toEqual([0, isBack, isBack]);
});

test.each([
  ['p2 and p3', ['p2', 'p3'], true],
  ['no person', [], true],
  ['all people', ['p1', 'p2', 'p3'], false],
])('warns of people written, but not enrolled: it enrolled %s (C1, G1)', async (_, enrolled, isBack) => {
  const world = await createWorld();
  const { admin } = world.emulator;
  const welcome = admin.createAutomation({ name: 'Welcome', entryFilter: { city: 'Lisbon' } });
  const rows = LIST.flatMap((name) => rowsOf([name], enrolled.includes(name) ? 'Lisbon' : 'Oslo'));
  world.file('users.csv', `email,first_name,city\n${rows.join('\n')}\n`);
  await enroll(world);
  await world.clock.advance(2 * 24 * 3_600_000);
  admin.deleteContact('p1@example.com');
  const { json } = await enroll(world);
  const findings = json.findings.filter(({ check }: { check: string }) => check === 'imported_before');
  expect([admin.enrollments(welcome).length, findings.length > 0, statusOf(world, 'p1') !== undefined]).toEqual([
    enrolled.length,
    isBack,
    isBack,
  ]);
});
