import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { splitShellText } from '../../../src/base/lib/text.ts';
import { stoppedAt } from '../../support/stopped-at.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import type { CommandResult, RunOptions } from '../../support/world.ts';
import { type AutomationWorld, addresses, bare, createAutomationWorld } from './support.ts';

const PEOPLE = addresses(3);
const [FIRST, SECOND] = ['http://127.0.0.1:8025', 'http://localhost:8025'];

const under = (origin: string, run: RunOptions = {}): RunOptions => ({ ...run, env: { SVC_BASE_URL: origin } });
const enroll = (world: AutomationWorld, origin: string, run?: RunOptions) =>
  world.enroll(bare(PEOPLE), [], under(origin, run));
const createWorld = () => createAutomationWorld(PEOPLE, { reentry: 'always' });

function refusalOf({ code, err }: CommandResult) {
  const { error } = JSON.parse(err);
  return { code, id: error.code, message: String(error.message), lines: String(error.hint).split('\n') };
}

/** Runs the printed commands: `svc` in the test setup, `rm` on the real disk. */
async function runPrinted(world: AutomationWorld, lines: readonly string[]): Promise<void> {
  for (const line of lines) {
    const [program, ...words] = splitShellText(line);
    if (program === 'rm') {
      words.forEach((path) => rmSync(path));
    } else {
      expect((await world.svc(words, under(SECOND))).code, line).toBe(0);
    }
  }
}

test.each([
  [FIRST, SECOND],
  [SECOND, FIRST],
  [FIRST, 'http://[::1]:8025'],
  ['https://mail.example.test', 'https://mail.example.test/api'],
  ['https://mail.example.test', 'https://10.0.0.7'],
])('enrolls no person again when %s is reached as %s (M5)', async (first, second) => {
  const world = await createWorld();
  expect((await enroll(world, first)).code).toBe(0);
  for (const words of [['--dry-run'], []]) {
    const refusal = refusalOf(await world.enroll(bare(addresses(1)), words, under(second)));
    expect([refusal.code, refusal.id, world.enrolled()]).toEqual([5, 'other_base_url', PEOPLE]);
    expect(refusal.message).toContain(`under ${first} before`);
    const line = `svc --yes automations enroll ${world.automation} ${join(world.folder, 'list.csv')} --json`;
    expect(refusal.lines[1]).toBe([line, ...words, '--base-url', first].join(' '));
  }
});

test('continues under the first base URL with the printed command (M5)', async () => {
  const world = await createAutomationWorld(addresses(4), { reentry: 'always' });
  await enroll(world, FIRST);
  const { lines } = refusalOf(await world.enroll(bare(addresses(4)), ['--base-url', SECOND]));
  const { code, json } = await world.svc(splitShellText(lines[1] ?? '').slice(1));
  expect([code, json.rows.enrolled, world.enrolled()]).toEqual([0, 1, addresses(4)]);
});

test('enrolls under another base URL when the user ran the printed commands', async () => {
  const world = await createWorld();
  await enroll(world, FIRST);
  const { lines } = refusalOf(await enroll(world, SECOND));
  expect(lines[2]).toBe('Only if that was another service, delete its records:');
  await runPrinted(world, lines.slice(3));
  expect([(await enroll(world, SECOND)).code, world.enrolled()]).toEqual([0, [...PEOPLE, ...PEOPLE]]);
});

test.each([true, false])(
  'refuses another base URL when only a ledger is left, URL in it: %s (M5)',
  async (hasPlace) => {
    const world = await createWorld();
    const { json } = await enroll(world, FIRST);
    await world.svc(`runs delete ${json.run}`);
    if (!hasPlace) {
      // An earlier version of svc made the ledger.
      const folder = join(world.folder, 'state/svc/ledgers');
      const [name = ''] = readdirSync(folder).filter((file) => file.endsWith('.db'));
      const ledger = new DatabaseSync(join(folder, name));
      ledger.exec('DROP TABLE place');
      ledger.close();
    }
    const { code, id, lines } = refusalOf(await enroll(world, SECOND));
    expect([code, id, world.enrolled()]).toEqual([5, 'other_base_url', PEOPLE]);
    await runPrinted(world, lines.slice(3));
    expect((await enroll(world, SECOND)).code).toBe(0);
  },
);

