import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cityOf, numberedNames, rowsOf } from '../../support/nights.ts';
import { createAutomationWorld } from './support.ts';

const HOUR = 3_600_000;
const NAMES = numberedNames(12);
const CITIES: Readonly<Record<string, string>> = { A: 'Lisbon', B: 'Oslo' };

test.each(['1A 1B 1A', '1A 2B 1A', '1A 2B 2A', '1A 2B 3A'])(
  'writes the last list, and enrolls each person once: %s (I7, M5)',
  async (steps) => {
    const world = await createAutomationWorld([]);
    const ends: unknown[] = [];
    for (const step of steps.split(' ')) {
      const city = CITIES[step.slice(1)];
      await world.clock.advance(HOUR);
      const list = `email,first_name,city,status\n${rowsOf(NAMES, city)
        .map((row) => `${row},subscribed`)
        .join('\n')}\n`;
      const env = { XDG_STATE_HOME: join(world.folder, `machine${step.slice(0, 1)}`) };
      const { code } = await world.enroll(list, ['--create-contacts'], { env });
      ends.push([code, ...new Set(NAMES.map((name) => cityOf(world, name)))]);
    }
    expect(ends).toEqual(steps.split(' ').map((step) => [0, CITIES[step.slice(1)]]));
    expect(world.enrolled().toSorted()).toEqual(NAMES.map((name) => `${name}@example.com`).toSorted());
  },
);
