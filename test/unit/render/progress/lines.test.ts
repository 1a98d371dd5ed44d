import { expect, test } from 'vitest';
import type { Phase, RunEvent } from '../../../../src/base/events.ts';
import { barLine, doneOfTotalWords, endLine, hasEndLine, statusLine } from '../../../../src/render/progress/lines.ts';
import { advanceProgress, initialProgress } from '../../../../src/render/progress/state.ts';
import { createStyle } from '../../../../src/render/text/style.ts';
import { displayWidth } from '../../../../src/render/text/width.ts';

const started = advanceProgress(initialProgress(0), { type: 'phase', phase: 'suppressions', total: 1_200_000 }, 0);

/** A moment at which both clocks show the same. */
const at = (ms: number) => ({ monotonic: ms, wall: ms });

test('a progress bar has the same length from the first row to the last', () => {
  const lengths = [0, 7, 999, 54_321, 1_200_000].map((done) => {
    const { currentPhase } = advanceProgress(started, { type: 'progress', phase: 'suppressions', done }, 1000);
    return barLine(currentPhase!, createStyle(false, 80)).replace(/[^━·]/g, '').length;
  });
  expect(lengths).toEqual([29, 29, 29, 29, 29]);
});

test.each(Array.from({ length: 130 }, (_, width) => width + 20))(
  'each progress line fits into a terminal of %i columns',
  (columns) => {
    const waiting = advanceProgress(started, { type: 'wait', reason: 'reserve', ms: 600_000 }, 0);
    const style = createStyle(false, columns);
    expect(displayWidth(barLine(waiting.currentPhase!, style))).toBeLessThan(columns);
    expect(displayWidth(statusLine(waiting, at(0), style))).toBeLessThan(columns);
  },
);

test('the progress shows a count and no bar when the total is unknown', () => {
  const { currentPhase } = advanceProgress(
    initialProgress(0),
    { type: 'progress', phase: 'survey', done: 9, rows: 9 },
    0,
  );
  expect(barLine(currentPhase!, createStyle(false, 80))).toBe('  survey        9 rows');
});

test('the progress says "nothing new" when no event came for 10 s', () => {
  expect(statusLine(started, at(9_999), createStyle(false, 80)).trim()).toBe('elapsed 10 s');
  expect(statusLine(started, at(14_000), createStyle(false, 80)).trim()).toBe('nothing new for 14 s');
});

test.each([
  [9_000, 80, 'waiting 9 s to leave requests to other programs'],
  [90_000, 60, 'waiting 1 min 30 s to leave requests to other programs'],
  [90_000, 80, 'waiting 1 min 30 s to leave requests to other programs (until 00:01:30 UTC)'],
])('shows the end of a wait of %i ms when %i columns have room for it', (ms, columns, text) => {
  const waiting = advanceProgress(started, { type: 'wait', reason: 'reserve', ms }, 0);
  expect(statusLine(waiting, at(0), createStyle(false, columns)).trim()).toBe(text);
});

test('the progress shows no total when the count of a phase exceeds it', () => {
  const counted = advanceProgress(initialProgress(0), { type: 'phase', phase: 'export', total: 60, unit: 'rows' }, 0);
  const words = [60, 61].map((done) =>
    doneOfTotalWords(advanceProgress(counted, { type: 'progress', phase: 'export', done }, 1000).currentPhase!),
  );
  expect(words).toEqual(['60 of 60 contacts', '61 contacts']);
});

const style = createStyle(false, 80);

function left(events: readonly RunEvent[], next: Phase | undefined) {
  const { currentPhase } = events.reduce((state, event) => advanceProgress(state, event, 0), initialProgress(0));
  return hasEndLine(currentPhase!) ? endLine(currentPhase!, { now: 2000, next }, style) : undefined;
}

const canary: RunEvent = { type: 'phase', phase: 'first_batch', total: 4 };
const contacts: RunEvent = { type: 'phase', phase: 'contacts', total: 1000 };
const survey: RunEvent = { type: 'phase', phase: 'survey', total: 100, unit: 'bytes' };
const done = (phase: Phase, count: number, rows?: number): RunEvent => ({
  type: 'progress',
  phase,
  done: count,
  ...(rows === undefined ? {} : { rows }),
});

test.each<{ title: string; events: RunEvent[]; next: Phase | undefined; line: string | undefined }>([
  {
    title: 'all rows are done',
    events: [contacts, done('contacts', 1000)],
    next: 'report',
    line: '✓ contacts      1,000 rows, 2 s',
  },
  {
    title: 'rows are missing, but the run continues',
    events: [contacts, done('contacts', 10)],
    next: 'verify',
    line: '■ contacts      10 of 1,000 rows, 1%, 2 s',
  },
  {
    title: 'the canary has no count, and the batches follow',
    events: [canary],
    next: 'contacts',
    line: '✓ first people  4 rows, 2 s',
  },
  {
    title: 'the canary was refused, and the report follows',
    events: [canary],
    next: 'report',
    line: '■ first people  0 of 4 rows, 0%, 2 s',
  },
  {
    title: 'the run was interrupted after the last row',
    events: [contacts, done('contacts', 1000)],
    next: undefined,
    line: '✓ contacts      1,000 rows, 2 s',
  },
  {
    title: 'the run was interrupted',
    events: [contacts],
    next: undefined,
    line: '■ contacts      0 of 1,000 rows, 0%, 2 s',
  },
  {
    title: 'the total bytes of a survey were only an estimate',
    events: [survey, done('survey', 98, 7)],
    next: 'plan',
    line: '✓ survey        7 rows, 2 s',
  },
  {
    title: 'a survey was cut short',
    events: [survey, done('survey', 50, 7)],
    next: 'report',
    line: '■ survey        7 rows, 50%, 2 s',
  },
  {
    title: 'the list is read a second time',
    events: [survey, done('survey', 100, 9), survey, done('survey', 100, 7)],
    next: 'plan',
    line: '✓ second read   7 rows, 2 s',
  },
  {
    title: 'a phase has nothing to do',
    events: [{ type: 'phase', phase: 'suppressions', total: 0 }],
    next: 'contacts',
    line: undefined,
  },
  {
    title: 'a phase does no work on rows',
    events: [{ type: 'phase', phase: 'plan' }],
    next: 'contacts',
    line: undefined,
  },
])('the progress ends a phase with the right line when $title', ({ events, next, line }) => {
  expect(left(events, next)).toBe(line);
});
