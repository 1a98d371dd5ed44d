import { cpSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { splitShellText } from '../../../src/base/lib/text.ts';
import { stoppedAt } from '../../support/stopped-at.ts';
import { type AutomationWorld, addresses, bare, counts, createAutomationWorld } from './support.ts';

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

test('svc runs resolve records no decision when the ledger was removed (M5)', async () => {
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

test('enrolls when no ledger exists and the earlier run sent nothing (M5)', async () => {
  const world = await createWorld();
  world.emulator.admin.setAutomationStatus(world.automation, 'archived');
  expect((await world.enroll(bare(PEOPLE))).code).toBe(5);
  world.emulator.admin.setAutomationStatus(world.automation, 'active');
  await loseLedgers(world);
  expect([(await world.enroll(bare(PEOPLE))).code, world.enrolled()]).toEqual([0, PEOPLE]);
});

/** Enrolls people of two lists. Then restores the ledger as it was between the two, and a day passes. */
async function restoreOlderLedger(second: (world: AutomationWorld) => Promise<unknown>): Promise<AutomationWorld> {
  const world = await createAutomationWorld(addresses(6), { reentry: 'always' });
  await world.enroll(bare(PEOPLE));
  const [ledgers, backup] = [join(world.folder, 'state', 'svc', 'ledgers'), join(world.folder, 'backup')];
  cpSync(ledgers, backup, { recursive: true });
  await second(world);
  rmSync(ledgers, { recursive: true });
  cpSync(backup, ledgers, { recursive: true });
  await world.clock.advance(25 * 3_600_000);
  return world;
}

const NEWER = bare(addresses(3, 3));

test('enrolls no person again when the ledger is older than a run (M5)', async () => {
  const world = await restoreOlderLedger((inner) => inner.enroll(NEWER));
  for (const words of [['--dry-run'], []]) {
    const { code, err } = await world.enroll(NEWER, words);
    const { error } = JSON.parse(err);
    expect([code, error.code, world.enrolled()]).toEqual([5, 'lost_ledger', addresses(6)]);
    expect(error.message).toContain('is older than');
    expect(error.hint).toMatch(/^Restore the newest copy of .*\/ledgers from a backup\.\n/);
  }
  const [{ run }] = (await world.svc('runs ls --json')).json;
  expect((await world.svc(`runs resolve ${run} --all enrolled --json`)).code).toBe(5);
});

test('a resume enrolls only the rest when an older ledger is restored (M5)', async () => {
  let requests = 0;
  const isThird = ({ url }: { url: URL }) => url.pathname.endsWith('/enroll') && ++requests === 3;
  const world = await restoreOlderLedger((inner) =>
    inner.enroll(NEWER, ['--concurrency', '1'], stoppedAt('no route', isThird)),
  );
  expect([(await world.svc('runs resume --json')).code, world.enrolled()]).toEqual([0, addresses(6)]);
  await world.clock.advance(25 * 3_600_000);
  const { code, err } = await world.enroll(bare(addresses(2, 3)));
  expect([code, JSON.parse(err).error.code, world.enrolled()]).toEqual([5, 'lost_ledger', addresses(6)]);
});

test('enrolls people when the run that is newer than the ledger was deleted', async () => {
  const world = await restoreOlderLedger((inner) => inner.enroll(NEWER));
  const { error } = JSON.parse((await world.enroll(NEWER)).err);
  const command = error.hint.split('\n').at(-1);
  expect((await world.svc(splitShellText(command).slice(1))).code).toBe(0);
  expect((await world.enroll(NEWER)).code).toBe(0);
});

test.each([[[]], [['--reenroll']]])(
  'reports no lost ledger after a run with flags %j and a dry run (M5)',
  async (words) => {
    const world = await createAutomationWorld(addresses(6), { reentry: 'always' });
    await world.enroll(bare(PEOPLE));
    await world.enroll(bare(PEOPLE), words);
    await world.enroll(bare(addresses(4)), ['--dry-run']);
    await world.clock.advance(25 * 3_600_000);
    const { code, json } = await world.enroll(bare(addresses(4)));
    expect([code, json.rows.enrolled]).toEqual([0, 1]);
  },
);

test('enrolls only new people when run and ledger are of an older svc', async () => {
  const world = await createAutomationWorld(addresses(6), { reentry: 'always' });
  const { json } = await world.enroll(bare(PEOPLE));
  const db = new DatabaseSync(join(world.folder, 'state/svc/runs', json.run, 'run.db'));
  expect(db.prepare("DELETE FROM meta WHERE key = 'note.ledger_mark'").run().changes).toBe(1);
  db.close();
  const [name = ''] = readdirSync(join(world.folder, 'state/svc/ledgers')).filter((file) => file.endsWith('.db'));
  const ledger = new DatabaseSync(join(world.folder, 'state/svc/ledgers', name));
  ledger.exec('DROP TABLE marks');
  ledger.close();
  expect(counts((await world.enroll(bare(addresses(6)))).json.rows)).toEqual({ read: 6, enrolled: 3, skipped: 3 });
});
