import { readdirSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stoppedAt } from '../../support/stopped-at.ts';
import { type AutomationWorld, addresses, bare, createAutomationWorld } from './support.ts';

const PEOPLE = addresses(3);

/** An automation that people may enter again, so that the service refuses no second enrollment. */
function createWorld(): Promise<AutomationWorld> {
  return createAutomationWorld(PEOPLE, { reentry: 'always' });
}

/** Removes the ledgers of the state folder. The runs stay. A day later the service has forgotten their keys. */
async function loseLedgers(world: AutomationWorld): Promise<void> {
  rmSync(join(world.folder, 'state', 'svc', 'ledgers'), { recursive: true });
  await world.clock.advance(25 * 3_600_000);
}

test('enrolls no person again when the ledger was removed (M5)', async () => {
  const world = await createWorld();
  await world.enroll(bare(PEOPLE));
  await loseLedgers(world);
  for (const words of [['--dry-run'], []]) {
    const { code, err } = await world.enroll(bare(PEOPLE), words);
    const { error } = JSON.parse(err);
    expect([code, error.code, world.enrolled()]).toEqual([5, 'lost_ledger', PEOPLE]);
    expect(error.hint).toMatch(/^Restore the folder "ledgers" of .* from a backup\.\nOnly to .*: --reenroll$/);
  }
  expect((await world.enroll(bare(PEOPLE), ['--reenroll'])).code).toBe(0);
  expect(world.enrolled()).toHaveLength(6);
});

test('enrolls no person again when the ledger is an empty file (M5)', async () => {
  const world = await createWorld();
  await world.enroll(bare(PEOPLE));
  const folder = join(world.folder, 'state', 'svc', 'ledgers');
  readdirSync(folder).forEach((name) => truncateSync(join(folder, name)));
  await world.clock.advance(25 * 3_600_000);
  const { code, err } = await world.enroll(bare(PEOPLE));
  expect([code, JSON.parse(err).error.code, world.enrolled()]).toEqual([5, 'lost_ledger', PEOPLE]);
});

test('resumes no run when the ledger was removed (M5)', async () => {
  const world = await createWorld();
  let requests = 0;
  const isSecond = ({ url }: { url: URL }) => url.pathname.endsWith('/enroll') && ++requests === 2;
  await world.enroll(bare(PEOPLE), [], stoppedAt('response lost', isSecond));
  const before = world.enrolled();
  await loseLedgers(world);
  expect([(await world.svc('runs resume --json')).code, world.enrolled()]).toEqual([5, before]);
});

test('records no decision when the ledger was removed (M5)', async () => {
  const world = await createWorld();
  const match = { route: 'POST /v1/automations/*/enroll' };
  world.emulator.admin.addFault({ kind: 'reset', when: 'after', after: 1, match });
  const { json } = await world.enroll(bare(PEOPLE));
  world.emulator.admin.clearFaults();
  await loseLedgers(world);
  const resolve = `runs resolve ${json.run} --all not-enrolled --json`;
  expect([json.rows.unknown, (await world.svc(resolve)).code]).toEqual([2, 5]);
  expect([(await world.enroll(bare(PEOPLE))).code, world.enrolled()]).toEqual([5, PEOPLE]);
});

test('enrolls people without a ledger when the earlier run sent nothing (M5)', async () => {
  const world = await createWorld();
  world.emulator.admin.setAutomationStatus(world.automation, 'archived');
  expect((await world.enroll(bare(PEOPLE))).code).toBe(5);
  world.emulator.admin.setAutomationStatus(world.automation, 'active');
  await loseLedgers(world);
  expect([(await world.enroll(bare(PEOPLE))).code, world.enrolled()]).toEqual([0, PEOPLE]);
});
