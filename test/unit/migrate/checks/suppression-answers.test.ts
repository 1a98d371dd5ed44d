import { expect, test } from 'vitest';
import { createWorld } from '../../../support/world.ts';

test('offers =suppressed when suppressions import asks about a word (C5)', async () => {
  const world = await createWorld();
  const list = world.file('left.csv', 'email,status\na@example.com,zork\nb@example.com,bounced\n');
  const line = ['suppressions', 'import', list, '--yes'];

  const stopped = await world.svc([...line, '--json']);
  const [stop] = stopped.json.findings.filter(({ level }: { level: string }) => level === 'stop');
  expect([stopped.code, stop.check, stop.flags]).toEqual([5, 'unknown_status', '--status-map zork=skip']);
  const flags = stop.otherwise.map((answer: { flags: string }) => answer.flags).join('\n');
  expect(flags).toContain('--status-map zork=suppressed');
  expect(flags).not.toContain('=unsubscribed');

  const { code, json } = await world.svc([...line, '--status-map', 'zork=suppressed', '--json']);
  expect([code, json.rows]).toMatchObject([0, { suppressed: 2, unsent: 0 }]);
});

test('offers =unsubscribed when migrate asks about an unknown word (G11)', async () => {
  const world = await createWorld();
  const list = world.file('left.csv', 'email,status\na@example.com,zork\nb@example.com,bounced\n');
  const { err } = await world.svc(['migrate', list, '--yes']);
  expect(err).toContain('--status-map zork=unsubscribed');
  expect(err).not.toContain('zork=suppressed');
});
