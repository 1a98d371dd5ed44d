import { expect, test } from 'vitest';
import { splitShellText } from '../../../../../src/base/lib/text.ts';
import { numberedNames, rowsOf, runNight, sentPeople, statusOf } from '../../../../support/nights.ts';
import { type CommandResult, createWorld } from '../../../../support/world.ts';

const PEOPLE = numberedNames(40);
const CHANGED = [...rowsOf(PEOPLE.slice(0, 2), 'Oslo'), ...rowsOf(PEOPLE.slice(2))];

function findingOf({ json }: CommandResult) {
  return json.findings.find(({ check }: { check: string }) => check === 'deleted_since');
}

test('sends no changed person who was deleted in the app (C1, G1)', async () => {
  const world = await createWorld();
  await runNight(world, rowsOf(PEOPLE));
  world.emulator.admin.deleteContact('p1@example.com');
  for (const flags of ['', '--gone unsubscribe']) {
    const night = await runNight(world, CHANGED, { flags });
    expect([night.code, statusOf(world, 'p1'), night.json.rows.created]).toEqual([0, undefined, 0]);
    expect(findingOf(night)).toMatchObject({
      level: 'warn',
      message: expect.stringMatching(/^1 person whose row changed is not in the audience any more: p1@example\.com\./),
    });
  }
  const { hint } = findingOf(await runNight(world, CHANGED));
  const command = hint.split('\n').at(-1).replace(/^svc /, '');
  expect([splitShellText(command).includes('--full'), (await world.svc(command)).code]).toEqual([true, 0]);
  expect(statusOf(world, 'p1')).toBe('subscribed');
});

test('sends a changed person who is still there, and new people (G1)', async () => {
  const world = await createWorld();
  await runNight(world, rowsOf(PEOPLE));
  const night = await runNight(world, [...CHANGED, ...rowsOf(['new'])]);
  expect([night.code, findingOf(night), sentPeople(world)]).toEqual([0, undefined, ['new', 'p1', 'p2']]);
});

test.each([500, 403])('sends nothing when the look-up of a changed person fails with %i (C1)', async (status) => {
  const world = await createWorld();
  await runNight(world, rowsOf(PEOPLE));
  world.emulator.admin.deleteContact('p1@example.com');
  world.refuse('GET *contacts/p1*', { status, code: status === 500 ? 'internal_error' : 'forbidden', times: 99 });
  const night = await runNight(world, CHANGED);
  expect([night.code === 0, sentPeople(world), statusOf(world, 'p1')]).toEqual([false, [], undefined]);
});

test('counts people created again when too many changed to look them up (C1)', async () => {
  const world = await createWorld();
  const many = numberedNames(401);
  await runNight(world, rowsOf(many));
  ['p1', 'p2'].forEach((name) => world.emulator.admin.deleteContact(`${name}@example.com`));
  const night = await runNight(world, rowsOf(many, 'Oslo'));
  const found = night.json.findings.filter(({ check }: { check: string }) => check === 'deleted_since');
  expect([night.code, found]).toMatchObject([
    0,
    [
      { level: 'warn', total: 401 },
      { level: 'warn', total: 2 },
    ],
  ]);
  expect(found[1].message).toMatch(/^at least 2 people of earlier lists were deleted in the app/);
});
