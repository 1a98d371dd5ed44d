import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { goneOf, numberedNames, rowsOf, runNight, sentPeople, statusOf } from '../../../support/nights.ts';
import { createWorld, type World } from '../../../support/world.ts';

const PEOPLE = rowsOf(numberedNames(40));

/** Imports a list whose last row has a typing error. Returns the rejects file with this row corrected. */
async function nightWithSlip(world: World): Promise<{ path: string; rows: string[]; header: string }> {
  await runNight(world, PEOPLE);
  const { code, json } = await runNight(world, [...PEOPLE, 'eve at example.com,eve,Lisbon']);
  expect(code).toBe(3);
  const [path = ''] = json.files.rejects;
  const [header = '', ...rows] = readFileSync(path, 'utf8').trim().split(/\r?\n/);
  return { path, header, rows: rows.map((row) => row.replaceAll('eve at example.com', 'eve@example.com')) };
}

describe('an import of the corrected rejects file of a nightly list', () => {
  test.each([
    ['', 'rejects'],
    ['--gone report', 'rejects'],
    ['--gone unsubscribe', 'rejects'],
    ['--gone unsubscribe --full', 'rejects'],
    ['--gone unsubscribe', 'corrected.csv'],
  ])('counts no rejected person as missing: flags "%s", rejects file %s (G7)', async (flags, place) => {
    const world = await createWorld();
    const { path, header, rows } = await nightWithSlip(world);
    const file = place === 'rejects' ? path.slice(world.folder.length + 1) : place;
    const fixed = await runNight(world, rows, { flags, header, file });
    expect([fixed.code, fixed.json.gone?.missing ?? 0, sentPeople(world)], fixed.err).toEqual([0, 0, ['eve']]);
    const next = await runNight(world, PEOPLE.slice(0, 39), { flags: '--gone unsubscribe' });
    const corrected = place === 'rejects' ? ['eve unsubscribed'] : [];
    expect([next.code, goneOf(next), statusOf(world, 'p39')], next.err).toEqual([
      0,
      [...corrected, 'p40 unsubscribed'],
      'subscribed',
    ]);
  });

  test('sends a corrected row once when the list has the correction too (G1, G7)', async () => {
    const world = await createWorld();
    const { path, header, rows } = await nightWithSlip(world);
    await runNight(world, rows, { header, file: path.slice(world.folder.length + 1), flags: '--gone unsubscribe' });
    const next = await runNight(world, [...PEOPLE, 'eve@example.com,eve,Lisbon'], { flags: '--gone unsubscribe' });
    expect([next.code, next.json.gone.missing, sentPeople(world)]).toEqual([0, 0, []]);
  });
});
