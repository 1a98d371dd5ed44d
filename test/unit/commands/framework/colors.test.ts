import { expect, test } from 'vitest';
import { createWorld } from '../../../support/world.ts';

const FORCED = { FORCE_COLOR: '1' };

// Each row: the environment, further flags, a terminal, and whether errors and results then have colors.
test.each<[env: Readonly<Record<string, string>>, flags: string, columns: number | undefined, hasColors: boolean]>([
  [{}, '', undefined, false],
  [{}, '', 80, true],
  [FORCED, '', undefined, true],
  [{ FORCE_COLOR: '0' }, '', 80, false],
  [{ FORCE_COLOR: 'false' }, '', 80, false],
  [{ ...FORCED, NO_COLOR: '1' }, '', 80, false],
  [{ ...FORCED, TERM: 'dumb' }, '', undefined, true],
  [{ TERM: 'dumb' }, '', 80, false],
  [FORCED, '--no-color', 80, false],
  [{ NO_COLOR: '' }, '', 80, true],
])('with %j, flags "%s" and %s columns, colors are written: %s', async (env, flags, columns, hasColors) => {
  const world = await createWorld();
  const terminal = columns === undefined ? {} : { columns, answers: [] };
  const failed = await world.svc(`webhooks ls whe_00000000000000000000 ${flags}`, { env, ...terminal });
  expect([failed.code, failed.err.includes('\x1b[')]).toEqual([2, hasColors]);
  world.file('list.csv', 'email,status\nana@example.com,subscribed\n');
  const result = await world.svc(`contacts check list.csv --audience Newsletter ${flags}`, { env, ...terminal });
  expect([result.code, result.out.includes('\x1b[')]).toEqual([3, hasColors]);
});

test('a table for scripts has no colors when FORCE_COLOR is set', async () => {
  const world = await createWorld();
  world.emulator.admin.addContacts([{ email: 'ana@example.com' }]);
  for (const line of ['contacts ls --audience Newsletter', 'audiences ls', 'webhooks ls', 'runs ls --output csv']) {
    expect((await world.svc(line, { env: FORCED })).out).not.toContain('\x1b[');
  }
});
