import { expect, test } from 'vitest';
import { goneOf, numberedNames, rowsOf, runNight, statusOf } from '../../../support/nights.ts';
import { createWorld } from '../../../support/world.ts';

const PEOPLE = rowsOf(numberedNames(40));
const WITHOUT_LAST = rowsOf(numberedNames(39));

test.each(['p40@example', 'p40@', '@example.com', 'p40@exa\uFFFDmple.com'])(
  'keeps a missing person subscribed when a row has the address %s (G6)',
  async (address) => {
    const world = await createWorld();
    await runNight(world, PEOPLE);
    const result = await runNight(world, [...WITHOUT_LAST, `${address},p40,Lisbon`], { flags: '--gone unsubscribe' });
    expect([goneOf(result), statusOf(world, 'p40')]).toEqual([['p40 reported'], 'subscribed']);
    const next = await runNight(world, WITHOUT_LAST, { flags: '--gone unsubscribe' });
    expect([next.code, statusOf(world, 'p40')]).toEqual([0, 'unsubscribed']);
  },
);

test.each(['p40@example..com', 'p40@example.com.', 'p40.@example.com'])(
  'counts no person as missing when a row has the mistyped address %s (G6)',
  async (address) => {
    const world = await createWorld();
    await runNight(world, PEOPLE);
    const rows = [...rowsOf(numberedNames(38)), `${address},p40,Lisbon`];
    const result = await runNight(world, rows, { flags: '--gone unsubscribe' });
    expect([goneOf(result), statusOf(world, 'p40')]).toEqual([['p39 unsubscribed'], 'subscribed']);
  },
);
