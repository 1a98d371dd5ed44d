import { expect, test } from 'vitest';
import type { RunEvent } from '../../../../src/base/events.ts';
import {
  advanceProgress,
  finishedFraction,
  initialProgress,
  millisecondsLeft,
  rowsPerSecond,
  workedMs,
} from '../../../../src/render/progress/state.ts';

function after(events: readonly (readonly [number, RunEvent])[]) {
  return events.reduce((state, [at, event]) => advanceProgress(state, event, at), initialProgress(0));
}

const begin: RunEvent = { type: 'phase', phase: 'contacts', total: 1000 };
const done = (count: number): RunEvent => ({ type: 'progress', phase: 'contacts', done: count });
const steps = [1, 2, 3].map((n) => [n * 1000, done(n * 100)] as const);

test.each([
  {
    title: 'knows no speed and no time left at the start',
    events: [
      [0, begin],
      [100, done(50)],
    ],
    at: 100,
    speed: undefined,
    left: undefined,
  },
  {
    title: 'knows the speed, but not the time left, after one step',
    events: [
      [0, begin],
      [73_500, done(100)],
    ],
    at: 73_500,
    speed: 100 / 73.5,
    left: undefined,
  },
  {
    title: 'knows speed and time left after three steps',
    events: [[0, begin], ...steps],
    at: 3000,
    speed: 100,
    left: 7000,
  },
  {
    title: 'counts the time left down while no event comes',
    events: [[0, begin], ...steps],
    at: 6000,
    speed: 100,
    left: 4000,
  },
  {
    title: 'measures speed over the last minute only',
    events: [
      [0, begin],
      [50_000, done(100)],
      [100_000, done(150)],
      [120_000, done(350)],
      [140_000, done(550)],
      [160_000, done(750)],
    ],
    at: 160_000,
    speed: 10,
    left: 25_000,
  },
  {
    title: 'estimates the same speed despite one slow response',
    events: [
      [0, begin],
      [73_500, done(100)],
      ...[1, 2, 3, 4].map((n) => [73_500 + n * 1000, done(100 + n * 100)] as const),
    ],
    at: 77_500,
    speed: 100,
    left: 5000,
  },
  {
    title: 'does not count waits as work',
    events: [
      [0, begin],
      ...steps,
      [3000, { type: 'wait', reason: 'rate_limit', ms: 3_600_000 }],
      [3_604_000, done(400)],
    ],
    at: 3_604_000,
    speed: 100,
    left: 6000,
  },
  {
    title: 'ends a wait when svc sends the next request',
    events: [
      [0, begin],
      ...steps,
      [3000, { type: 'wait', reason: 'reserve', ms: 60_000 }],
      [10_000, { type: 'asking', method: 'GET', path: '/v1/audiences', attempt: 1 }],
      [11_000, done(400)],
    ],
    at: 11_000,
    speed: 100,
    left: 6000,
  },
  {
    title: 'knows no time left when no row is done',
    events: [[0, begin], ...steps.map(([at]) => [at, done(0)] as const)],
    at: 3000,
    speed: 0,
    left: undefined,
  },
] as const)('the progress of a phase $title', ({ events, at, speed: pace, left }) => {
  const state = after(events);
  const { currentPhase } = state;
  expect({ speed: rowsPerSecond(currentPhase!), left: millisecondsLeft(currentPhase!, workedMs(state, at)) }).toEqual({
    speed: pace,
    left,
  });
});

test('the progress of a survey computes the time left from bytes, not rows', () => {
  const { currentPhase } = after([
    [0, { type: 'phase', phase: 'survey', total: 4000, unit: 'bytes' }],
    [1000, { type: 'progress', phase: 'survey', done: 500, rows: 15 }],
    [1500, { type: 'progress', phase: 'survey', done: 750, rows: 22 }],
    [2000, { type: 'progress', phase: 'survey', done: 1000, rows: 30 }],
  ]);
  expect([
    finishedFraction(currentPhase!),
    rowsPerSecond(currentPhase!),
    millisecondsLeft(currentPhase!, 2000),
  ]).toEqual([0.25, 15, 6000]);
});

test('the progress shows the wait that ends later when two waits overlap', () => {
  const wait = (reason: 'retry' | 'rate_limit', ms: number): RunEvent => ({ type: 'wait', reason, ms });
  expect(
    after([
      [0, wait('rate_limit', 5000)],
      [1000, wait('retry', 2000)],
    ]).wait,
  ).toEqual({ reason: 'rate_limit', from: 0, until: 5000 });
  expect(
    after([
      [0, wait('rate_limit', 5000)],
      [1000, wait('retry', 9000)],
    ]).wait,
  ).toEqual({ reason: 'retry', from: 1000, until: 10_000 });
});

test('the progress keeps speed samples of the last minute only', () => {
  const events = Array.from({ length: 10_000 }, (_, at) => [at * 50, done(at)] as const);
  expect(after([[0, begin], ...events]).currentPhase!.samples.length).toBeLessThan(140);
});
