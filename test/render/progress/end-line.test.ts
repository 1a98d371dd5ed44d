import { expect, test } from 'vitest';
import type { Phase, RunEvent } from '../../../src/base/events.ts';
import { endLine, leavesLine } from '../../../src/render/progress/end-line.ts';
import { advance, nothingYet } from '../../../src/render/progress/progress-state.ts';
import { createStyle } from '../../../src/render/text/style.ts';

const style = createStyle(false, 80);

function left(events: readonly RunEvent[], next: Phase | undefined) {
  const { current } = events.reduce((state, event) => advance(state, event, 0), nothingYet(0));
  return leavesLine(current!) ? endLine(current!, { now: 2000, next }, style) : undefined;
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
