import { expect, test } from 'vitest';
import type { RunEvent } from '../../../../src/base/events.ts';
import { type RecordedWait, recordWaits } from '../../../../src/run-lifecycle/data/timeline.ts';
import { createManualClock } from '../../../support/manual-clock.ts';

const START = Date.UTC(2026, 2, 1);
const waitOf = (ms: number, type = 'wait') => ({ type, ms, reason: 'rate_limit' }) as unknown as RunEvent;

test.each([
  [999, 0],
  [999.9, 0],
  [1_000, 1],
  [1_001, 1],
])('records waits of at least 1 s in the timeline: %s ms, %i recorded', (ms, count) => {
  const waits: RecordedWait[] = [];
  const passed: RunEvent[] = [];
  const emit = recordWaits(waits, createManualClock(START), (event) => void passed.push(event));
  const events = [waitOf(ms), waitOf(5_000, 'batch')];
  events.forEach(emit);
  expect(passed).toEqual(events);
  expect(waits).toEqual(count === 0 ? [] : [{ startedAt: START, ms, reason: 'rate_limit' }]);
});

test('records only the first hundred waits, but passes every wait on', () => {
  const waits: RecordedWait[] = [];
  const passed: RunEvent[] = [];
  const emit = recordWaits(waits, createManualClock(START), (event) => void passed.push(event));
  Array.from({ length: 103 }, (_, at) => waitOf(1_000 + at)).forEach(emit);
  expect([passed.length, waits.length, waits.at(-1)?.ms]).toEqual([103, 100, 1_099]);
});