test.each([
  [
    'was killed before its first request',
    'contacts',
    /^To enroll the rest of its list there: the command of this run, /,
  ],
  ['sent a request', 'enroll', /^svc has records under both, /],
] as const)('resumes no run that %s when people were enrolled under another URL (M5)', async (_, last, step) => {
  const world = await createWorld();
  const words = last === 'contacts' ? ['--create-contacts'] : [];
  const stopper = stoppedAt('no route', ({ url, method }) => method === 'POST' && url.pathname.includes(`/${last}`));
  const { json } = await world.enroll(bare(PEOPLE), words, under(FIRST, stopper));
  // The second command does not see the run, as if its folder were restored from a backup later.
  const runs = join(world.folder, 'state/svc/runs');
  renameSync(join(runs, json.run), join(world.folder, 'aside'));
  await world.enroll(bare(PEOPLE), ['--reenroll'], under(SECOND));
  renameSync(join(world.folder, 'aside'), join(runs, json.run));
  const refusal = refusalOf(await world.svc(`runs resume ${json.run} --json`, under(FIRST)));
  expect([refusal.code, refusal.id, world.enrolled()]).toEqual([5, 'other_base_url', PEOPLE]);
  expect(refusal.lines[0]).toMatch(step);
});

test('resumes a run under its own base URL (M5)', async () => {
  const world = await createWorld();
  let requests = 0;
  const isSecond = ({ url }: { url: URL }) => url.pathname.endsWith('/enroll') && ++requests === 2;
  await enroll(world, FIRST, stoppedAt('response lost', isSecond));
  expect(refusalOf(await enroll(world, SECOND)).id).toBe('other_base_url');
  expect((await world.svc('runs resume --json', under(FIRST))).code).toBe(0);
  expect(world.enrolled().toSorted()).toEqual(PEOPLE);
});

test('lets only one of two base URLs enroll at once (I11, M5)', async () => {
  const world = await createWorld();
  const ends = await Promise.all([enroll(world, FIRST), enroll(world, SECOND)]);
  expect(ends.map(({ code }) => code).toSorted()).toEqual([0, 6]);
  expect(world.enrolled()).toEqual(PEOPLE);
});

test('enrolls under a second base URL when the first did a dry run (M5)', async () => {
  const world = await createWorld();
  await world.enroll(bare(PEOPLE), ['--dry-run'], under(FIRST));
  expect([(await enroll(world, SECOND)).code, world.enrolled()]).toEqual([0, PEOPLE]);
});

test('enrolls with --reenroll under another base URL (M5)', async () => {
  const world = await createWorld();
  await enroll(world, FIRST);
  expect((await world.enroll(bare(PEOPLE), ['--reenroll'], under(SECOND))).code).toBe(0);
  expect(world.enrolled()).toHaveLength(6);
  for (const origin of [FIRST, SECOND]) {
    const { code, lines } = refusalOf(await enroll(world, origin));
    expect([code, lines[0]]).toEqual([5, expect.stringMatching(/^svc has records under both, /)]);
  }
  const { lines } = refusalOf(await enroll(world, SECOND));
  await runPrinted(world, lines.slice(2));
  expect([(await enroll(world, SECOND)).code, world.enrolled().length]).toEqual([0, 6]);
});

test.each([
  ['with --reenroll', ['--reenroll']],
  ['without --reenroll', []],
])('refuses --reenroll when a run %s under another URL is unfinished (M5)', async (_, words) => {
  const world = await createWorld();
  let requests = 0;
  const isSecond = ({ url }: { url: URL }) => url.pathname.endsWith('/enroll') && ++requests === 2;
  const lost = stoppedAt('response lost', isSecond);
  const { json } = await world.enroll(bare(PEOPLE), words, under(FIRST, lost));
  const sent = world.enrolled();
  const refusal = refusalOf(await world.enroll(bare(PEOPLE), ['--reenroll'], under(SECOND)));
  expect([refusal.code, refusal.id, world.enrolled()]).toEqual([5, 'unfinished_run', sent]);
  expect(refusal.message).toContain(`${json.run} enrolled people in this automation under ${FIRST} and is not`);
  const [, command = ''] = /^Finish it: svc (runs resume .*)$/.exec(refusal.lines[0] ?? '') ?? [];
  expect((await world.svc(splitShellText(`${command} --json`), under(SECOND))).code).toBe(0);
  expect(world.enrolled().toSorted()).toEqual(PEOPLE);
  const second = await world.enroll(bare(PEOPLE), ['--reenroll'], under(SECOND));
  expect([second.code, world.enrolled().length]).toEqual([0, 6]);
});

