import { expect, test } from 'vitest';
import { barLine, countWords, statusLine } from '../../../src/render/progress/progress-line.ts';
import { advance, nothingYet } from '../../../src/render/progress/progress-state.ts';
import { createStyle } from '../../../src/render/text/style.ts';
import { displayWidth } from '../../../src/render/text/width.ts';

const begun = advance(nothingYet(0), { type: 'phase', phase: 'suppressions', total: 1_200_000 }, 0);

test('the bar keeps its length from the first row to the last', () => {
  const lengths = [0, 7, 999, 54_321, 1_200_000].map((done) => {
    const { current } = advance(begun, { type: 'progress', phase: 'suppressions', done }, 1000);
    return barLine(current!, createStyle(false, 80)).replace(/[^━·]/g, '').length;
  });
  expect(lengths).toEqual([29, 29, 29, 29, 29]);
});

test.each(Array.from({ length: 130 }, (_, width) => width + 20))(
  'at %i columns no line is wider than the screen',
  (columns) => {
    const waiting = advance(begun, { type: 'wait', reason: 'reserve', ms: 600_000 }, 0);
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
  expect(statusLine(begun, 9_999, createStyle(false, 80)).trim()).toBe('');
  expect(statusLine(begun, 14_000, createStyle(false, 80)).trim()).toBe('nothing new for 14 s');
});

test('more than was counted before is no part of it', () => {
  const counted = advance(nothingYet(0), { type: 'phase', phase: 'export', total: 60, unit: 'rows' }, 0);
  const words = [60, 61].map((done) =>
    countWords(advance(counted, { type: 'progress', phase: 'export', done }, 1000).current!),
  );
  expect(words).toEqual(['60 of 60 contacts', '61 contacts']);
});
