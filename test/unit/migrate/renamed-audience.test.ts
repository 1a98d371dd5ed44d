import { expect, test } from 'vitest';
import { people } from '../../support/lists.ts';
import { createWorld, type World } from '../../support/world.ts';

const CLUB = '--audience-name Club --create-audience --plan paid --json';

/** Sends a list to the new audience Club, and renames the audience. Returns its id. */
async function sendAndRename(world: World, line: string): Promise<string> {
  world.file('list.csv', people(3));
  const { json } = await world.svc(`${line} ${CLUB}`);
  await world.svc(`audiences rename ${json.audience.id} Members --yes`);
  world.file('list.csv', people(4));
  return json.audience.id;
}

const LINES = ['migrate list.csv', 'contacts import list.csv', 'contacts import list.csv --only-changed'];

test.each(LINES)('creates no second audience when the first one was renamed: %s (C1)', async (line) => {
  const world = await createWorld();
  const id = await sendAndRename(world, line);
  const { code, err } = await world.svc(`${line} ${CLUB}`);
  const { message, hint } = JSON.parse(err).error;
  expect([code, message]).toEqual([2, expect.stringContaining('an audience that is named "Members" now')]);
  const [, command = ''] = hint.split('\n');
  const pasted = await world.svc(command.split(' ').slice(1));
  expect([pasted.code, pasted.json.audience.id, pasted.json.rows.read]).toEqual([0, id, 4]);
});

test('finds a renamed audience by its ledger when runs were deleted (C1, G3)', async () => {
  const world = await createWorld();
  await sendAndRename(world, 'contacts import list.csv --only-changed');
  await world.svc('runs prune --keep 0 --yes');
  for (const { run } of (await world.svc('runs ls --json')).json) {
    await world.svc(`runs delete ${run} --confirm ${run}`);
  }
  const { code } = await world.svc(`contacts import list.csv --only-changed ${CLUB}`);
  expect(code).toBe(2);
});

test('creates the audience when the first one of this name was deleted', async () => {
  const world = await createWorld();
  const id = await sendAndRename(world, 'migrate list.csv');
  await world.svc(`audiences delete ${id} --confirm Members`);
  const { code, json } = await world.svc(`migrate list.csv ${CLUB}`);
  expect([code, json.rows.created]).toEqual([0, 4]);
});

test('sends to an audience that was created by hand beside the renamed one', async () => {
  const world = await createWorld();
  await sendAndRename(world, 'migrate list.csv');
  await world.svc('audiences create Club --json');
  const { code, json } = await world.svc(`migrate list.csv ${CLUB}`);
  const warning = json.findings.find(({ check }: { check: string }) => check === 'replaced_audience');
  expect([code, warning.message]).toEqual([0, expect.stringContaining('was deleted or has another name now')]);
});
