import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { splitShellText } from '../../../src/base/lib/text.ts';
import type { CommandResult, RunOptions } from '../../support/world.ts';
import { type AutomationWorld, addresses, bare, createAutomationWorld } from '../enroll/support.ts';

const PEOPLE = addresses(2);
const MORE_THAN_A_DAY = 25 * 3_600_000;
const createWorld = () => createAutomationWorld(PEOPLE, { reentry: 'always' });
const enroll = (world: AutomationWorld, words: readonly string[], run: RunOptions) =>
  world.enroll(bare(PEOPLE), ['--yes', ...words], run);

function folderOf(world: AutomationWorld, name: string): string {
  const folder = join(world.folder, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

function refusalOf({ code, err }: CommandResult) {
  const { error } = JSON.parse(err);
  return { code, id: error.code, message: String(error.message), lines: String(error.hint).split('\n') };
}

const NAMED = [
  ['--state-dir', ['--state-dir', 'state'], {}],
  ['SVC_STATE_DIR', [], { SVC_STATE_DIR: 'state' }],
] as const;

test.each(NAMED)('enrolls no person again when a relative %s is another folder (M5)', async (_, words, env) => {
  const world = await createWorld();
  const [first, second] = ['first', 'second'].map((name) => ({ cwd: folderOf(world, name), env }));
  const refusal = refusalOf(await enroll(world, words, first ?? {}));
  expect([refusal.code, refusal.id, world.enrolled()]).toEqual([2, 'relative_state_folder', []]);
  const place = join(world.folder, 'first', 'state');
  expect(refusal.message).toContain(`the state folder state depends on the working folder, and ${place} has no`);
  const command = splitShellText(refusal.lines.at(-1) ?? '').slice(1);
  expect(command.slice(-2)).toEqual(['--state-dir', place]);
  expect((await world.svc(command, first)).code).toBe(0);
  expect(world.enrolled()).toEqual(PEOPLE);
  await world.clock.advance(MORE_THAN_A_DAY);
  // The folder has a record now, so its relative name does no harm. From another working folder it is refused.
  expect((await enroll(world, words, first ?? {})).code).toBe(0);
  expect(refusalOf(await enroll(world, words, second ?? {})).id).toBe('relative_state_folder');
  expect(world.enrolled()).toEqual(PEOPLE);
});

test('refuses a dry run too when the state folder is relative (M5)', async () => {
  const world = await createWorld();
  for (const words of [['--dry-run'], []]) {
    const result = await enroll(world, ['--state-dir', 'state', ...words], {});
    expect([result.code, refusalOf(result).id]).toEqual([2, 'relative_state_folder']);
  }
});

test.each([
  ['--reenroll is given', ['--reenroll']],
  ['an emulator inside the command is the service', ['--emulator']],
])('takes a relative state folder when %s', async (_, words) => {
  const world = await createWorld();
  const { err } = await enroll(world, ['--state-dir', 'state', ...words], {});
  expect(err).not.toContain('relative_state_folder');
});

test('takes a relative state folder when the command imports contacts', async () => {
  const world = await createWorld();
  const list = world.file('list.csv', bare(PEOPLE));
  const line = ['contacts', 'import', list, '--default-status', 'subscribed', '--yes', '--state-dir', 'state'];
  expect((await world.svc(line)).code).toBe(0);
});
