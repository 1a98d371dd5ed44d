import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createWorld } from '../../../support/world.ts';

const IMPORTS = ['migrate list.csv', 'contacts import list.csv', 'suppressions import list.csv --reason bounced'];
const IMPORT_FLAGS = ['--report', '--report-html', '--save-mapping', '--log-file'];
const LINES = [
  ...IMPORTS.flatMap((line) => IMPORT_FLAGS.map((flag) => [line, flag] as const)),
  ...['--output', '--save-mapping', '--log-file'].map((flag) => ['contacts check list.csv', flag] as const),
  ['runs verify', '--output'],
  ['contacts export', '--cursor-file'],
  ['webhooks create --url https://hooks.example.com/in --event email.sent', '--secret-file'],
] as const;

test.each(LINES)('%s refuses %s -, and writes no file of that name (K8)', async (line, flag) => {
  const world = await createWorld();
  world.file('list.csv', 'email,status\nana@example.com,subscribed\n');
  if (line === 'runs verify') {
    await world.svc('migrate list.csv');
    world.requests();
  }
  // The export reports on stdout, and so it needs a file.
  const { code, err } = await world.svc(
    `${line} ${flag} - --json${line === 'contacts export' ? ' --output a.csv' : ''}`,
  );
  expect([code, JSON.parse(err).error]).toMatchObject([
    2,
    { code: 'bad_output', message: expect.stringContaining(flag) },
  ]);
  expect([existsSync(join(world.folder, '-')), world.requests()]).toEqual([false, []]);
  expect(JSON.parse(err).error.hint.includes('standard output')).toBe(flag === '--report');
});

test('contacts export writes to stdout when --output is a dash', async () => {
  const world = await createWorld({ seed: { contacts: [{ email: 'ana@example.com' }] } });
  const plain = await world.svc('contacts export');
  expect(await world.svc('contacts export --output -')).toMatchObject({ code: 0, out: plain.out });
  expect(plain.out).toContain('ana@example.com');
  expect((await world.svc('contacts export --output - --json')).code).toBe(2);
  expect(existsSync(join(world.folder, '-'))).toBe(false);
});
