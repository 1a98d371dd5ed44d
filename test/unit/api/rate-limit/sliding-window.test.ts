import { describe, expect, test } from 'vitest';
import {
  cancelStart,
  decideStart,
  emptyWindow,
  recordRequestEnd,
  recordStart,
  type WindowState,
} from '../../../../src/api/rate-limit/sliding-window.ts';

const WINDOW_MS = 60_250;
const LIMITS = { rate: 600, reserve: 120 };
const GO = { go: true };

/** Starts n requests at one time, all in flight. */
const started = (n: number, now = 0, state: WindowState = emptyWindow) =>
  Array.from({ length: n }).reduce<WindowState>((before) => recordStart(before, now), state);
const responded = (state: WindowState, seq: number, remaining: number, now = 0) =>
  recordRequestEnd(state, seq, { now, headers: { remaining, limit: 600 } });

describe('the sliding window', () => {
  test('subtracts requests in flight from the remaining quota', () => {
    const three = responded(started(4), 0, 123);
    expect(decideStart(three, 1, LIMITS)).toMatchObject({ go: false, reason: 'reserve' });
    expect(decideStart(responded(three, 3, 123), 1, LIMITS)).toEqual(GO);
  });

  test('ignores a late response that shows more quota than a newer one', () => {
    const late = responded(responded(started(2), 1, 120), 0, 500);
    expect(late.headers).toMatchObject({ seq: 1, remaining: 120 });
  });

  test('uses a late response that shows less quota than a newer one', () => {
    const late = responded(responded(started(2), 1, 500), 0, 120);
    expect(late.headers).toMatchObject({ seq: 0, remaining: 120 });
  });

  test('dates a request by its end, not its start, when no response came', () => {
    const before = responded(started(2), 0, 300);
    const starts = before.starts.map((start) => (start.seq === 1 ? { seq: 1, startedAt: 5 } : start));
    expect(recordRequestEnd(before, 1, { now: 5 })).toEqual({ ...before, starts, inFlightSeqs: [] });
  });

  test('frees the quota of a request that was cancelled before its first byte', () => {
    const state = recordStart(emptyWindow, 0);
    expect(cancelStart(state, 0)).toEqual({ ...emptyWindow, nextSeq: 1 });
  });

  test('forgets requests older than the window, so that a long run stays fast', () => {
    const { starts } = recordStart(started(3), WINDOW_MS);
    expect(starts).toEqual([{ seq: 3, startedAt: WINDOW_MS }]);
  });

  test('sends one request alone when the remaining quota is unknown', () => {
    expect(decideStart(emptyWindow, 0, LIMITS)).toEqual(GO);
    expect(decideStart(started(1), 0, LIMITS)).toMatchObject({ go: false, quiet: true });
  });

  test('sends one request alone when quota frees up only because 60 s passed', () => {
    // The service showed no room above the reserve. It may still count the one request that is older than a minute.
    const state = responded(responded(started(2), 0, 121), 1, 120, 1);
    expect(decideStart(state, WINDOW_MS - 1, LIMITS)).toMatchObject({ go: false, reason: 'reserve' });
    expect(decideStart(state, WINDOW_MS, LIMITS)).toEqual(GO);
    const busy = recordStart(state, WINDOW_MS);
    expect(decideStart(busy, WINDOW_MS, LIMITS)).toMatchObject({ go: false, reason: 'reserve' });
  });

  test('frees the quota of a request when it is more than 60 s old', () => {
    const early = started(2, 0);
    const later = responded(recordRequestEnd(started(2, 1_000, early), 0, { now: 1_000 }), 3, 118, 1_000);
    const quiet = [1, 2].reduce((state, seq) => recordRequestEnd(state, seq, { now: 1_000 }), later);
    expect(decideStart(quiet, 1_000, LIMITS)).toEqual({ go: false, waitMs: WINDOW_MS, reason: 'reserve' });
    const richer = responded(started(1, 2_000, quiet), 4, 119, 2_000);
    expect(decideStart(richer, 2_000, LIMITS)).toEqual({ go: false, waitMs: WINDOW_MS - 1_000, reason: 'reserve' });
    expect(decideStart(richer, 1_000 + WINDOW_MS, LIMITS)).toEqual(GO);
  });
});
