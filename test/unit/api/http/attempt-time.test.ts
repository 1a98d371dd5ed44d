import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { runWithTimeLimit } from '../../../../src/api/http/attempt-time.ts';
import { createManualClock } from '../../../support/manual-clock.ts';

const LIMIT = { limitMs: 120_000, graceMs: 10_000 };

/** Runs an attempt that gets no response. Returns when it was closed, and why. */
async function closeOf(time: typeof LIMIT, abortedAt: number | undefined) {
  const clock = createManualClock();
  const start = clock.monotonic();
  const stop = new AbortController();
  const abort = async () => {
    await clock.sleep(abortedAt ?? Number.POSITIVE_INFINITY, undefined, true);
    stop.abort();
  };
  abortedAt === 0 ? stop.abort() : void abort();
  let closed: number | undefined;
  const run = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => {
        closed = clock.monotonic() - start;
        reject(signal.reason);
      });
    });
  const ended = runWithTimeLimit(run, time, { clock, signal: stop.signal }).catch(({ code }) => code);
  await clock.advance(0);
  await clock.advance(300_000);
  return [closed, await ended];
}

describe('an attempt that gets no response', () => {
  test.each([
    ['no signal comes', LIMIT, undefined, 120_000, 'timeout'],
    ['a signal came before it', LIMIT, 0, 10_000, 'interrupted'],
    ['a signal comes later', LIMIT, 70_000, 80_000, 'interrupted'],
    ['a signal comes just before the time limit', LIMIT, 119_000, 120_000, 'timeout'],
    ['a signal comes and a read gets no further time', { ...LIMIT, graceMs: 0 }, 70_000, 70_000, 'interrupted'],
    ['a signal came before it and a read gets no further time', { ...LIMIT, graceMs: 0 }, 0, 0, 'interrupted'],
    ['no time is left', { ...LIMIT, limitMs: 0 }, undefined, 0, 'timeout'],
  ])(
    'closes an attempt at its time limit or soon after a signal: %s (I5, D4)',
    async (_, time, abortedAt, closedAt, code) => {
      expect(await closeOf(time, abortedAt)).toEqual([closedAt, code]);
    },
  );

  test('says how long svc waited when no response comes (I5)', async () => {
    const clock = createManualClock();
    const run = (signal: AbortSignal) =>
      new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const ended = expect(
      runWithTimeLimit(run, { ...LIMIT, limitMs: 50_400 }, { clock, signal: undefined }),
    ).rejects.toThrow('no response within 50 s');
    await clock.advance(60_000);
    await ended;
  });
});

test.each(['without a signal', 'after a signal'])(
  'takes a response that comes after the attempt was closed: %s (I5)',
  async (when) => {
    const clock = createManualClock();
    const stop = new AbortController();
    let hasEnded = false;
    const run = async () => {
      await clock.sleep(200_000);
      return 'response';
    };
    const ended = runWithTimeLimit(run, LIMIT, {
      clock,
      signal: when === 'after a signal' ? stop.signal : undefined,
    }).then((result) => {
      hasEnded = true;
      return result;
    });
    stop.abort();
    await clock.advance(199_000);
    expect(hasEnded).toBe(false);
    await clock.advance(1_000);
    expect(await ended).toBe('response');
  },
);

test.each(['before', 'during', 'after'])(
  'leaves no timer and no listener when a signal comes %s an attempt (I5)',
  async (moment) => {
    const clock = createManualClock();
    const stop = new AbortController();
    const abortAt = (now: string) => moment === now && stop.abort();
    abortAt('before');
    const result = await runWithTimeLimit(
      async () => {
        abortAt('during');
        return 1;
      },
      LIMIT,
      { clock, signal: stop.signal },
    );
    const listeners = getEventListeners(stop.signal, 'abort');
    abortAt('after');
    expect([result, clock.sleepers, listeners]).toEqual([1, 0, []]);
  },
);
