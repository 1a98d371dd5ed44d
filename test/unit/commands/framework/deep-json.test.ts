import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createWorld } from '../../../support/world.ts';

// A recursive reader or writer overflows the stack far earlier.
const DEEP = `${'{"a":['.repeat(50_000)}${']}'.repeat(50_000)}`;

test.each([
  ['--mapping', 'migrate list.csv --mapping deep.json'],
  ['--cursor-file', 'contacts export --output contacts.csv --cursor-file deep.json'],
  ['--seed', 'emulator start --port 0 --seed deep.json'],
  ['--faults', 'emulator start --port 0 --faults deep.json'],
  ['--arguments', `mcp call service_list_audiences --mcp-url https://mcp.example.com/ --arguments ${DEEP}`],
])('refuses JSON that is nested 100,000 deep in %s (O3)', async (_, line) => {
  const world = await createWorld();
  world.file('list.csv', 'email\nana@example.com\n');
  world.file('deep.json', DEEP);
  const { code, err } = await world.svc(line);
  expect([code, err.slice(0, 5)], err.slice(0, 500)).toEqual([2, 'svc: ']);
});

test('refuses a file of profiles that is nested 100,000 deep (O3)', async () => {
  const world = await createWorld();
  mkdirSync(join(world.folder, 'config/svc'), { recursive: true });
  writeFileSync(join(world.folder, 'config/svc/config.json'), `{"profiles":{"default":{"x":${DEEP}}}}`);
  expect(await world.svc('auth status')).toMatchObject({ code: 2, err: expect.stringContaining('not JSON') });
});

test.each([
  ['a column of consent', 'email,Consent'],
  ['a column of Klaviyo', 'Email,Klaviyo ID,Email Suppressions,Email Marketing Consent'],
])('ends without a crash when a cell is nested 100,000 deep: %s (O3)', async (_, header) => {
  const world = await createWorld();
  const cells = header.split(',').map((__, at) => (at === 0 ? 'ana@example.com' : `"${DEEP.replaceAll('"', '""')}"`));
  world.file('list.csv', `${header}\n${cells.join(',')}\n`);
  const { code, err } = await world.svc('migrate list.csv --dry-run');
  expect([0, 2, 5], err.slice(0, 500)).toContain(code);
});
