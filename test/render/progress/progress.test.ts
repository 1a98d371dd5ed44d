import { expect, test } from 'vitest';
import { createManualClock } from '../../../src/base/lib/manual-clock.ts';
import { createProgress } from '../../../src/render/progress/progress.ts';

const flags = { json: false, quiet: false, verbose: false, progress: true, color: false };

test.each([
  { title: 'a terminal gets bars', tty: true, shown: 'bars' },
  { title: 'a terminal with --json gets bars: nobody parses it', tty: true, json: true, shown: 'bars' },
  { title: '--no-progress on a terminal gets lines', tty: true, progress: false, shown: 'lines' },
  { title: 'a log gets lines', tty: false, shown: 'lines' },
  { title: 'a program that reads JSON errors from stderr gets nothing', tty: false, json: true, shown: 'nothing' },
  { title: '--quiet gets nothing', tty: true, quiet: true, shown: 'nothing' },
])('$title', ({ title: _, tty, shown, ...given }) => {
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
  const kind = text === '' ? 'nothing' : text.includes('·') ? 'bars' : 'lines';
  progress.stop();
  expect(kind).toBe(shown);
});
