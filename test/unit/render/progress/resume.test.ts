import { expect, test } from 'vitest';
import type { RunEvent } from '../../../../src/base/events.ts';
import { BATCH, createWorld } from '../../../support/world.ts';

const people = (count: number, status: string) =>
  Array.from({ length: count }, (_, index) => `p${index}@example.com,${status}\n`).join('');

const REVOKED = { status: 401, code: 'revoked_api_key' };

test.each([
  ['contacts', 'subscribed', BATCH, 'contacts import list.csv --plan paid --concurrency 1', 1_000],
  ['suppressions', 'bounced', 'POST /v1/suppressions', 'suppressions import list.csv', 1_000],
  [
    'enrollments',
    'subscribed',
    'POST /v1/automations/*/enroll',
    'automations enroll Welcome list.csv --concurrency 1',
    2,
  ],
] as const)('the progress of %s continues in a resume (D1)', async (phase, status, route, line, size) => {
  const world = await createWorld();
  world.emulator.admin.createAutomation({ name: 'Welcome', trigger: 'api' });
  world.file('list.csv', `email,status\n${people(2 * size + 2, status)}`);
  world.refuse(route, { ...REVOKED, after: phase === 'contacts' ? 2 : phase === 'enrollments' ? size : 1 });
  const first = await world.svc(`${line} --max-failures 100%`);
  expect(first.code).toBe(4);
  world.emulator.admin.clearFaults();
  const events: RunEvent[] = [];
  await world.svc('runs resume', { onEvent: (event) => events.push(event) });
  const begin = events.find((event) => event.type === 'phase' && event.phase === phase);
  const done = events.flatMap((event) => (event.type === 'progress' && event.phase === phase ? event.done : []));
  expect(begin).toMatchObject({ total: 2 * size + 2, done: size });
  expect([Math.min(...done), done.at(-1)]).toEqual([size, 2 * size + 2]);
});
