import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createInterruption } from '../../../src/base/lib/interruption.ts';
import { afterPost } from '../../support/after-post.ts';
import { everyNth } from '../../support/sweep.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import type { CommandResult, RunOptions } from '../../support/world.ts';
import { type AutomationWorld, addresses, bare, counts, createAutomationWorld } from './support.ts';

const SECOND = 1_000;
const [PERSON] = addresses(1);

/**
 * Another machine enrolled a person and got no response. The service holds that machine's claim on the key for
 * five minutes, and runs the request again for a later repeat. `age` is the age of the claim.
 */
async function claimedWorld(age: number): Promise<{ world: AutomationWorld; state: string }> {
  const world = await createAutomationWorld(addresses(1), { reentry: 'always' });
  const match = { route: 'POST /v1/automations/*/enroll' };
  world.emulator.admin.addFault({ kind: 'lost_claim', effect: true, times: 1, match });
  await world.enroll(bare(addresses(1)), ['--at-most-once', '--state-dir', join(world.folder, 'other')]);
  await world.clock.advance(age * SECOND);
  return { world, state: join(world.folder, 'mine') };
}

function enroll(world: AutomationWorld, state: string, run: RunOptions = {}): Promise<CommandResult> {
  return world.enroll(bare(addresses(1)), ['--state-dir', state], run);
}

const AGES = [0, 30, 90, 150, 210, 240];
const PAUSES = AGES.flatMap((age) => [40, 100, 200].map((pause) => ({ age, pause })));

describe('an enrollment while another machine sends the same idempotency key', () => {
  test.each(everyNth(AGES, 2))(
    'enrolls a person once when a request of another machine is %i s old (I4)',
    async (age) => {
      const { world, state } = await claimedWorld(age);
      const { code, json } = await enroll(world, state);
      expect([code, counts(json.rows), json.run]).toEqual([3, { read: 1, unknown: 1 }, expect.any(String)]);
      for (const wait of [60, 240, 25 * 3_600]) {
        await world.clock.advance(wait * SECOND);
        await enroll(world, state);
      }
      expect(world.enrolled()).toEqual([PERSON]);
    },
  );

  // The cases cover each pause, with the ages that the test above leaves out.
  test.each(everyNth(PAUSES, 7, 3))(
    'enrolls once: other machine sent $age s ago, resume after $pause s (I4)',
    async ({ age, pause }) => {
      const { world, state } = await claimedWorld(age);
      const left = join(tempFolder(), 'left');
      // The copied folder is what a process leaves that is killed before it repeats the request.
      const stopped = await enroll(
        world,
        state,
        afterPost(2, (stopper) => {
          execFileSync('cp', ['-r', state, left]);
          stopper.abort(createInterruption('SIGINT'));
        }),
      );
      await world.clock.advance(pause * SECOND);
      const resumed = await enroll(world, state);
      const afterKill = await enroll(world, left);
      expect([stopped.code, resumed.code, afterKill.code]).toEqual([130, 3, 3]);
      expect(world.enrolled()).toEqual([PERSON]);
    },
  );

  test('enrolls all people when a key in flight is free within 30 s (I11)', async () => {
    const world = await createAutomationWorld(addresses(2), { reentry: 'always' });
    const match = { route: 'POST /v1/automations/*/enroll' };
    world.emulator.admin.addFault({ kind: 'in_flight', seconds: 15, times: 1, match });
    const { code, json } = await world.enroll(bare(addresses(2)));
    expect([code, counts(json.rows)]).toEqual([0, { read: 2, enrolled: 2 }]);
    expect(world.enrolled().sort()).toEqual(addresses(2));
  });
});
