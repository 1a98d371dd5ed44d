import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { WireRequest } from '../../../../src/base/context.ts';
import { cityOf, numberedNames, rowsOf, statusOf } from '../../../support/nights.ts';
import { stoppedAt } from '../../../support/stopped-at.ts';
import { everyNth } from '../../../support/sweep.ts';
import { createWorld, type RunOptions, type World } from '../../../support/world.ts';

const DAY_MS = 24 * 3_600_000;
const LINE = 'contacts import FILE --default-status subscribed --plan paid --only-changed --json';
const subscribed = (rows: readonly string[]) => rows.map((row) => `${row},subscribed`);
const PEOPLE = subscribed(rowsOf(numberedNames(40)));
const BEN = subscribed(rowsOf(['ben']));
const P40_LEFT = 'p40@example.com,p40,Lisbon,unsubscribed';
// Ben is in this list again.
const WITHOUT_CHANGE = [...PEOPLE, ...BEN];
const WITH_CHANGE = [...PEOPLE.slice(0, 39), ...subscribed(rowsOf(['p40'], 'Porto')), ...BEN];

/** Imports a list that comes in a new folder each night, or from standard input. */
async function night(world: World, place: string, rows: readonly string[], options: RunOptions & { flags: string }) {
  const { flags, ...run } = options;
  await world.clock.advance(DAY_MS);
  const text = `${['email,first_name,city,status', ...rows].join('\n')}\n`;
  if (place === '-') {
    return world.svc(`${LINE.replace('FILE', '-')} ${flags}`, { ...run, stdin: text });
  }
  mkdirSync(join(world.folder, place), { recursive: true });
  world.file(`${place}/users.csv`, text);
  return world.svc(`${LINE.replace('FILE', `${place}/users.csv`)} ${flags}`, run);
}

const isLookUpOfBen = ({ url }: WireRequest) => decodeURIComponent(url.pathname).includes('/ben@');
const isPost = ({ method }: WireRequest) => method === 'POST';

const OLDER = [
  { what: 'all rows unchanged', rows: PEOPLE, flags: '--gone unsubscribe', isStop: isLookUpOfBen },
  {
    what: 'one opt-out',
    rows: [...PEOPLE.slice(0, 39), P40_LEFT],
    flags: '--gone unsubscribe',
    isStop: isLookUpOfBen,
  },
  { what: 'one unsent opt-out', rows: [...PEOPLE.slice(0, 39), P40_LEFT], flags: '--gone report', isStop: isPost },
  { what: 'one opt-out, no --gone', rows: [...PEOPLE.slice(0, 39), P40_LEFT], flags: '', isStop: isPost },
];
const NEWER = [
  { sends: 'a contact', newer: WITH_CHANGE },
  { sends: 'nothing', newer: WITHOUT_CHANGE },
];
const PLACES = [
  { from: 'folders', places: ['mon', 'tue', 'wed'] },
  { from: 'a pipe', places: ['-', '-', '-'] },
] as const;
const NIGHTS = OLDER.flatMap((older, index) =>
  NEWER.flatMap((newer, ofNewer) =>
    everyNth(PLACES, 2, index + ofNewer).map((places) => ({ ...older, ...newer, ...places })),
  ),
);

test.each(NIGHTS)('a run ($what, $from) is overtaken when a newer list sends $sends (G10)', async (nights) => {
  const { rows, flags, isStop, newer, places } = nights;
  const world = await createWorld();
  await night(world, places[0], [...PEOPLE, ...BEN], { flags: '' });
  const older = await night(world, places[1], rows, { flags, ...stoppedAt('never arrives', isStop) });
  const last = await night(world, places[2], newer, { flags });
  const before = ['ben', 'p40'].map((name) => [statusOf(world, name), cityOf(world, name)]);
  world.requests();
  const resumed = await world.svc(`runs resume ${older.json.run} --json`);
  const after = ['ben', 'p40'].map((name) => [statusOf(world, name), cityOf(world, name)]);
  expect([older.code === 0, last.code, resumed.code, world.requests().length]).toEqual([false, 0, 5, 0]);
  expect(after).toEqual(before);
  expect(after[0]).toEqual(['subscribed', 'Lisbon']);
});
