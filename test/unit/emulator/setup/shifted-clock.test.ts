import { describe, expect, test } from 'vitest';
import { createShiftedClock } from '../../../../src/emulator/setup/shifted-clock.ts';
import { createManualClock } from '../../../support/manual-clock.ts';

describe('the clock of the emulator', () => {
  test('a wait ends when the clock of the emulator is moved past its end', async () => {
    const base = createManualClock(0);
    const clock = createShiftedClock(base);
    const woken: string[] = [];
    const short = clock.sleep(1_000).then(() => woken.push('short'));
    const long = clock.sleep(10_000).then(() => woken.push('long'));
    clock.advance(5_000);
    await short;
    expect([woken, clock.now(), base.now()]).toEqual([['short'], 5_000, 0]);
    await base.advance(5_000);
    await long;
    expect([woken, clock.now()]).toEqual([['short', 'long'], 10_000]);
  });

  test('rejects a wait of the emulator with the reason of an aborted signal', async () => {
    const stop = new AbortController();
    const slept = createShiftedClock(createManualClock(0)).sleep(1_000, stop.signal);
    stop.abort(new Error('enough'));
    await expect(slept).rejects.toThrow('enough');
  });
});
