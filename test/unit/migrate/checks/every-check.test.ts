import { expect, test } from 'vitest';
import { people } from '../../../support/lists.ts';
import { createWorld } from '../../../support/world.ts';

const CHECKS =
  'columns encoding ragged_rows attribute_collision attribute_reserved attribute_key new_fields unknown_status no_status ambiguous_dates duplicates failures plan_cap automations audience key books';

test('reports a finding for every documented check when nothing is wrong', async () => {
  const world = await createWorld();
  const { json } = await world.svc(['migrate', world.file('list.csv', people(3)), '--dry-run', '--json']);
  const passed = json.findings.map(({ check, level }: { check: string; level: string }) => `${check} ${level}`);
  expect(passed.sort()).toEqual(
    CHECKS.split(' ')
      .map((check) => `${check} pass`)
      .sort(),
  );
});

test('says "at most" when the list may hold people of the audience (P2)', async () => {
  const world = await createWorld();
  const line = ['migrate', world.file('list.csv', people(3)), '--yes', '--json'];
  const capOf = async (more: readonly string[]) =>
    (await world.svc([...line, ...more])).json.findings.find(({ check }: { check: string }) => check === 'plan_cap')
      .message;
  expect(await capOf([])).toBe('0 contacts in all audiences and 3 new people: within the 500 of a free plan');
  expect(await capOf(['--again'])).toBe(
    '3 contacts in all audiences and at most 3 new people: within the 500 of a free plan',
  );
});
