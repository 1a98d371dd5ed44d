import { expect, test } from 'vitest';
import { asStarted } from '../../../src/commands/framework/output/paste.ts';
import { createWorld } from '../../support/world.ts';

const STARTED = [
  '--state-dir',
  'my state',
  'migrate',
  'list.csv',
  '--base-url=https://mail.example.com',
  '--',
  '--profile',
  'x',
];

test.each([
  [
    'Then: svc runs resume run_1',
    `Then: svc --base-url https://mail.example.com --state-dir 'my state' runs resume run_1`,
  ],
  ['See: svc audiences ls', `See: svc --base-url https://mail.example.com --state-dir 'my state' audiences ls`],
  [
    'svc audiences create x. Then: svc runs resume run_1',
    `svc --base-url https://mail.example.com --state-dir 'my state' audiences create x. Then: svc --base-url https://mail.example.com --state-dir 'my state' runs resume run_1`,
  ],
  [
    `svc runs resume run_1 --state-dir other`,
    `svc --base-url https://mail.example.com runs resume run_1 --state-dir other`,
  ],
  ['the folder /srv/svc runs out of space', 'the folder /srv/svc runs out of space'],
  ['nothing to type here', 'nothing to type here'],
])('names account and state folder in the command of %j when the line had them', (text, expected) => {
  expect(asStarted(text, STARTED, { env: {}, cwd: '/' })).toBe(expected);
});

test('names npx in a command when npx started the program', () => {
  expect(asStarted('svc runs ls', [], { env: { npm_command: 'exec' }, cwd: '/' })).toBe('npx svc runs ls');
  expect(asStarted('npx svc runs ls', [], { env: { npm_command: 'exec' }, cwd: '/' })).toBe('npx svc runs ls');
});

test('prints a resume command that works when it is pasted after a run with --state-dir', async () => {
  const world = await createWorld();
  const list = world.file('list.csv', 'email,status\nann@example.com,subscribed\nno address,subscribed\n');
  const { out } = await world.svc(['migrate', list, '--yes', '--state-dir', 'elsewhere'], { columns: 100 });
  const command = /svc (--state-dir elsewhere runs show run_\w+)/.exec(out)?.[1];
  expect((await world.svc(command ?? '')).code).toBe(0);
});

test('names the file of the key in a command, but never a key that was typed in its place (K1)', () => {
  const started = (file: string) =>
    asStarted('svc runs ls', ['--api-key-file', file], { env: {}, cwd: import.meta.dirname });
  expect(started('paste.test.ts')).toBe('svc --api-key-file paste.test.ts runs ls');
  expect(started('sk_live_1')).toBe('svc runs ls');
});
