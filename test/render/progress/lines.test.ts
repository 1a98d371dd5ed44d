import { expect, test } from 'vitest';
import type { Phase, RunEvent } from '../../../src/base/events.ts';
import { barLine, countWords, endLine, hasEndLine, statusLine } from '../../../src/render/progress/lines.ts';
import { advance, nothingYet } from '../../../src/render/progress/state.ts';
import { createStyle } from '../../../src/render/text/style.ts';
import { displayWidth } from '../../../src/render/text/width.ts';

const started = advance(nothingYet(0), { type: 'phase', phase: 'suppressions', total: 1_200_000 }, 0);

test('the bar keeps its length from the first row to the last', () => {
  const lengths = [0, 7, 999, 54_321, 1_200_000].map((done) => {
    const { current } = advance(started, { type: 'progress', phase: 'suppressions', done }, 1000);
    return barLine(current!, createStyle(false, 80)).replace(/[^━·]/g, '').length;
  });
  expect(lengths).toEqual([29, 29, 29, 29, 29]);
});

test.each(Array.from({ length: 130 }, (_, width) => width + 20))(
  'at %i columns no line is wider than the screen',
  (columns) => {
    const waiting = advance(started, { type: 'wait', reason: 'reserve', ms: 600_000 }, 0);
    const style = createStyle(false, columns);
    expect(displayWidth(barLine(waiting.current!, style))).toBeLessThan(columns);
    expect(displayWidth(statusLine(waiting, 0, style))).toBeLessThan(columns);
  },
);

test('an unknown whole has no bar', () => {
  const { current } = advance(nothingYet(0), { type: 'progress', phase: 'survey', done: 9, rows: 9 }, 0);
  expect(barLine(current!, createStyle(false, 80))).toBe('  survey        9 rows');
});

test('after 10 s without a word the screen says so', () => {
  expect(statusLine(started, 9_999, createStyle(false, 80)).trim()).toBe('');
  expect(statusLine(started, 14_000, createStyle(false, 80)).trim()).toBe('nothing new for 14 s');
});

test('more than was counted before is no part of it', () => {
  const counted = advance(nothingYet(0), { type: 'phase', phase: 'export', total: 60, unit: 'rows' }, 0);
  const words = [60, 61].map((done) =>
    countWords(advance(counted, { type: 'progress', phase: 'export', done }, 1000).current!),
  );
  expect(words).toEqual(['60 of 60 contacts', '61 contacts']);
});

const style = createStyle(false, 80);

function left(events: readonly RunEvent[], next: Phase | undefined) {
  const { current } = events.reduce((state, event) => advance(state, event, 0), nothingYet(0));
  return hasEndLine(current!) ? endLine(current!, { now: 2000, next }, style) : undefined;
}

const batch: RunEvent = { type: 'phase', phase: 'first_batch', total: 1000 };
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
    title: 'all rows done',
    events: [contacts, done('contacts', 1000)],
    next: 'report',
    line: '✓ contacts      1,000 rows, 2 s',
  },
  {
    title: 'rows missing, though the run went on',
    events: [contacts, done('contacts', 10)],
    next: 'verify',
    line: '■ contacts      10 of 1,000 rows, 1%, 2 s',
  },
  {
    title: 'a first batch that counts nothing and is followed by the others',
    events: [batch],
    next: 'contacts',
    line: '✓ first batch   1,000 rows, 2 s',
  },
  {
    title: 'a first batch that is followed by the report was refused',
    events: [batch],
    next: 'report',
    line: '■ first batch   0 of 1,000 rows, 0%, 2 s',
  },
  {
    title: 'interrupted after the last row',
    events: [contacts, done('contacts', 1000)],
    next: undefined,
    line: '✓ contacts      1,000 rows, 2 s',
  },
  { title: 'interrupted', events: [contacts], next: undefined, line: '■ contacts      0 of 1,000 rows, 0%, 2 s' },
  {
    title: 'a survey whose bytes were estimated',
    events: [survey, done('survey', 98, 7)],
    next: 'plan',
    line: '✓ survey        7 rows, 2 s',
  },
  {
    title: 'a survey that broke off',
    events: [survey, done('survey', 50, 7)],
    next: 'report',
    line: '■ survey        7 rows, 50%, 2 s',
  },
  {
    title: 'the list read a second time',
    events: [survey, done('survey', 100, 9), survey, done('survey', 100, 7)],
    next: 'plan',
    line: '✓ second read   7 rows, 2 s',
  },
  {
    title: 'nothing to do',
    events: [{ type: 'phase', phase: 'suppressions', total: 0 }],
    next: 'contacts',
    line: undefined,
  },
  { title: 'no work of its own', events: [{ type: 'phase', phase: 'plan' }], next: 'contacts', line: undefined },
])('$title', ({ events, next, line }) => {
  expect(left(events, next)).toBe(line);
});
