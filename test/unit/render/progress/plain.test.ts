import { expect, test } from 'vitest';
import { createPlainProgress } from '../../../../src/render/progress/plain.ts';
import { createManualClock } from '../../../support/manual-clock.ts';

function world({ isSilent = false, verbose = false, showsEveryPhase = false } = {}) {
  const clock = createManualClock();
  const lines: string[] = [];
  const stderr = { write: (text: string) => void lines.push(text), isTTY: false, columns: undefined };
  return { clock, lines, progress: createPlainProgress({ stderr, clock, verbose, isSilent, showsEveryPhase }) };
}

test('the progress writes no line when a phase takes under 10 s', async () => {
  const { clock, lines, progress } = world();
  progress.emit({ type: 'phase', phase: 'contacts', total: 1200 });
  await clock.advance(9_999);
  progress.emit({ type: 'progress', phase: 'contacts', done: 1200 });
  progress.emit({ type: 'phase', phase: 'verify', total: 20 });
  await clock.advance(10_000);
  progress.emit({ type: 'progress', phase: 'verify', done: 20 });
  progress.emit({ type: 'phase', phase: 'done' });
  expect(lines).toEqual(['2026-01-01T00:00:19Z verify: done, 20 checks, 10 s\n']);
});

test('the progress in a log has a line when a phase begins and when it ends', async () => {
  const { clock, lines, progress } = world({ showsEveryPhase: true });
  progress.emit({ type: 'phase', phase: 'survey', total: 5000, unit: 'bytes' });
  progress.emit({ type: 'progress', phase: 'survey', done: 4990, rows: 1200 });
  await clock.advance(1500);
  progress.emit({ type: 'phase', phase: 'plan' });
  progress.emit({ type: 'phase', phase: 'suppressions', total: 0 });
  progress.emit({ type: 'phase', phase: 'contacts', total: 1200 });
  progress.emit({ type: 'progress', phase: 'contacts', done: 1200 });
  progress.emit({ type: 'phase', phase: 'done' });
  progress.stop();
  expect(lines).toEqual([
    '2026-01-01T00:00:00Z survey: started\n',
    '2026-01-01T00:00:01Z survey: done, 1,200 rows, 2 s\n',
    '2026-01-01T00:00:01Z contacts: 1,200 rows\n',
    '2026-01-01T00:00:01Z contacts: done, 1,200 rows, 0 s\n',
  ]);
});

test('the progress in a log has a line for each 10 %, at most one in 10 s', async () => {
  const { clock, lines, progress } = world();
  progress.emit({ type: 'phase', phase: 'contacts', total: 1000 });
  for (let done = 1; done <= 500; done += 1) {
    await clock.advance(100);
    progress.emit({ type: 'progress', phase: 'contacts', done });
  }
  progress.stop();
  expect(lines).toEqual([
    '2026-01-01T00:00:10Z contacts: 100 of 1,000 rows, 10%, 10 rows/s, about 1 min 30 s left\n',
    '2026-01-01T00:00:20Z contacts: 200 of 1,000 rows, 20%, 10 rows/s, about 1 min 20 s left\n',
    '2026-01-01T00:00:30Z contacts: 300 of 1,000 rows, 30%, 10 rows/s, about 1 min 10 s left\n',
    '2026-01-01T00:00:40Z contacts: 400 of 1,000 rows, 40%, 10 rows/s, about 1 min left\n',
    '2026-01-01T00:00:50Z contacts: 500 of 1,000 rows, 50%, 10 rows/s, about 50 s left\n',
    '2026-01-01T00:00:50Z contacts: not finished, 500 of 1,000 rows, 50%, 50 s\n',
  ]);
});

test('the progress in a log has one line for each long wait, with its reason', async () => {
  const { clock, lines, progress } = world();
  progress.emit({ type: 'wait', reason: 'retry', ms: 900 });
  progress.emit({ type: 'wait', reason: 'rate_limit', ms: 23_000 });
  progress.emit({ type: 'wait', reason: 'rate_limit', ms: 22_000 });
  await clock.advance(30_000);
  progress.emit({ type: 'wait', reason: 'lock', ms: 600_000 });
  expect(lines).toEqual([
    "2026-01-01T00:00:00Z waiting 23 s for the service's rate limit\n",
    '2026-01-01T00:00:30Z waiting 10 min for the other run at this destination\n',
  ]);
});

test('the progress in a log names the cause of a retry at once, and only once', () => {
  const { lines, progress } = world();
  const wait = { type: 'wait', reason: 'retry', ms: 900 } as const;
  progress.emit({ ...wait, cause: 'no answer from the service: ECONNREFUSED' });
  progress.emit({ ...wait, cause: 'no answer from the service: ECONNREFUSED' });
  progress.emit({ ...wait, cause: 'busy\n' });
  expect(lines).toEqual([
    '2026-01-01T00:00:00Z waiting 1 s before trying again: no answer from the service: ECONNREFUSED\n',
    '2026-01-01T00:00:00Z waiting 1 s before trying again: busy\\u000a\n',
  ]);
});

test('the progress in a log escapes control characters in notes (K5)', () => {
  const { lines, progress } = world();
  progress.emit({ type: 'note', message: 'a\nb\u001b[2J' });
  expect(lines).toEqual(['2026-01-01T00:00:00Z note: a\\u000ab\\u001b[2J\n']);
});

test('the progress has only request lines with --verbose and --quiet', () => {
  const { lines, progress } = world({ isSilent: true, verbose: true });
  progress.emit({ type: 'phase', phase: 'contacts', total: 5 });
  progress.emit({ type: 'note', message: 'hello' });
  progress.emit({ type: 'wait', reason: 'retry', ms: 20_000 });
  progress.emit({
    type: 'request',
    method: 'GET',
    path: '/v1/audiences',
    status: undefined,
    ms: 12_000.4,
    attempt: 2,
    requestId: undefined,
    remaining: undefined,
    replayed: false,
    problem: 'timeout',
  });
  progress.stop();
  expect(lines).toEqual(['2026-01-01T00:00:00Z GET /v1/audiences no answer 12,000 ms attempt 2 timeout\n']);
});
