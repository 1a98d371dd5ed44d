import { expect, test } from 'vitest';
import { addresses, bare, createAutomationWorld } from '../support.ts';

const LOST = {
  kind: 'reset',
  when: 'after',
  match: { route: 'POST /v1/automations/*/enroll' },
  times: 1,
} as const;

/** A finished enrollment whose first person has an unknown outcome. */
async function createUnknown(people = 1) {
  const world = await createAutomationWorld(addresses(people));
  world.emulator.admin.addFault({ ...LOST, times: people });
  const { json } = await world.enroll(bare(addresses(people)), ['--at-most-once', '--concurrency', '1']);
  expect(json.rows.unknown).toBe(people);
  const { run, files } = json as { run: string; files: { unknown: string } };
  return { world, run, files };
}

test('runs delete names runs resolve before the deletion of unknown outcomes (I3)', async () => {
  const { world, run } = await createUnknown();
  const { code, err } = await world.svc(`runs delete ${run} --json --state-dir ${world.folder}/state/svc`);
  const { message, hint } = JSON.parse(err).error;
  const where = `svc --state-dir ${world.folder}/state/svc runs`;
  expect([code, message, hint.split('\n')]).toEqual([
    5,
    `${run} has 1 row with an unknown outcome; its folder is the only record of it`,
    [
      `To record who was enrolled, after you looked in the app: ${where} resolve ${run}`,
      `Only if you no longer need this record: ${where} delete ${run} --confirm ${run}`,
    ],
  ]);
});

test('runs prune names runs resolve for a run with unknown outcomes (I3)', async () => {
  const { world, run } = await createUnknown();
  expect((await world.svc('runs prune --keep 0')).out).toBe(
    `Kept ${run}: 1 row with an unknown outcome. To record who was enrolled, after you looked in the app: svc runs resolve ${run}\n`,
  );
});
