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
