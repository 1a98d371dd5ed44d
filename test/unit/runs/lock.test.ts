import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../../../src/base/events.ts';
import { isRunning, lockDestination, runExclusively } from '../../../src/runs/store/lock.ts';
import { createJournal, openJournalToRead, resumeJournal } from '../../../src/runs/store/open-journal.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { rejectionOf, thrownBy } from '../base/thrown.ts';
import { startChild } from './fixtures/child.ts';
import { claim, header } from './samples.ts';

const PLACE = 'https://api.example.test aud_1';

const BUSY = {
  exit: 6,
  code: 'busy',
  message: 'run_1 is working on this destination',
  hint: 'To wait for it:\n--wait 10m',
};

describe('a second run for one destination (I11)', () => {
  test('names the run that holds the lock when a second run is refused', async () => {
    const state = tempFolder();
    const lock = await lockDestination(state, PLACE, claim('run_1'));
    expect(await rejectionOf(lockDestination(state, PLACE, claim('run_2')))).toEqual(BUSY);
    lock.release();
  });

  test('refuses a third run when the first run released its lock twice', async () => {
    const state = tempFolder();
    const first = await lockDestination(state, PLACE, claim('run_1'));
    first.release();
    first.release();
    const second = await lockDestination(state, PLACE, claim('run_2'));
    const { message } = await rejectionOf(lockDestination(state, PLACE, claim('run_3')));
    expect(message).toBe('run_2 is working on this destination');
    second.release();
  });

  test('a run for another destination gets its lock at once', async () => {
    const state = tempFolder();
    const locks = [
      await lockDestination(state, PLACE, claim('run_1')),
      await lockDestination(state, 'x', claim('run_2')),
    ];
    for (const lock of locks) {
      lock.release();
    }
    expect(locks).toHaveLength(2);
  });

  test('a run waits for the lock of its destination, and reports the wait', async () => {
    const state = tempFolder();
    const clock = createManualClock(0);
    const events: RunEvent[] = [];
    const first = await lockDestination(state, PLACE, claim('run_1'));
    const second = lockDestination(state, PLACE, {
      ...claim('run_2', { clock, waitMs: 600_000 }),
      emit: (event) => void events.push(event),
    });
    await clock.advance(30_000);
    first.release();
    await clock.advance(1_000);
    (await second).release();
    expect(events).toEqual([
      { type: 'note', message: 'run_1 is working on this destination; waiting for it' },
      { type: 'wait', reason: 'lock', ms: 600_000 },
    ]);
  });

  test('a run gives up when its lock is not free after the time limit', async () => {
    const state = tempFolder();
    const clock = createManualClock(0);
    const first = await lockDestination(state, PLACE, claim('run_1'));
    const second = rejectionOf(lockDestination(state, PLACE, claim('run_2', { clock, waitMs: 2_500 })));
    await clock.advance(2_500);
    expect([await second, clock.now()]).toEqual([BUSY, 2_500]);
    first.release();
  });

  test('a run stops waiting for its lock when a signal comes', async () => {
    const state = tempFolder();
    const { signal, ...stop } = abortable();
    const first = await lockDestination(state, PLACE, claim('run_1'));
    const waiting = lockDestination(
      state,
      PLACE,
      claim('run_2', { clock: createManualClock(0), waitMs: 60_000, signal }),
    );
    stop.abort(new Error('SIGINT'));
    await expect(waiting).rejects.toThrow('SIGINT');
    first.release();
  });

  test('a run keeps its lock when svc refuses another run of the same process', async () => {
    const state = tempFolder();
    const lock = await lockDestination(state, PLACE, claim('run_1'));
    await rejectionOf(lockDestination(state, PLACE, claim('run_2')));
    const child = startChild('hold-destination.ts', [state, PLACE, 'run_3']);
    expect(await child.saw('busy')).toEqual(['busy']);
    lock.release();
  });

  test('a run gets its lock when the process of the first run is killed', async () => {
    const state = tempFolder();
    const child = startChild('hold-destination.ts', [state, PLACE, 'run_1']);
    await child.saw('held');
    expect(await rejectionOf(lockDestination(state, PLACE, claim('run_2')))).toEqual(BUSY);
    await child.kill();
    const lock = await lockDestination(state, PLACE, claim('run_2'));
    lock.release();
  });
});

describe('the lock of a run', () => {
  const busy = { exit: 6, code: 'busy', message: 'another process is working on run_1', hint: 'svc runs show run_1' };

  test('lets a second process read a running run, but not resume it', () => {
    const state = tempFolder();
    const first = createJournal(state, header('run_1'));
    expect(thrownBy(() => resumeJournal(state, 'run_1'))).toEqual(busy);
    const view = openJournalToRead(state, 'run_1');
    expect(view.state.status).toBe('running');
    view.close();
    first.close();
    resumeJournal(state, 'run_1').close();
  });

  test('keeps the lock of a run when the same process also reads the run', () => {
    const state = tempFolder();
    const first = createJournal(state, header('run_1'));
    openJournalToRead(state, 'run_1').close();
    expect([isRunning(first.files), thrownBy(() => resumeJournal(state, 'run_1'))]).toEqual([true, busy]);
    first.close();
    expect(isRunning(first.files)).toBe(false);
  });
});

function abortable(): { signal: AbortSignal; abort(reason: Error): void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: (reason) => controller.abort(reason) };
}

describe('work that only one process may do at a time', () => {
  test('exclusive work starts once the other process has finished', async () => {
    const state = tempFolder();
    const first = startChild('work-exclusively.ts', [state, 'begin']);
    await first.saw('started');
    expect(runExclusively(state, 'begin', () => existsSync(join(state, 'finished')))).toBe(true);
  });

  test('exclusive work can start again after a failure', () => {
    const state = tempFolder();
    const failing = () => {
      throw new Error('no');
    };
    expect(() => runExclusively(state, 'begin', failing)).toThrow('no');
    expect(runExclusively(state, 'begin', () => 'later')).toBe('later');
  });
});
