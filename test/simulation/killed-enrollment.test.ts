import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { unfinishedRuns } from '../../src/runs/find/list.ts';
import { watchDisk } from './creations/disk.ts';
import { type ProgramHome, runAt } from './creations/program.ts';
import { createScenario } from './creations/scenario.ts';
import { openService, type Service } from './creations/service.ts';
import { createFolder } from './folder.ts';
import { forget } from './killer.ts';
import { passTime } from './pass-time.ts';
import { preload } from './preload.ts';

const PEOPLE = ['ana@example.com', 'bo@example.com', 'cy@example.com'];

/** Enrolls people with a program that is killed, deletes its run, and enrolls the same people with a new run. */
async function play(service: Service, home: ProgramHome, killAt: number) {
  const { admin } = service.emulator;
  admin.addContacts(PEOPLE.map((email) => ({ email })));
  const flow = admin.createAutomation({ reentry: 'always' });
  const command = ['automations', 'enroll', flow, 'list.csv', '--yes', '--plan', 'paid', '--concurrency', '2'];
  const { code, touches } = await runAt(home, { killAt }, command);
  const [run] = unfinishedRuns(home.state);
  // A run with unknown outcomes is not deleted without a decision, so its people may be missing.
  const isDeleted = run === undefined || (await runAt(home, {}, ['runs', 'delete', run.run])).code === 0;
  await runAt(home, {}, command);
  const enrolled = admin.enrollments(flow).map(({ email }) => email);
  return {
    killed: code === 'killed',
    touches,
    missing: isDeleted ? PEOPLE.filter((email) => !enrolled.includes(email)) : [],
    twice: enrolled.filter((email, at) => enrolled.indexOf(email) !== at),
  };
}

async function killedAt(killAt: number) {
  const folder = createFolder();
  const disk = watchDisk();
  const scenario = { ...createScenario(1), kind: 'audience', faults: [], variants: {}, prior: 0 } as const;
  const service = await openService(scenario, scenario.random.fork(), undefined);
  try {
    const place = mkdtempSync(join(folder, 'desk-'));
    writeFileSync(join(place, 'list.csv'), `email\n${PEOPLE.join('\n')}\n`);
    const home: ProgramHome = {
      folder: place,
      state: join(place, 'state'),
      apiKey: service.emulator.apiKey,
      clock: service.clock,
      skewMs: 0,
      terminal: false,
      random: scenario.random.fork(),
      disk,
      open: (death) => service.open(false, death),
    };
    return await passTime(service.clock, play(service, home, killAt));
  } finally {
    await service.close();
    disk.release();
    forget(folder);
  }
}

beforeAll(preload);

test(
  'enrolls each person once when a run is killed anywhere and deleted, and another run follows (M5, D1)',
  {
    timeout: 240_000,
  },
  async () => {
    const broken: string[] = [];
    const undisturbed = await killedAt(Number.POSITIVE_INFINITY);
    // In its first half a run reads the list and the account, and sends nothing.
    let killAt = Math.floor(undisturbed.touches / 2);
    for (let killed = true; killed; killAt += 1) {
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
