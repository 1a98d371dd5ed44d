import { expect, test } from 'vitest';
import { createWorld } from '../../support/world.ts';

const HEADER = 'email,first_name,company';

test.each([
  ['migrate', HEADER],
  ['migrate', `${HEADER}\n`],
  ['contacts import', `${HEADER}\r\n\r\n`],
  ['suppressions import', 'email,reason\n'],
])('sends nothing and gives no advice when %s reads a list without rows', async (command, text) => {
  const world = await createWorld();
  const line = [...command.split(' '), world.file('list.csv', text), '--yes'];

  const planned = await world.svc([...line, '--dry-run', '--json']);
  expect([planned.code, planned.json.status, planned.json.next]).toEqual([0, 'planned', []]);

  const { code, json } = await world.svc([...line, '--json']);
  expect([code, json.status, json.rows.read, json.next]).toEqual([0, 'completed', 0, []]);
  expect(world.requests().filter(({ method }) => method !== 'GET')).toEqual([]);
  const warned = json.findings.filter(({ level }: { level: string }) => level === 'warn');
  expect(warned.map(({ message }: { message: string }) => message)).toEqual([
    'the list holds no rows: there is a header and nothing below it',
  ]);

  const { err } = await world.svc(line);
  expect(err).toContain('Nothing was done: the list holds no rows.');
});

test.each([
  [['optouts.csv'], 'optouts.csv holds no rows: there is a header and nothing below it'],
  [['left.csv', 'gone.csv'], 'left.csv, gone.csv hold no rows: there is a header and nothing below it'],
])('warns when %s beside other inputs have no rows', async (names, message) => {
  const world = await createWorld();
  world.file('list.csv', 'email,status\na@example.com,subscribed\n');
  names.forEach((name) => world.file(name, 'email\n'));
  const { json } = await world.svc(['migrate', 'list.csv', ...names, '--dry-run', '--json']);
  const found = json.findings.filter(({ check }: { check: string }) => check === 'columns');
  expect(found.filter(({ level }: { level: string }) => level === 'warn')).toMatchObject([{ message }]);
});

test('gives no advice to send when no row of the list would be written', async () => {
  const world = await createWorld();
  const list = world.file('list.csv', 'email,status\na@example.com,pending\n');
  const { code, json } = await world.svc(['migrate', list, '--yes', '--json']);
  expect([code, json.rows.skipped, json.next]).toEqual([0, 1, []]);
});
