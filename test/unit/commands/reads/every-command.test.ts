import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { createProgram } from '../../../../src/cli.ts';
import { smallWorld } from './failing-reads.ts';

/** Commands that read nothing from the service, as lines. */
const WITHOUT_READS = [
  'auth logout',
  'auth status',
  'completion bash',
  'emulator quirks',
  'help exit-codes',
  'runs delete latest',
  'runs ls',
  'runs prune --older-than 1d',
  'runs resolve latest --all enrolled',
  'runs show latest',
  'webhooks verify --secret-file secret --signature t=1,v1=00',
];

/** Commands that ask other programs, or that other programs ask. */
const ELSEWHERE = ['emulator start', 'mcp call', 'mcp ls', 'webhooks listen'];

test('every command has test cases with failing reads, or is an exception', async () => {
  const folder = join(import.meta.dirname, 'expected');
  const tables = readdirSync(folder).flatMap(
    (name) => readFileSync(join(folder, name), 'utf8').match(/^\$ .*/gm) ?? [],
  );
  const host = { context: { stdout: { write: () => undefined } }, finish: () => undefined } as never;
  const known = [...tables.map((title) => title.slice(2)), ...WITHOUT_READS, ...ELSEWHERE];
  const missing = pathsOf(await createProgram(host)).filter(
    (path) => !known.some((line) => `${line} `.startsWith(`${path} `)),
  );
  expect(missing).toEqual([]);
});

test.each(WITHOUT_READS)('the command sends no request to the service: %s', async (line) => {
  const world = await smallWorld();
  world.file('secret', 'whsec_x');
  world.file('list.csv', 'email,status\nnia@example.com,subscribed\n');
  if (line.startsWith('runs')) {
    await world.svc('migrate list.csv --no-verify --json');
    world.requests();
  }
  const { code } = await world.svc(line);
  expect(world.requests()).toEqual([]);
  expect(code).not.toBe(70);
});

function pathsOf(command: Command, path: readonly string[] = []): string[] {
  const verbs = command.commands.filter((child) => !child.name().startsWith('_'));
  return verbs.length === 0 ? [path.join(' ')] : verbs.flatMap((child) => pathsOf(child, [...path, child.name()]));
}
