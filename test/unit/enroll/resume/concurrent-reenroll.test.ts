import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../../src/base/lib/errors.ts';
import { stoppedAfterPost } from '../../../support/after-post.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import type { RunOptions } from '../../../support/world.ts';
import { type AutomationWorld, addresses, bare, counts, createAutomationWorld } from '../support.ts';

const PEOPLE = addresses(4);
const ALONE = ['--reenroll', '--concurrency', '1'];

/** Calls `start` once, before the enrollment request number `at` is sent. */
function whileEnrolling(at: number, start: () => void): RunOptions {
  let posts = 0;
  return {
    transport: (inner) => ({
      close: () => inner.close(),
      send: async (request, signal) => {
        posts += request.method === 'POST' ? 1 : 0;
        if (request.method === 'POST' && posts === at) {
          start();
          // The other command looks the automation up, and meets the lock.
          for (let turn = 0; turn < 500; turn += 1) {
            await new Promise((resolve) => setImmediate(resolve));
          }
        }
        return inner.send(request, signal);
      },
    }),
  };
}

/** Runs `first`, and `second` while `first` enrolls its person number `at`. Returns both results. */
async function together(
  first: (run: RunOptions) => ReturnType<AutomationWorld['svc']>,
  at: number,
  second: () => ReturnType<AutomationWorld['svc']>,
) {
  let other: ReturnType<AutomationWorld['svc']> | undefined;
  const own = await first(
    whileEnrolling(at, () => {
      other = second();
    }),
  );
  return { own, other: await (other ?? second()) };
}

describe('two commands with --reenroll at the same time', () => {
  test.each([1, 3])('a second --reenroll, waiting from request %i on, enrolls no person (I11)', async (at) => {
    const world = await createAutomationWorld(PEOPLE, { reentry: 'always' });
    await world.enroll(bare(PEOPLE.slice(0, 1)));
    const { own, other } = await together(
      (run) => world.enroll(bare(PEOPLE), ALONE, run),
      at,
      () => world.enroll(bare(PEOPLE), [...ALONE, '--wait', '10m']),
    );
    expect([own.code, counts(own.json.rows)]).toEqual([EXIT.ok, { read: 4, enrolled: 4 }]);
    expect([other.code, counts(other.json.rows)]).toEqual([EXIT.ok, { read: 4, skipped: 4 }]);
    expect(world.enrolled().toSorted()).toEqual([...PEOPLE, PEOPLE[0]].toSorted());
    // A command that is given later enrolls everyone again, as the flag says.
    await world.clock.advance(60_000);
    expect(counts((await world.enroll(bare(PEOPLE), ALONE)).json.rows)).toEqual({ read: 4, enrolled: 4 });
  });

  test('the hint of a busy resume enrolls no person twice when pasted (I11)', async () => {
    const world = await createAutomationWorld(PEOPLE, { reentry: 'always' });
    const { json } = await world.enroll(bare(PEOPLE), ALONE, stoppedAfterPost(1));
    const { own, other } = await together(
      (run) => world.svc('runs resume', run),
      1,
      () => world.svc(`runs resume ${json.run}`),
    );
    expect([own.code, other.code]).toEqual([EXIT.ok, EXIT.busy]);
    expect(other.err).toContain(`To wait for it: svc runs resume ${json.run} --wait 10m`);
    const pasted = await world.svc(`runs resume ${json.run} --wait 10m`);
    expect([pasted.code, pasted.err]).toEqual([EXIT.usage, expect.stringContaining(`${json.run} is finished`)]);
    expect(world.enrolled()).toEqual(PEOPLE);
  });

  test('a resume that waited ends when the run has finished meanwhile (D1)', async () => {
    const world = await createAutomationWorld(PEOPLE, { reentry: 'always' });
    const { json } = await world.enroll(bare(PEOPLE), ALONE, stoppedAfterPost(1));
    const { own, other } = await together(
      (run) => world.svc('runs resume', run),
      1,
      () => world.svc(`runs resume ${json.run} --wait 10m`),
    );
    expect([own.code, other.code]).toEqual([EXIT.ok, EXIT.usage]);
    expect(other.err).toContain(`${json.run} is finished: there is nothing to continue\n  svc runs show ${json.run}`);
    const [run] = (await world.svc('runs ls --json')).json;
    expect([run.status, world.enrolled()]).toEqual(['completed', PEOPLE]);
  });

  test('does not resume a run killed before svc knew which run to continue (M5)', async () => {
    const world = await createAutomationWorld(PEOPLE, { reentry: 'always' });
    await world.enroll(bare(PEOPLE), ALONE, stoppedAfterPost(2));
    const state = join(world.folder, 'state', 'svc');
    const left = join(tempFolder(), 'left');
    // The command has compared its list with the unfinished run, and says so.
    const onEvent: RunOptions['onEvent'] = (event) => {
      if (event.type === 'note' && event.message.includes('older version')) {
        execFileSync('cp', ['-r', state, left]);
      }
    };
    await world.enroll(bare(PEOPLE.toReversed()), ALONE, { onEvent });
    const afterKill = (line: string) => world.svc(`${line} --state-dir ${left}`);
    const [killed, stopped] = (await afterKill('runs ls --json')).json;
    expect([killed.status, killed.finished, stopped.finished]).toEqual(['unfinished', true, false]);
    expect((await afterKill(`runs resume ${killed.run}`)).code).toBe(EXIT.usage);
    expect((await afterKill(`runs resume ${stopped.run}`)).code).toBe(EXIT.ok);
    expect((await afterKill(`runs resume ${killed.run}`)).code).toBe(EXIT.usage);
    expect(world.enrolled()).toEqual(PEOPLE);
  });
});
