import { expect, test } from 'vitest';
import { splitShellText } from '../../../../../src/base/lib/text.ts';
import { withPasteableCommands } from '../../../../../src/commands/framework/output/command-to-paste.ts';
import { createWorld, type World } from '../../../../support/world.ts';

const pasted = (text: string, typed: string) =>
  withPasteableCommands(text, typed.split(' '), { env: {}, cwd: import.meta.dirname });

test.each([
  ['svc automations ls', 'svc --emulator automations ls'],
  ['See: svc doctor', 'See: svc --emulator doctor'],
  ['svc contacts check a.csv --emulator', 'svc contacts check a.csv --emulator'],
  ['svc audiences ls --base-url https://x.example', 'svc audiences ls --base-url https://x.example'],
  ['svc mcp ls --mcp-url https://x.example/mcp', 'svc mcp ls --mcp-url https://x.example/mcp'],
  // The store of that run is gone, and an emulator needs no login.
  ['svc runs resume run_1', 'svc runs resume run_1'],
  ['svc auth login', 'svc auth login'],
  ['svc help csv', 'svc help csv'],
])('a command line with --emulator prints %j as %j (K4)', (text, expected) => {
  expect(pasted(text, 'migrate list.csv --emulator')).toBe(expected);
  expect(pasted(text, '--emulator migrate list.csv -- x')).toBe(expected);
});

test('leaves --emulator out of a command when it was an argument or unneeded', () => {
  expect(pasted('svc automations ls', 'automations get -- --emulator')).toBe('svc automations ls');
  expect(pasted('svc automations ls', 'automations get x --emulator --emulator-data a')).toBe(
    'svc --emulator-data a automations ls',
  );
});

/** Runs a command at the service of this test, also with --emulator. */
function rehearse(world: World, words: readonly string[]) {
  const authorization = `Bearer ${world.emulator.apiKey}`;
  return world.svc(words, {
    transport: (inner) => ({
      close: () => inner.close(),
      send: (request, signal) => inner.send({ ...request, headers: { ...request.headers, authorization } }, signal),
    }),
  });
}

test.each([
  'automations enroll aut_nope --email a@example.com',
  'automations enroll Nope --email a@example.com',
  'audiences delete Newsletter',
  'mcp call service_enroll_in_automation --arguments {"automation_id":"aut_1","email":"a@example.com"}',
])('prints only commands for the emulator when a rehearsal fails: %s (K4)', async (line) => {
  const world = await createWorld();
  const { code, err } = await rehearse(world, [...line.split(' '), '--emulator', '--json']);
  const { message, hint = '' } = JSON.parse(err).error;
  const commands = [...`${message}\n${hint}`.matchAll(/\bsvc ((?:--|[a-z]+ )[^\n]*)/g)].map(([, rest = '']) => rest);
  expect([code, commands.length > 0]).toEqual([line.startsWith('mcp') ? 5 : 2, true]);
  expect(commands.filter((command) => !splitShellText(command).includes('--emulator'))).toEqual([]);
});
