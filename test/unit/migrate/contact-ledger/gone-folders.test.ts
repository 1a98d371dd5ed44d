import { linkSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Finding } from '../../../../src/base/finding.ts';
import { goneOf, numberedNames, rowsOf, runNight, statusOf } from '../../../support/nights.ts';
import { createWorld, type World } from '../../../support/world.ts';

const PEOPLE = rowsOf(numberedNames(40));
const WITHOUT_LAST = PEOPLE.slice(0, -1);
const OTHER_FOLDER = /^the last list of this name was .*, which is still there, and 1 person of that list would be/;

function night(world: World, file: string, rows: readonly string[], flags = '--gone unsubscribe') {
  mkdirSync(dirname(join(world.folder, file)), { recursive: true });
  return runNight(world, rows, { file, flags });
}

function missingMessage({ findings }: { readonly findings: readonly Finding[] }): string {
  return findings.find(({ check }) => check === 'gone')?.message ?? '';
}

test.each([
  ['a folder beside it', 'shop-a/users.csv', 'shop-b/users.csv'],
  ['a folder in its folder', 'users.csv', 'shop-b/users.csv'],
  ['the folder above', 'lists/shop/users.csv', 'lists/users.csv'],
  ['a dated folder beside the first list', 'users.csv', '2026-11-30/users.csv'],
  ['another folder of the same date', 'all/2026-11-30/users.csv', 'vips/2026-11-30/users.csv'],
])('asks before it unsubscribes people when the list is in %s: %s (G7)', async (_, first, second) => {
  const world = await createWorld();
  await night(world, first, PEOPLE);
  const { code, json } = await night(world, second, WITHOUT_LAST);
  expect([code, statusOf(world, 'p40')]).toEqual([5, 'subscribed']);
  expect(missingMessage(json)).toMatch(OTHER_FOLDER);
});

test.each([
  ['the same folder', 'shop-a/users.csv', 'shop-a/users.csv'],
  ['the folder of the next day', 'exports/2026-11-29/users.csv', 'exports/2026-11-30/users.csv'],
  ['the folder of the next year', '2026/12/31/users.csv', '2027/01/01/users.csv'],
  ['the folder of the next month by name', 'exports/30-Nov/users.csv', 'exports/1-Dec/users.csv'],
  ['the folder of the next month', 'exports/November/users.csv', 'exports/december/users.csv'],
  ['the folder of the next day of the week', 'exports/monday/users.csv', 'exports/Tue/users.csv'],
  ['the folder of the next build', 'builds/a81f/users.csv', 'builds/b90c/users.csv'],
  ['a dated file in the same folder', 'exports/users-1130.csv', 'exports/users-1201.csv'],
])('unsubscribes people without a question when the list is in %s: %s (G7)', async (_, first, second) => {
  const world = await createWorld();
  await night(world, first, PEOPLE);
  const { code, json } = await night(world, second, WITHOUT_LAST);
  expect([code, statusOf(world, 'p40')]).toEqual([0, 'unsubscribed']);
  expect(missingMessage(json)).not.toMatch(OTHER_FOLDER);
});

test('unsubscribes people missing in a new folder after one --gone report (G7)', async () => {
  const world = await createWorld();
  await night(world, 'old/users.csv', PEOPLE);
  const stopped = await night(world, 'new/users.csv', WITHOUT_LAST);
  expect(stopped.json.error.hint).toMatch(/^If this is another list, give its file .*\n?svc .*--gone report/s);
  expect(goneOf(await night(world, 'new/users.csv', WITHOUT_LAST, '--gone report'))).toEqual(['p40 reported']);
  expect(goneOf(await night(world, 'new/users.csv', WITHOUT_LAST))).toEqual(['p40 unsubscribed']);
});

test('--gone stops at a new folder even after runs there without --gone (G7)', async () => {
  const world = await createWorld();
  await night(world, 'shop-a/users.csv', PEOPLE);
  await night(world, 'shop-b/users.csv', WITHOUT_LAST, '');
  await night(world, 'shop-b/users.csv', WITHOUT_LAST, '');
  expect((await night(world, 'shop-b/users.csv', WITHOUT_LAST)).code).toBe(5);
  expect(statusOf(world, 'p40')).toBe('subscribed');
});

test.each([
  ['no person is missing', PEOPLE, '--gone unsubscribe'],
  ['missing people are only reported', WITHOUT_LAST, '--gone report'],
  ['--gone is not given', WITHOUT_LAST, ''],
  ['a row has no address', [...WITHOUT_LAST, 'p40 at example,p40,Lisbon'], '--gone unsubscribe'],
])('does not stop at a list in another folder when %s (G7)', async (_, rows, flags) => {
  const world = await createWorld();
  await night(world, 'shop-a/users.csv', PEOPLE);
  expect([0, 3]).toContain((await night(world, 'shop-b/users.csv', rows, flags)).code);
  expect(statusOf(world, 'p40')).toBe('subscribed');
});

test.each<[string, (last: string, now: string) => void]>([
  ['was moved', (last, now) => renameSync(last, now)],
  ['is deleted', (last) => rmSync(last)],
  ['is the same file under another path', (last, now) => linkSync(last, now)],
])('unsubscribes a missing person when the last list %s (G7)', async (_, change) => {
  const world = await createWorld();
  await night(world, 'tmp/users.csv', PEOPLE);
  mkdirSync(join(world.folder, 'exports'));
  change(join(world.folder, 'tmp/users.csv'), join(world.folder, 'exports/users.csv'));
  const result = await night(world, 'exports/users.csv', WITHOUT_LAST);
  expect([result.code, goneOf(result)]).toEqual([0, ['p40 unsubscribed']]);
});
