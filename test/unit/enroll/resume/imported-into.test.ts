import { expect, test } from 'vitest';
import { afterPost } from '../../../support/after-post.ts';
import { createWorld } from '../../../support/world.ts';
import { addresses, bare, createAutomationWorld } from '../support.ts';

const LIST = 'email,status\nperson0@example.com,subscribed\nperson1@example.com,subscribed\n';

/** A test setup in which an import put the people of `LIST` into the automation. */
async function importedWorld(command: 'contacts import' | 'migrate' = 'contacts import') {
  const world = await createAutomationWorld([], { trigger: 'audience_join', reentry: 'always' });
  const list = world.file('list.csv', LIST);
  const imported = await world.svc([...command.split(' '), list, '--allow-automation', world.automation, '--json']);
  return { ...world, imported };
}

test.each(['contacts import', 'migrate'] as const)('stops when %s put people into the automation (M5)', async (by) => {
  const world = await importedWorld(by);

  const dry = await world.enroll(LIST, ['--dry-run']);
  const stopped = await world.enroll(LIST);
  const { error } = JSON.parse(stopped.err);

  expect([world.imported.code, dry.code, stopped.code, error.code]).toEqual([0, 5, 5, 'imported_into']);
  expect(error.message).toContain(`${world.imported.json.run} imported 2 people for whom "Welcome" started`);
  expect(error.hint).toMatch(
    /^Only if none of them is in this list, .*twice:\nsvc .*automations enroll .* --allow-auto/,
  );
  expect(world.enrolled()).toEqual(addresses(2));
});

test('enrolls each person once when --allow-automation is repeated (M5)', async () => {
  const world = await importedWorld();
  world.emulator.admin.addContacts([{ email: 'person7@example.com' }]);
  const list = bare(['person7@example.com']);
  const before = world.enrolled().length;

  const first = await world.enroll(list, ['--allow-automation', world.automation]);
  const second = await world.enroll(list, ['--allow-automation', world.automation]);

  expect([first.code, second.code, world.enrolled().length - before]).toEqual([0, 0, 1]);
  expect(first.json.findings).toContainEqual(expect.objectContaining({ check: 'imported_into', level: 'warn' }));
});

test('--reenroll enrolls people whom an import put into the automation (M5)', async () => {
  const world = await importedWorld();
  const { code } = await world.enroll(LIST, ['--reenroll']);
  expect([code, world.enrolled()]).toEqual([0, [...addresses(2), ...addresses(2)]]);
});

test.each([
  ['the import created no contact', addresses(2), 'audience_join'],
  ['the automation did not start as people joined', [], 'api'],
] as const)('does not stop an enrollment after an import when %s (M5)', async (_, members, trigger) => {
  const world = await createAutomationWorld(members, { trigger, reentry: 'always' });
  const allow = trigger === 'api' ? [] : ['--allow-automation', world.automation];
  await world.svc(['contacts', 'import', world.file('list.csv', LIST), '--json', ...allow]);
  const { code, json } = await world.enroll(LIST);
  expect([code, json.rows.enrolled]).toEqual([0, 2]);
});

test('stops when an earlier --create-contacts started the automation (M5)', async () => {
  const world = await createAutomationWorld([], { reentry: 'always' });
  const other = world.emulator.admin.createAutomation({ name: 'Joined', trigger: 'audience_join', reentry: 'always' });
  const list = world.file('list.csv', LIST);
  const created = await world.enroll(LIST, ['--create-contacts', '--plan', 'paid', '--allow-automation', other]);
  const stopped = await world.svc(['automations', 'enroll', other, list, '--json']);
  const own = await world.enroll(bare(['person9@example.com']));
  expect([created.code, stopped.code, own.code]).toEqual([0, 5, 0]);
});

test('stops when the automation was created during an import (M5)', async () => {
  const world = await createWorld();
  const list = world.file('list.csv', LIST);
  const created: string[] = [];
  const create = () => created.push(world.emulator.admin.createAutomation({ trigger: 'audience_join' }));
  const imported = await world.svc(['contacts', 'import', list, '--json'], afterPost(1, create));
  const stopped = await world.svc(['automations', 'enroll', created[0] ?? '', list, '--json']);
  expect([imported.code, stopped.code]).toEqual([0, 5]);
});
