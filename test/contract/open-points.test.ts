import { expect, test } from 'vitest';
import { OPEN_POINTS } from './open-points/all.ts';
import { startService } from './service.ts';

test.each(OPEN_POINTS)(
  'Service notes: the emulator follows our reading of $point',
  async ({ options, play, shows }) => {
    expect(await play(await startService(options))).toEqual(shows);
  },
);
