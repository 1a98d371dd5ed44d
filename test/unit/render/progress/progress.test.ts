import { expect, test } from 'vitest';
import { createProgress } from '../../../../src/render/progress/progress.ts';
import { createManualClock } from '../../../support/manual-clock.ts';

const flags = { json: false, quiet: false, verbose: false, progress: true, color: false };

test.each([
  { title: 'shows bars on a terminal', tty: true, shown: 'bars' },
  { title: 'shows bars on a terminal with --json, because no program reads it', tty: true, json: true, shown: 'bars' },
  { title: 'writes lines on a terminal with --no-progress', tty: true, progress: false, shown: 'lines' },
  { title: 'writes lines to a log', tty: false, shown: 'lines' },
  { title: 'writes nothing when a program reads JSON errors from stderr', tty: false, json: true, shown: 'nothing' },
  { title: 'writes nothing with --quiet', tty: true, quiet: true, shown: 'nothing' },
])('the progress display $title', ({ title: _, tty, shown, ...given }) => {
  let text = '';
  const stderr = {
    write: (part: string) => {
      text += part;
    },
    isTTY: tty,
    columns: tty ? 80 : undefined,
  };
  const progress = createProgress({ ...flags, ...given, stderr, clock: createManualClock() });
  progress.emit({ type: 'phase', phase: 'contacts', total: 10 });
  progress.emit({ type: 'note', message: 'look' });
  const kind = text === '' ? 'nothing' : text.includes('·') ? 'bars' : 'lines';
  progress.stop();
  expect(kind).toBe(shown);
});

test('the progress display sums up how long it was paused', async () => {
  const clock = createManualClock();
  const stderr = { write: () => {}, isTTY: false, columns: undefined };
  const progress = createProgress({ ...flags, stderr, clock });
  const paused: number[] = [];
  for (const change of [progress.pause, progress.resume, progress.pause]) {
    change();
    await clock.advance(1000);
    paused.push(progress.pausedMs());
  }
  progress.stop();
  expect(paused).toEqual([1000, 1000, 2000]);
});
