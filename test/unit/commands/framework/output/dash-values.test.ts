import { expect, test } from 'vitest';
import { flagWords, shellArgument, shellFile, shellFlag, splitShellText } from '../../../../../src/base/lib/text.ts';
import { dropContraryFlags } from '../../../../../src/run-lifecycle/stops/drop-contrary-flags.ts';
import { type CommandResult, createWorld } from '../../../../support/world.ts';

/** The command in the last line of the hint, without `svc`. It is what a user would paste. */
function printedCommand({ err }: CommandResult): readonly string[] {
  const { hint } = JSON.parse(err).error;
  const [, command = ''] = /(?:^|.*: )svc (.*)$/.exec(String(hint).split('\n').at(-1) ?? '') ?? [];
  return splitShellText(command);
}

test.each([
  [shellFlag('--confirm', '--yes'), '--confirm=--yes'],
  [shellFlag('--confirm', '-a b'), "'--confirm=-a b'"],
  [shellFlag('--confirm', 'a b'), "--confirm 'a b'"],
  [shellArgument('--yes'), '-- --yes'],
  [shellArgument('a-b'), 'a-b'],
  [shellFile('-x.csv'), './-x.csv'],
  [shellFile('-'), '-'],
  [shellFile('a/-x.csv'), 'a/-x.csv'],
  [flagWords('--map', '--a=status').join(' '), '--map=--a=status'],
])('writes a value with a dash so that svc does not read a flag: %s', (written, expected) => {
  expect(written).toBe(expected);
});

test('drops --map=--a=status when the new answer is --map=--a=ignore', () => {
  expect(dropContraryFlags('--map=--a=status --map B=status', '--map=--a=ignore')).toBe('--map B=status');
});

test('prints a command that deletes an audience named like a flag', async () => {
  const world = await createWorld();
  const id = world.emulator.admin.createAudience('--yes');
  const refused = await world.svc(['audiences', 'delete', id, '--json']);
  expect(printedCommand(refused)).toEqual(['audiences', 'delete', id, '--confirm=--yes']);
  expect((await world.svc(printedCommand(refused))).code).toBe(0);
});

test('prints a command that creates an audience named like a flag', async () => {
  const world = await createWorld();
  world.file('a.csv', 'email,status\nana@example.com,subscribed\n');
  const refused = await world.svc('contacts import a.csv --audience=--yes --json');
  expect(printedCommand(refused)).toContain('--audience-name=--yes');
  expect((await world.svc(printedCommand(refused))).code).toBe(0);
  expect(world.emulator.admin.audiences().map(({ name }) => name)).toContain('--yes');
});

test('prints a command that stores a profile named like a flag', async () => {
  const world = await createWorld();
  const refused = await world.svc('audiences ls --profile=--yes --json');
  expect(printedCommand(refused)).toEqual(['auth', 'login', '--profile=--yes']);
  const stored = await world.svc(printedCommand(refused), { stdin: world.emulator.apiKey, env: { SVC_API_KEY: '' } });
  expect(stored.code).toBe(0);
  const listed = await world.svc('audiences get aud_x --profile=--yes --json', { env: { SVC_API_KEY: '' } });
  expect(JSON.parse(listed.err).error.code).toBe('not_found');
});

test('prints a command that imports a file named like a flag', async () => {
  const world = await createWorld();
  world.file('-x.csv', 'email,status\nana@example.com,subscribed\n');
  const automation = world.emulator.admin.createAutomation({ name: 'Join', trigger: 'audience_join' });
  const words = ['automations', 'enroll', automation, '--create-contacts', '--json', '--', '-x.csv'];
  const { err, out } = await world.svc(words);
  const [command = ''] = /svc contacts import \.\/-x\.csv --audience [\w-]+/.exec(err + out) ?? [];
  const allowed = [...splitShellText(command).slice(1), '--allow-automation', automation];
  expect((await world.svc(allowed)).code).toBe(0);
});

test('accepts an audience name like a flag when -- comes before it', async () => {
  const world = await createWorld();
  for (const command of [
    `svc audiences create ${shellArgument('--yes')}`,
    `svc audiences rename ${world.emulator.audienceId} ${shellArgument('-q')}`,
  ]) {
    expect((await world.svc(splitShellText(command).slice(1))).code).toBe(0);
  }
  expect(
    world.emulator.admin
      .audiences()
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(['--yes', '-q']);
});
