import { expect, test } from 'vitest';
import { people } from '../../../support/lists.ts';
import { addresses, bare, createAutomationWorld } from '../support.ts';

const ADDS = ['--create-contacts', '--concurrency', '1', '--plan', 'paid', '--default-status', 'subscribed'];

// The enrollment has sent all its contacts, so an import of another list does not overtake it.
test.each([1, 2, 3, 4, 5, 6, 7])('enrolls the rest when a resume fails at request %i (D1, M5)', async (nth) => {
  const world = await createAutomationWorld([]);
  world.refuse('POST */enroll', { status: 403, code: 'forbidden', after: 2 });
  const { json } = await world.enroll(bare(addresses(6)), ADDS);
  world.emulator.admin.clearFaults();
  world.refuse('*', { status: 401, code: 'unauthorized', after: nth - 1 });
  await world.svc(['runs', 'resume', json.run]);
  world.emulator.admin.clearFaults();
  const [shown] = (await world.svc('runs ls --json')).json;
  expect([json.phase, shown.phase]).toEqual(['enrollments', 'enrollments']);
  await world.clock.advance(60_000);
  const other = world.file('other.csv', people(3).replaceAll('person', 'other'));
  const imported = await world.svc(['contacts', 'import', other, '--plan', 'paid', '--json']);
  const resumed = await world.svc(['runs', 'resume', json.run, '--json']);
  expect([imported.code, resumed.code, world.enrolled().length]).toEqual([0, 0, 6]);
});
