import { beforeAll, expect, test } from 'vitest';
import { unfinishedRuns } from '../../src/runs/find/list-runs.ts';
import { preload } from '../support/node/preload.ts';
import { stepOf } from '../support/sweep.ts';
import { playWithoutFaults } from './creations/home.ts';
import { type ProgramHome, runAt } from './creations/program.ts';
import type { Service } from './creations/service.ts';

const PEOPLE = ['ana@example.com', 'bo@example.com', 'cy@example.com'];

/** Enrolls people with a program that is killed, deletes its run, and enrolls the same people with a new run. */
async function play(service: Service, home: ProgramHome, killAt: number) {
  const { admin } = service.emulator;
  admin.addContacts(PEOPLE.map((email) => ({ email })));
  const automation = admin.createAutomation({ reentry: 'always' });
  const command = ['automations', 'enroll', automation, 'list.csv', '--yes', '--plan', 'paid', '--concurrency', '2'];
  const { code, touches } = await runAt(home, { killAt }, command);
  const [run] = unfinishedRuns(home.state);
  // A run with unknown outcomes is not deleted without a decision, so its people may be missing.
  const isDeleted = run === undefined || (await runAt(home, {}, ['runs', 'delete', run.run])).code === 0;
  await runAt(home, {}, command);
  const enrolled = admin.enrollments(automation).map(({ email }) => email);
  return {
    killed: code === 'killed',
    touches,
    missing: isDeleted ? PEOPLE.filter((email) => !enrolled.includes(email)) : [],
    twice: enrolled.filter((email, at) => enrolled.indexOf(email) !== at),
  };
}

function killedAt(killAt: number) {
  const stage = { kind: 'audience', terminal: false, list: `email\n${PEOPLE.join('\n')}\n` } as const;
  return playWithoutFaults(stage, (service, home) => play(service, home, killAt));
}

beforeAll(preload);

test(
  'enrolls each person once when a run is killed and deleted (M5, D1)',
  {
    timeout: 240_000,
  },
  async () => {
    const broken: string[] = [];
    const undisturbed = await killedAt(Number.POSITIVE_INFINITY);
    // In its first half a run reads the list and the account, and sends nothing.
    let killAt = Math.floor(undisturbed.touches / 2);
    for (let killed = true; killed; killAt += stepOf(7)) {
      const played = await killedAt(killAt);
      killed = played.killed;
      broken.push(...played.missing.map((email) => `${email} is missing after touch ${killAt}`));
      broken.push(...played.twice.map((email) => `${email} is enrolled twice after touch ${killAt}`));
    }
    expect(undisturbed.killed).toBe(false);
    expect(killAt).toBeGreaterThan(undisturbed.touches);
    expect(broken).toEqual([]);
  },
);
