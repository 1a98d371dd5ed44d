import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Finding } from '../../../src/base/finding.ts';
import type { CommandResult, RunOptions } from '../../support/world.ts';
import { type AutomationWorld, addresses, bare, createAutomationWorld } from '../enroll/support.ts';

const PEOPLE = addresses(2);
const createWorld = () => createAutomationWorld(PEOPLE, { reentry: 'always' });
const enroll = (world: AutomationWorld, words: readonly string[], run: RunOptions) =>
  world.enroll(bare(PEOPLE), ['--yes', ...words], run);

function folderOf(world: AutomationWorld, name: string): string {
  const folder = join(world.folder, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** The warnings about the state folder, in the report of an enrollment. */
function warningsOf({ json }: CommandResult): Finding[] {
  return json.findings.filter(({ check }: Finding) => check === 'relative_state_folder');
}

test.each([
  ['--state-dir', ['--state-dir', 'state'], {}],
  ['SVC_STATE_DIR', [], { SVC_STATE_DIR: 'state' }],
] as const)('warns when %s is relative and has no record of the automation (M5)', async (_, words, env) => {
  const world = await createWorld();
  const [first, second] = ['first', 'second'].map((name) => ({ cwd: folderOf(world, name), env }));
  const [warning] = warningsOf(await enroll(world, words, first ?? {}));
  const place = join(world.folder, 'first', 'state');
  expect(warning?.message).toContain(
    `the state folder state depends on the working folder, and ${place} has no record`,
  );
  expect(warning?.hint).toContain(`--state-dir ${place}`);
  // The folder has a record now, so its relative name does no harm. In another working folder it is another folder.
  expect(warningsOf(await enroll(world, words, first ?? {}))).toEqual([]);
  expect(warningsOf(await enroll(world, [...words, '--dry-run'], second ?? {}))).toHaveLength(1);
});

test('does not warn about the state folder when it is absolute (M5)', async () => {
  const world = await createWorld();
  expect(warningsOf(await enroll(world, [], {}))).toEqual([]);
});
