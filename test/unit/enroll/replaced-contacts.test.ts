import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cityOf, numberedNames, rowsOf } from '../../support/nights.ts';
import { counts, createAutomationWorld } from './support.ts';

const HOUR = 3_600_000;
const NAMES = numberedNames(12);
const CITIES: Readonly<Record<string, string>> = { A: 'Lisbon', B: 'Oslo' };

type AutomationWorld = Awaited<ReturnType<typeof createAutomationWorld>>;

/** Enrolls people who live in this city, on a machine: each has a state folder of its own. */
async function enrollOn(world: AutomationWorld, machine: string, city: string | undefined, names = NAMES) {
  await world.clock.advance(HOUR);
  const rows = rowsOf(names, city).map((row) => `${row},subscribed`);
  const env = { XDG_STATE_HOME: join(world.folder, `machine${machine}`) };
  return world.enroll(`email,first_name,city,status\n${rows.join('\n')}\n`, ['--create-contacts'], { env });
}

test('enrolls under one idempotency key when two machines import (I7, M5)', async () => {
  const world = await createAutomationWorld([]);
  await enrollOn(world, '1', 'Lisbon');
  await enrollOn(world, '1', 'Oslo', [...NAMES, 'p13']);
  const names = [...NAMES, 'p13', 'p14'];
  await enrollOn(world, '1', 'Rome', names);
  await enrollOn(world, '2', 'Rome', names);
  const posts = world.requests().filter(({ path, body }) => path.endsWith('/enroll') && body.includes('"p14@'));
  expect([posts.length, new Set(posts.map(({ headers }) => headers['idempotency-key'])).size]).toEqual([2, 1]);
});

/** Each step is a machine and the city of its list. A machine does not write people again whom it enrolled before. */
test.each([
  ['1A 1B 1A', 'AAA'],
  ['1A 2B 1A', 'ABB'],
  ['1A 2B 2A', 'ABB'],
  ['1A 2B 3A', 'ABA'],
  ['1A 2B 3A 4B', 'ABAB'],
])('enrolls each person once when machines import in turns: %s (I7, M5)', async (steps, cities) => {
  const world = await createAutomationWorld([]);
  const ends: unknown[] = [];
  for (const step of steps.split(' ')) {
    const { code } = await enrollOn(world, step.slice(0, 1), CITIES[step.slice(1)]);
    ends.push([code, ...new Set(NAMES.map((name) => cityOf(world, name)))]);
  }
  expect(ends).toEqual([...cities].map((city) => [0, CITIES[city]]));
  expect(world.enrolled().toSorted()).toEqual(NAMES.map((name) => `${name}@example.com`).toSorted());
});

test.each([1, 2, 5, 11])(
  'after %i enrollments, a resume counts a suppressed person once (I7, L5)',
  async (enrolled) => {
    const world = await createAutomationWorld([]);
    await enrollOn(world, '1', 'Lisbon');
    const stop = { kind: 'error', status: 403, code: 'insufficient_scope', when: 'before', times: 1 } as const;
    world.emulator.admin.addFault({ ...stop, match: { route: 'POST /v1/automations/*/enroll' }, after: enrolled });
    const stopped = await enrollOn(world, '2', 'Lisbon');
    // A contact differs from the list now, so the replay of the contacts is outdated, and all are sent again.
    await enrollOn(world, '3', 'Oslo', ['p12']);
    world.emulator.admin.suppress(['p1@example.com'], 'complained');
    const env = { XDG_STATE_HOME: join(world.folder, 'machine2') };
    const { code, json } = await world.svc('runs resume --json', { env });
    expect([stopped.code, code, counts(json.rows)]).toEqual([4, 0, { read: 12, enrolled: 12 }]);
  },
);
