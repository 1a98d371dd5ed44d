import { expect, test } from 'vitest';
import { createInterruption } from '../../../../src/base/lib/interruption.ts';
import { afterPost } from '../../../support/after-post.ts';
import { goneOf, numberedNames, rowsOf, runNight, statusOf } from '../../../support/nights.ts';
import { BATCH, type CommandResult, createWorld, type World } from '../../../support/world.ts';

const WITHOUT_LAST = rowsOf(numberedNames(39));

/** A night with 40 people. Afterwards the last one is `pending`, and the service refuses the next opt-out. */
async function createRefusingWorld(): Promise<World> {
  const world = await createWorld();
  await runNight(world, rowsOf(numberedNames(40)));
  world.emulator.admin.setStatus('p40@example.com', 'pending');
  world.refuse(BATCH, { status: 400, code: 'invalid_request', times: 1 });
  return world;
}

test('exits with 3 when the opt-out of a pending person is refused (G6)', async () => {
  const world = await createRefusingWorld();
  const result = await runNight(world, WITHOUT_LAST, { flags: '--gone unsubscribe' });
  expect([result.code, result.json.error?.code, goneOf(result)]).toEqual([3, 'opt_out_refused', ['p40 reported']]);
  const next = await runNight(world, WITHOUT_LAST, { flags: '--gone unsubscribe' });
  expect([next.code, goneOf(next), statusOf(world, 'p40')]).toEqual([0, ['p40 unsubscribed'], 'unsubscribed']);
});

test.each([
  ['refused', true, 3, 'p40 reported'],
  ['accepted', false, 0, 'p40 unsubscribed'],
])('a resume reports an opt-out that was %s before the stop (G6, D1)', async (_, isRefused, code, outcome) => {
  const world = await createRefusingWorld();
  if (!isRefused) {
    world.emulator.admin.clearFaults();
  }
  const stopped = afterPost(1, (stopper) => stopper.abort(createInterruption('SIGINT')));
  await runNight(world, WITHOUT_LAST, { flags: '--gone unsubscribe', ...stopped });
  const resumed: CommandResult = await world.svc('runs resume --json');
  expect([resumed.code, goneOf(resumed)]).toEqual([code, [outcome]]);
});
