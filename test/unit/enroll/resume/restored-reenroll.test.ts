import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stoppedAfterPost } from '../../../support/after-post.ts';
import { stepOf } from '../../../support/sweep.ts';
import { type AutomationWorld, addresses, bare, counts, createAutomationWorld } from '../support.ts';

const HOUR = 3_600_000;
const PEOPLE = addresses(6);
const ENROLL = { route: 'POST /v1/automations/*/enroll' };

interface BackedUpRun {
  readonly world: AutomationWorld;
  readonly run: string;
  backUp(): void;
  restore(): void;
  resume: () => ReturnType<AutomationWorld['svc']>;
}

/** A run with --reenroll that was stopped after the first of six people, and then backed up. */
async function backedUpRun(): Promise<BackedUpRun> {
  const world = await createAutomationWorld(PEOPLE, { reentry: 'always' });
  await world.enroll(bare(PEOPLE));
  const { json } = await world.enroll(bare(PEOPLE), ['--reenroll', '--concurrency', '1'], stoppedAfterPost(1));
  const run = String(json.run);
  const [place, backup] = [join(world.folder, 'state', 'svc', 'runs', run), join(world.folder, 'backup')];
  const replace = (from: string, to: string) => {
    rmSync(to, { recursive: true, force: true });
    cpSync(from, to, { recursive: true });
  };
  replace(place, backup);
  return {
    world,
    run,
    backUp: () => replace(place, backup),
    restore: () => replace(backup, place),
    resume: () => world.svc(['runs', 'resume', run, '--json']),
  };
}

/** How often each person was enrolled. */
function timesEnrolled({ enrolled }: AutomationWorld): number[] {
  return PEOPLE.map((email) => enrolled().filter((other) => other === email).length);
}

const lose = ({ emulator: { admin } }: AutomationWorld) =>
  admin.addFault({ kind: 'reset', when: 'after', match: ENROLL });
const refuse = ({ emulator: { admin } }: AutomationWorld) =>
  admin.addFault({ kind: 'error', status: 403, code: 'forbidden', when: 'before', match: ENROLL });

describe('a run with --reenroll, or an older copy of it', () => {
  test('a resume from a backup skips people who may have been enrolled (M5)', async () => {
    const { world, restore, resume } = await backedUpRun();
    lose(world);
    await resume();
    world.emulator.admin.clearFaults();
    restore();
    await world.clock.advance(48 * HOUR);

    const { code, json } = await resume();

    expect([code, counts(json.rows)]).toEqual([0, { read: 6, enrolled: 1, skipped: 5 }]);
    expect(timesEnrolled(world)).toEqual([2, 2, 2, 2, 2, 2]);
  });

  test('a resumed --reenroll enrolls people whom the service refused (D1)', async () => {
    const { world, resume } = await backedUpRun();
    refuse(world);
    const refused = await resume();
    world.emulator.admin.clearFaults();

    const { code } = await resume();

    expect([refused.code, code, timesEnrolled(world)]).toEqual([4, 0, [2, 2, 2, 2, 2, 2]]);
  });

  test('a resume from a backup enrolls people later resolved as not enrolled', async () => {
    const { world, run, restore, resume } = await backedUpRun();
    world.emulator.admin.addFault({ kind: 'lost_claim', effect: false, match: ENROLL, times: 6 });
    await resume();
    world.emulator.admin.clearFaults();
    await world.svc(['runs', 'resolve', run, '--all', 'not-enrolled']);
    const before = timesEnrolled(world);
    restore();
    await world.clock.advance(48 * HOUR);

    await resume();

    expect([before, timesEnrolled(world)]).toEqual([
      [2, 1, 2, 2, 2, 2],
      [2, 2, 2, 2, 2, 2],
    ]);
  });

  const STEPS: Readonly<Record<string, (run: BackedUpRun) => unknown>> = {
    resume: ({ world, run }) => world.svc(['runs', 'resume', run], stoppedAfterPost(1)),
    'the responses are lost': async ({ world, resume }) => {
      lose(world);
      await resume();
      world.emulator.admin.clearFaults();
    },
    'the service refuses': async ({ world, resume }) => {
      refuse(world);
      await resume();
      world.emulator.admin.clearFaults();
    },
    'the user decides': ({ world, run }) => world.svc(['runs', 'resolve', run, '--all', 'enrolled']),
    'a day later': ({ world }) => world.clock.advance(25 * HOUR),
    'back up': ({ backUp }) => backUp(),
    restore: ({ restore }) => restore(),
  };

  test('--reenroll enrolls each once after random steps and a restore (M5, D1)', async () => {
    const steps = fc.array(fc.constantFrom(...Object.keys(STEPS)), { minLength: 2, maxLength: 9 });
    await fc.assert(
      fc.asyncProperty(steps, async (names) => {
        const run = await backedUpRun();
        for (const name of names) {
          await STEPS[name]?.(run);
        }
        run.restore();
        await run.world.clock.advance(25 * HOUR);
        await run.resume();
        expect(timesEnrolled(run.world)).toEqual(PEOPLE.map(() => 2));
      }),
      { numRuns: 60 / stepOf(5) },
    );
  }, 60_000);
});
