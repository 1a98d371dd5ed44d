import { expect, test } from 'vitest';
import { people } from '../../../support/lists.ts';
import { createWorld } from '../../../support/world.ts';

test.each([
  ['migrate list.csv', true],
  ['migrate list.csv --dry-run', true],
  ['contacts import list.csv', true],
  ['suppressions import list.csv --reason bounced', true],
  ['contacts check list.csv', true],
  ['contacts export', true],
  ['contacts ls --all', true],
  ['contacts ls', false],
  ['audiences ls', false],
] as const)('svc limits its memory only when a command handles much data: %s (%s)', async (line, limits) => {
  const world = await createWorld();
  world.file('list.csv', people(3));
  let calls = 0;
  const { code, err } = await world.svc(line, {
    tuneForMuchData: () => {
      calls += 1;
    },
  });
  expect([0, 3], err).toContain(code);
  expect(calls > 0).toBe(limits);
});
