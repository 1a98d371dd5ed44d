import { expect, test } from 'vitest';
import type { RunEvent } from '../../src/base/events.ts';
import { advance, fraction, nothingYet, speed, timeLeft } from '../../src/render/progress-state.ts';

function after(events: readonly (readonly [number, RunEvent])[]) {
  return events.reduce((state, [at, event]) => advance(state, event, at), nothingYet(0));
}

const begin: RunEvent = { type: 'phase', phase: 'contacts', total: 1000 };
const done = (count: number): RunEvent => ({ type: 'progress', phase: 'contacts', done: count });

test.each([
  {
    title: 'nothing can be said at once',
    events: [
      [0, begin],
      [100, done(50)],
    ],
    at: 100,
    speed: undefined,
    left: undefined,
  },
  {
    title: 'speed and what is left of the time',
    events: [
      [0, begin],
      [1000, done(100)],
    ],
    at: 1000,
    speed: 100,
    left: 9000,
  },
  {
    title: 'the time left goes on while nothing is heard',
    events: [
      [0, begin],
      [1000, done(100)],
    ],
    at: 4000,
    speed: 100,
    left: 6000,
  },
  {
    title: 'only the last half minute counts',
    events: [
      [0, begin],
      [50_000, done(100)],
      [60_000, done(200)],
      [70_000, done(300)],
    ],
    at: 70_000,
    speed: 10,
    left: 70_000,
  },
  {
    title: 'no progress, no promise',
    events: [
      [0, begin],
      [9000, done(0)],
    ],
    at: 9000,
    speed: 0,
    left: undefined,
  },
] as const)('$title', ({ events, at, speed: pace, left }) => {
  const { current } = after(events);
  expect({ speed: speed(current!), left: timeLeft(current!, at) }).toEqual({ speed: pace, left });
});

test('a survey is measured in bytes and told in rows', () => {
  const { current } = after([
    [0, { type: 'phase', phase: 'survey', total: 4000, unit: 'bytes' }],
    [2000, { type: 'progress', phase: 'survey', done: 1000, rows: 30 }],
  ]);
  expect([fraction(current!), speed(current!), timeLeft(current!, 2000)]).toEqual([0.25, 15, 6000]);
});

test('of two waits the longer one is shown', () => {
  const wait = (reason: 'retry' | 'rate_limit', ms: number): RunEvent => ({ type: 'wait', reason, ms });
  expect(
    after([
      [0, wait('rate_limit', 5000)],
      [1000, wait('retry', 2000)],
    ]).wait,
  ).toEqual({ reason: 'rate_limit', until: 5000 });
  expect(
    after([
      [0, wait('rate_limit', 5000)],
      [1000, wait('retry', 9000)],
    ]).wait,
  ).toEqual({ reason: 'retry', until: 10_000 });
});

test('a long phase remembers no more than half a minute of samples', () => {
  const events = Array.from({ length: 10_000 }, (_, at) => [at * 50, done(at)] as const);
  expect(after([[0, begin], ...events]).current!.samples.length).toBeLessThan(70);
});
