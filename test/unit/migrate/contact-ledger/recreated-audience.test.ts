import { expect, test } from 'vitest';
import { rowsOf, runNight, sentPeople } from '../../../support/nights.ts';
import { createWorld, type World } from '../../../support/world.ts';

const ROWS = rowsOf(['ana', 'bo']);

/** Plays a night with a list, and quiet nights after it. `ana` leaves. Then the audience is deleted and recreated. */
async function recreateAudience(world: World): Promise<void> {
  for (const _ of Array(4)) {
    await runNight(world, ROWS);
  }
  world.emulator.admin.setStatus('ana@example.com', 'unsubscribed');
  await world.svc(`audiences delete ${world.emulator.audienceId} --confirm Newsletter`);
  await world.svc('audiences create Newsletter');
}

test.each([
  ['pruned', async (world: World) => void (await world.svc('runs prune --keep 2'))],
  [
    'deleted',
    async (world: World) => {
      for (const { run } of (await world.svc('runs ls --json')).json) {
        await world.svc(`runs delete ${run}`);
      }
    },
  ],
])('stops when the audience was recreated and the runs were %s (C1, G3)', async (_, removeRuns) => {
  const world = await createWorld();
  await recreateAudience(world);
  await removeRuns(world);
  const stopped = await runNight(world, ROWS);
  expect([stopped.code, stopped.json.error.code, sentPeople(world)]).toEqual([5, 'only_changed', []]);
  expect(stopped.json.error.message).toContain(world.emulator.audienceId);
  expect((await runNight(world, ROWS, { flags: '--full' })).code).toBe(0);
  expect((await runNight(world, ROWS)).json.rows.unchanged).toBe(2);
});

test('sends a list to an audience of another name (G3)', async () => {
  const world = await createWorld();
  await runNight(world, ROWS);
  const { json } = await world.svc('audiences create Members --json');
  const { code } = await runNight(world, ROWS, { flags: `--audience ${json.id}` });
  expect([code, sentPeople(world)]).toEqual([0, ['ana', 'bo']]);
});
