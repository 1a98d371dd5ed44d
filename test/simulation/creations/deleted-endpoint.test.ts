import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFolder } from '../folder.ts';
import { forget } from '../killer.ts';
import { passTime } from '../pass-time.ts';
import { preload } from '../preload.ts';
import { readSecret } from './check-said.ts';
import { watchDisk } from './disk.ts';
import { secretFile } from './person.ts';
import { type Desk, runAt } from './program.ts';
import { createScenario } from './scenario.ts';
import { EVENTS, openService, type Service, URL_OF_ALL } from './service.ts';

const TAG = 'First 1';
const CREATE = ['webhooks', 'create', '--url', URL_OF_ALL, '--event', EVENTS[0]!, '--secret-file', secretFile(TAG)];

/** Creates an endpoint whose response is lost, deletes the endpoint, and resumes: once with a kill, once without. */
async function play(service: Service, desk: Desk, killAt: number) {
  const { admin } = service.emulator;
  admin.addFault({ kind: 'reset', when: 'after', match: { route: 'POST /v1/webhooks' } });
  await runAt(desk, {}, CREATE);
  admin.clearFaults();
  service.things().forEach(({ id }) => admin.deleteWebhook(id));
  const { code } = await runAt(desk, { killAt }, ['runs', 'resume']);
  await runAt(desk, {}, ['runs', 'resume']);
  // A resume whose key was given up creates the endpoint anew.
  const secrets = ['', ...service.things().map(({ secret }) => secret)];
  return { killed: code === 'killed', isKept: !secrets.includes(readSecret(desk, TAG)) };
}

async function resumeKilledAt(killAt: number) {
  const folder = createFolder();
  const disk = watchDisk();
  const scenario = { ...createScenario(1), kind: 'webhook' as const, faults: [], variants: {}, prior: 0 };
  const service = await openService(scenario, scenario.random.fork(), undefined);
  try {
    const place = mkdtempSync(join(folder, 'desk-'));
    const desk: Desk = {
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
    return await passTime(service.clock, play(service, desk, killAt));
  } finally {
    await service.close();
    disk.release();
    forget(folder);
  }
}

test('keeps no secret of a deleted endpoint wherever a resume is killed (W1, D1)', { timeout: 120_000 }, async () => {
  await preload();
  const kept: number[] = [];
  let killed = true;
  let killAt = 0;
  while (killed) {
    killAt += 1;
    const resumed = await resumeKilledAt(killAt);
    killed = resumed.killed;
    kept.push(...(resumed.isKept ? [killAt] : []));
  }
  expect(killAt).toBeGreaterThan(20);
  expect(kept).toEqual([]);
});
