import { rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { splitShellText } from '../../../../src/base/lib/text.ts';
import type { World } from '../../../support/world.ts';
import { addresses, bare, createAutomationWorld } from '../support.ts';

const LOST = { kind: 'reset', when: 'before', match: { route: 'POST /v1/automations/*/enroll' } } as const;

/** An enrollment by list.csv that got no response for its first people. Three others of the audience never agreed. */
async function createUnknown(unknown: number, flags: readonly string[] = []) {
  const members = [...addresses(unknown + 1), ...addresses(3, 20)];
  const world = await createAutomationWorld(members, { reentry: 'always' });
  world.file('list.csv', bare(addresses(unknown + 1)));
  world.emulator.admin.addFault({ ...LOST, times: unknown });
  const words = ['list.csv', '--at-most-once', '--concurrency', '1', ...flags];
  await world.svc(['automations', 'enroll', world.automation, ...words]);
  world.emulator.admin.clearFaults();
  const [{ run }] = (await world.svc('runs ls --json')).json;
  expect([world.enrolled(), run]).toEqual([addresses(1, unknown), expect.any(String)]);
  return { world, run: String(run) };
}

/** The svc commands in a text, each as words without the program name. */
function commandsIn(text: string): string[][] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('svc '))
    .map((line) => splitShellText(line).slice(1));
}

const OTHERS = bare(addresses(3, 20));
interface Change {
  readonly what: string;
  readonly change: (world: World) => void;
}

const CHANGES: readonly Change[] = [
  { what: 'has other people now', change: (world) => world.file('list.csv', OTHERS) },
  {
    what: 'has one more person now',
    change: (world) => world.file('list.csv', bare([...addresses(3), ...addresses(1, 20)])),
  },
  { what: 'is gone', change: ({ folder }) => rmSync(join(folder, 'list.csv')) },
];

test.each(CHANGES)('enrolls only people who were not enrolled when the list $what (D5)', async ({ change }) => {
  const { world, run } = await createUnknown(2);
  change(world);
  const { code, out } = await world.svc(`runs resolve ${run} --all enrolled --not-enrolled person1@example.com`);
  const commands = commandsIn(out);
  expect([code, commands]).toEqual([
    0,
    [['automations', 'enroll', world.automation, '--email', 'person1@example.com', '--at-most-once', '--yes']],
  ]);
  expect(out).toMatch(/^1 enrolled, 1 not enrolled\.\nlist\.csv (?:was changed|is gone) since this run began/);
  for (const words of commands) {
    expect((await world.svc(words)).code).toBe(0);
  }
  expect(world.enrolled()).toEqual([...addresses(1, 2), ...addresses(1, 1)]);
});

test('names people when many were not enrolled and the list changed (D5)', async () => {
  const { world, run } = await createUnknown(6);
  world.file('list.csv', OTHERS);
  const { out } = await world.svc(`runs resolve ${run} --all not-enrolled`);
  expect(commandsIn(out)).toEqual([]);
  expect(addresses(6).filter((email) => !out.includes(email))).toEqual([]);
  expect(out).toContain('list.csv was changed since this run began');
});

test.each([
  ['unchanged', () => {}],
  ['only touched', ({ folder }: World) => utimesSync(join(folder, 'list.csv'), 9_000, 9_000)],
])('prints the command of the run again when the list is %s (D5)', async (_, change) => {
  const { world, run } = await createUnknown(2);
  change(world);
  const { out } = await world.svc(`runs resolve ${run} --all not-enrolled`);
  const [words = []] = commandsIn(out);
  expect(words).toContain('list.csv');
  expect((await world.svc(words)).code).toBe(0);
  expect(world.enrolled().toSorted()).toEqual(addresses(3));
});

test('enrolls no person a second time when the run had --reenroll (M5)', async () => {
  const { world, run } = await createUnknown(2, ['--reenroll']);
  await world.clock.advance(48 * 3_600_000);
  const { out } = await world.svc(`runs resolve ${run} --all enrolled --not-enrolled person1@example.com`);
  for (const words of commandsIn(out)) {
    expect((await world.svc(words)).code).toBe(0);
  }
  expect(world.enrolled()).toEqual([...addresses(1, 2), ...addresses(1, 1)]);
});
