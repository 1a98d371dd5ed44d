import { expect, test } from 'vitest';
import { createWorld } from '../../../support/world.ts';

/** A usage error, and the command that its hint ends with. */
const MISTAKES = [
  ['migrate list.csv --max-failures x', 'svc migrate list.csv --max-failures 5%'],
  ['migrate list.csv --max-failures=200%', 'svc migrate list.csv --max-failures 5%'],
  ['migrate --max-wait 5 list.csv', 'svc migrate list.csv --max-wait 30m'],
  ['migrate list.csv --timezone Mars', 'svc migrate list.csv --timezone UTC'],
  ['migrate list.csv --encoding x', 'svc migrate list.csv --encoding utf-8'],
  ['migrate list.csv --delimiter ab', "svc migrate list.csv --delimiter ';'"],
  ['migrate list.csv --quote ab', `svc migrate list.csv --quote "'"`],
  ['contacts import list.csv --max-gone 3', 'svc contacts import list.csv --max-gone 3 --gone report'],
  ['emulator start --speed x', 'svc emulator start --speed 60'],
  ['webhooks listen', 'svc webhooks listen --port 8080'],
] as const;

test.each(MISTAKES)('a hint of %s ends with a command to paste', async (line, command) => {
  const world = await createWorld();
  world.file('list.csv', 'email,status\nann@example.com,subscribed\n');
  const { code, err } = await world.svc(line);
  const lines = err.replaceAll(' --yes', '').trimEnd().split('\n');
  expect([code, lines.at(-1)?.trim()]).toEqual([2, command]);
});

test('a sentence that begins with a flag is no command', async () => {
  const world = await createWorld();
  const { err } = await world.svc('webhooks create --url https://hooks.example.com/ --secret-file secret');
  expect(err).toContain('\n  --event takes one type');
});
