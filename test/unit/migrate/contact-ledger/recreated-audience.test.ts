import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { rowsOf, runNight, sentPeople } from '../../../support/nights.ts';
import { type CommandResult, createWorld, type World } from '../../../support/world.ts';

const ROWS = rowsOf(['ana', 'bo']);

/**
 * Plays as many nights with one list. `ana` leaves. Then the audience is deleted, and one with this name is created.
 */
async function recreateAudience(world: World, nights: number, name = 'Newsletter'): Promise<void> {
  for (const _ of Array(nights)) {
    await runNight(world, ROWS);
  }
  world.emulator.admin.setStatus('ana@example.com', 'unsubscribed');
  await world.svc(`audiences delete ${world.emulator.audienceId} --confirm Newsletter`);
  await world.svc(['audiences', 'create', name]);
}

const deleteRuns = async (world: World) => {
  for (const { run } of (await world.svc('runs ls --json')).json) {
    await world.svc(`runs delete ${run}`);
  }
};

test.each([
  ['pruned', async (world: World) => void (await world.svc('runs prune --keep 2'))],
  ['deleted', deleteRuns],
])('stops when the audience was recreated and the runs were %s (C1, G3)', async (_, removeRuns) => {
  const world = await createWorld();
  await recreateAudience(world, 4);
  await removeRuns(world);
  const stopped = await runNight(world, ROWS);
  expect([stopped.code, stopped.json.error.code, sentPeople(world)]).toEqual([5, 'only_changed', []]);
  expect(stopped.json.error.message).toContain(`${world.emulator.audienceId}, which this account does not have`);
  expect((await runNight(world, ROWS, { flags: '--full' })).code).toBe(0);
  expect((await runNight(world, ROWS)).json.rows.unchanged).toBe(2);
});

/** Names that look like `Newsletter`. */
const SIMILAR_NAMES = [
  ['in lower case', 'newsletter'],
  ['in capital letters', 'NEWSLETTER'],
  ['with an invisible character', 'News\u200bletter'],
  ['in full-width letters', 'Ｎewsletter'],
] as const;

test.each(
  SIMILAR_NAMES.flatMap(([what, name]) => [
    [`${what}`, name, async () => undefined] as const,
    [`${what}, runs deleted`, name, deleteRuns] as const,
  ]),
)('stops when the audience was recreated %s (C1, G3)', async (_, name, removeRuns) => {
  const world = await createWorld();
  await recreateAudience(world, 1, name);
  await removeRuns(world);
  const stopped = await runNight(world, ROWS);
  expect([stopped.code, stopped.json.error?.code, sentPeople(world)]).toEqual([5, 'only_changed', []]);
  expect(stopped.json.error.message).toContain(`${world.emulator.audienceId}, which this account does not have`);
  expect((await runNight(world, ROWS, { flags: '--full' })).code).toBe(0);
  expect((await runNight(world, ROWS)).json.rows.unchanged).toBe(2);
});

test('stops by a ledger that an earlier version of svc wrote (C1, G3)', async () => {
  const world = await createWorld();
  await recreateAudience(world, 1);
  await deleteRuns(world);
  const ledgers = join(world.folder, 'state/svc/ledgers');
  const [ledger = ''] = readdirSync(ledgers).filter((name) => name.endsWith('.db'));
  const db = new DatabaseSync(join(ledgers, ledger));
  const name = createHash('sha256').update('https://mail.example.test/api\nNewsletter').digest('hex');
  const value = JSON.stringify({ id: world.emulator.audienceId, name });
  const { changes } = db.prepare("UPDATE meta SET value = ? WHERE key = 'audience'").run(value);
  db.close();
  const stopped = await runNight(world, ROWS);
  expect([changes, stopped.code, sentPeople(world)]).toEqual([1, 5, []]);
});

test('sends lists in turn to two audiences whose names differ in case (G3)', async () => {
  const world = await createWorld();
  world.file('users.csv', ['email,first_name,city', ...ROWS, ''].join('\n'));
  const { json } = await world.svc('audiences create newsletter --json');
  const ids = [world.emulator.audienceId, json.id];
  const turns = await Array.fromAsync([...ids, ...ids, ...ids], (id) =>
    world.svc(`contacts import users.csv --audience ${id} --again ${PLAIN}`),
  );
  expect(turns.map((turn) => [turn.code, warningsOf(turn).length])).toEqual([[0, 0], [0, 1], ...Array(4).fill([0, 0])]);
});

test('sends a list to an audience of another name (G3)', async () => {
  const world = await createWorld();
  await runNight(world, ROWS);
  const { json } = await world.svc('audiences create Members --json');
  const { code } = await runNight(world, ROWS, { flags: `--audience ${json.id}` });
  expect([code, sentPeople(world)]).toEqual([0, ['ana', 'bo']]);
});

const PLAIN = '--default-status subscribed --plan paid --json';

/** The warnings about another audience of the same name. */
function warningsOf({ json }: CommandResult) {
  const checks = ['replaced_audience', 'shared_name'];
  return json.findings.filter(({ check }: { check: string }) => checks.includes(check));
}

test.each([
  ['contacts import', 'contacts import users.csv', 'contacts import users.csv', 1],
  ['migrate', 'contacts import users.csv --only-changed', 'migrate users.csv', 1],
  ['--full', 'contacts import users.csv --only-changed', 'contacts import users.csv --full', 1],
  ['--only-changed after a plain import', 'migrate users.csv', 'contacts import users.csv --only-changed', 1],
  ['suppressions import', 'contacts import users.csv', 'suppressions import users.csv --reason unsubscribed', 0],
])('warns once when the audience was recreated: %s (C1, G3)', async (_, first, second, count) => {
  const world = await createWorld();
  world.file('users.csv', ['email,first_name,city', ...ROWS, ''].join('\n'));
  const flags = second.startsWith('suppressions') ? '--json' : PLAIN;
  const { run } = (await world.svc(`${first} ${PLAIN}`)).json;
  const old = world.emulator.audienceId;
  await world.svc(`audiences delete ${old} --confirm Newsletter`);
  await world.svc('audiences create Newsletter');
  const warned = await world.svc(`${second} ${flags}`);
  const again = await world.svc(`${second} ${flags} --again`);
  expect([warned.code, warningsOf(warned).length, warningsOf(again)]).toEqual([0, count, []]);
  expect(warningsOf(warned).map(({ message }: { message: string }) => message.split(', which')[0])).toEqual(
    Array(count).fill(`${run} sent a list to another audience of this name, ${old}`),
  );
});

test('enroll --create-contacts warns when the audience was recreated (C1)', async () => {
  const world = await createWorld();
  const list = world.file('users.csv', ['email,first_name,city', ...ROWS, ''].join('\n'));
  await world.svc(`migrate users.csv ${PLAIN}`);
  await world.svc(`audiences delete ${world.emulator.audienceId} --confirm Newsletter`);
  const { id } = (await world.svc('audiences create Newsletter --json')).json;
  const automation = world.emulator.admin.createAutomation({ audienceId: id });
  const enrolled = await world.svc(`automations enroll ${automation} ${list} --create-contacts ${PLAIN}`);
  expect([enrolled.code, warningsOf(enrolled).length]).toEqual([0, 1]);
});