test('enrolls with --reenroll when the run under the other URL is deleted (M5)', async () => {
  const world = await createWorld();
  const lost = stoppedAt('response lost', ({ url }) => url.pathname.endsWith('/enroll'));
  await enroll(world, FIRST, lost);
  const { lines } = refusalOf(await world.enroll(bare(PEOPLE), ['--reenroll'], under(SECOND)));
  const [, command = ''] = /: svc (runs delete .*)$/.exec(lines[1] ?? '') ?? [];
  expect((await world.svc(splitShellText(command), under(SECOND))).code).toBe(0);
  expect((await world.enroll(bare(PEOPLE), ['--reenroll'], under(SECOND))).code).toBe(0);
});

test('enrolls at each of two emulators when both have the same seed', async () => {
  const state = tempFolder();
  const audience = { name: 'News', contacts: PEOPLE.map((email) => ({ email })) };
  const seed = { audiences: [audience], automations: [{ name: 'Welcome', audience: 'News' }] };
  const ends: unknown[] = [];
  for (const port of [8025, 8026]) {
    const world = await createAutomationWorld([], { name: 'Other' }, { seed });
    const list = world.file('list.csv', bare(PEOPLE));
    const line = ['automations', 'enroll', 'Welcome', list, '--json', '--state-dir', state];
    const { code, json } = await world.svc(line, under(`http://127.0.0.1:${port}`));
    ends.push([code, json.rows.enrolled]);
  }
  expect(ends).toEqual([
    [0, 3],
    [0, 3],
  ]);
});

/** The path of the ledger of the only automation so far. */
function ledgerOf({ folder }: AutomationWorld): string {
  const ledgers = join(folder, 'state/svc/ledgers');
  return join(ledgers, readdirSync(ledgers).find((name) => name.endsWith('.db')) ?? '');
}

test('enrolls people when the ledger of another automation is damaged (D9)', async () => {
  const world = await createWorld();
  await enroll(world, FIRST);
  const other = world.emulator.admin.createAutomation({ name: 'Other', reentry: 'always' });
  writeFileSync(ledgerOf(world), 'no database');
  const line = ['automations', 'enroll', other, join(world.folder, 'list.csv'), '--json'];
  expect((await world.svc(line, under(FIRST))).code).toBe(0);
  // An enrollment in the automation of the damaged ledger still stops.
  expect((await enroll(world, FIRST)).code).not.toBe(0);
  expect([world.enrolled(), world.emulator.admin.enrollments(other).length]).toEqual([PEOPLE, PEOPLE.length]);
  // The name of the ledger shows that it has the people of the other base URL.
  expect((await enroll(world, SECOND)).code).not.toBe(0);
  expect(world.enrolled()).toEqual(PEOPLE);
});

test('enrolls people when a damaged ledger still names another automation (D9)', async () => {
  const world = await createWorld();
  const { json } = await enroll(world, FIRST);
  await world.svc(`runs delete ${json.run}`);
  const path = ledgerOf(world);
  const db = new DatabaseSync(path);
  const root = Number(db.prepare(`SELECT rootpage FROM sqlite_master WHERE name = 'entries'`).get()?.rootpage);
  const size = Number(db.prepare('PRAGMA page_size').get()?.page_size);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
  writeFileSync(path, readFileSync(path).fill(255, (root - 1) * size, root * size));
  const other = world.emulator.admin.createAutomation({ name: 'Other', reentry: 'always' });
  const line = ['automations', 'enroll', other, join(world.folder, 'list.csv'), '--json'];
  expect((await world.svc(line, under(FIRST))).code).toBe(0);
  expect((await enroll(world, SECOND)).code).not.toBe(0);
  expect(world.enrolled()).toEqual(PEOPLE);
});

test('enrolls no person when a ledger of an unknown automation is damaged (D9)', async () => {
  const world = await createWorld();
  await enroll(world, FIRST);
  const folder = join(world.folder, 'state/svc/ledgers');
  const path = join(folder, `${'0'.repeat(32)}.db`);
  writeFileSync(path, 'no database');
  const refusal = refusalOf(await enroll(world, FIRST));
  expect([refusal.code, refusal.id, refusal.message]).toEqual([1, 'state_damaged', expect.stringContaining(path)]);
  expect(refusal.lines).toEqual([
    `Run the same command again. If this error comes back, restore ${path} from a backup.`,
  ]);
});
