import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import { expect, test } from 'vitest';
import type { RunEvent } from '../../../../src/base/events.ts';
import { createSystemClock } from '../../../../src/base/lib/clock.ts';
import { createTerminalProgress } from '../../../../src/render/progress/terminal.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { createVirtualScreen } from '../virtual-screen.ts';

function world({ columns = 60, color = false, verbose = false } = {}) {
  const clock = createManualClock();
  const stderr = createVirtualScreen(columns);
  const stop = new AbortController();
  const progress = createTerminalProgress({ stderr, clock, color, verbose, signal: stop.signal });
  return { clock, stderr, progress, stop };
}

function request(patch: Partial<Extract<RunEvent, { type: 'request' }>> = {}): RunEvent {
  return {
    type: 'request',
    method: 'POST',
    path: '/v1/suppressions',
    status: 200,
    ms: 88,
    attempt: 1,
    requestId: 'req_1',
    remaining: 410,
    replayed: false,
    problem: undefined,
    ...patch,
  };
}

async function halfway({ clock, progress }: Pick<ReturnType<typeof world>, 'clock' | 'progress'>) {
  progress.emit({ type: 'phase', phase: 'survey', total: 5000, unit: 'bytes' });
  await clock.advance(2000);
  progress.emit({ type: 'progress', phase: 'survey', done: 5000, rows: 1200 });
  progress.emit({ type: 'phase', phase: 'contacts', total: 1200 });
  for (const done of [150, 300, 450, 600]) {
    await clock.advance(500);
    progress.emit({ type: 'progress', phase: 'contacts', done });
  }
}

test.each([
  {
    columns: 60,
    text: [
      '  contacts      ━━━━━━━━·········  50%    600 of 1,200 rows',
      '                300 rows/s, about 2 s left, elapsed 2 s',
    ],
  },
  {
    columns: 120,
    text: [
      '  contacts      ━━━━━━━━━━━━━━━━━━━━····················  50%    600 of 1,200 rows',
      '                300 rows/s, about 2 s left, elapsed 2 s',
    ],
  },
  {
    columns: 30,
    text: ['  contacts        50%', '  300 rows/s, about 2 s left…'],
  },
])('the progress display shows only the current phase, on $columns columns', async ({ columns, text }) => {
  const here = world({ columns });
  await halfway(here);
  expect(await here.stderr.text()).toBe(text.join('\n'));
  here.progress.stop();
});

test('the progress display leaves one line for each phase that wrote rows', async () => {
  const here = world();
  await halfway(here);
  await here.clock.advance(2000);
  here.progress.emit({ type: 'progress', phase: 'contacts', done: 1200 });
  here.progress.emit({ type: 'phase', phase: 'verify', total: 20 });
  here.progress.emit({ type: 'progress', phase: 'verify', done: 20 });
  here.progress.emit({ type: 'phase', phase: 'done' });
  here.progress.stop();
  here.stderr.write('$ ');
  expect(await here.stderr.text()).toBe(['✓ contacts      1,200 rows, 4 s', '$'].join('\n'));
});

test('the last progress stays on the screen when the run ends early', async () => {
  const here = world();
  await halfway(here);
  here.progress.stop();
  here.progress.stop();
  here.stderr.write('svc: gone\n');
  expect(await here.stderr.text()).toBe(['■ contacts      600 of 1,200 rows, 50%, 2 s', 'svc: gone'].join('\n'));
});

test('the progress marks no phase as done when some of its rows are missing', async () => {
  const here = world();
  await halfway(here);
  here.progress.emit({ type: 'phase', phase: 'report' });
  here.progress.emit({ type: 'phase', phase: 'done' });
  expect((await here.stderr.text()).split('\n').at(-1)).toBe('■ contacts      600 of 1,200 rows, 50%, 2 s');
});

test.each([
  { columns: 80, text: '                stopping; Ctrl-C again leaves at once' },
  { columns: 40, text: '  stopping; Ctrl-C again leaves at once' },
])('the progress says after Ctrl-C that svc stops, $columns columns (D4)', async ({ columns, text }) => {
  const here = world({ columns });
  await halfway(here);
  here.stop.abort();
  await here.clock.advance(100);
  here.progress.emit(request());
  expect((await here.stderr.text()).split('\n').at(-1)).toBe(text);
  here.progress.stop();
});

test('the progress shows the reason of a wait and counts its seconds down', async () => {
  const here = world();
  await halfway(here);
  here.progress.emit({ type: 'wait', reason: 'rate_limit', ms: 23_000 });
  expect((await here.stderr.text()).split('\n').at(-1)).toBe(
    "                waiting 23 s for the service's rate limit",
  );
  await here.clock.advance(20_000);
  here.progress.emit(request());
  here.progress.emit({ type: 'progress', phase: 'contacts', done: 601 });
  expect((await here.stderr.text()).split('\n').at(-1)).toBe(
    "                waiting 3 s for the service's rate limit",
  );
  await here.clock.advance(3_000);
  here.progress.emit({ type: 'progress', phase: 'contacts', done: 900 });
  expect((await here.stderr.text()).split('\n').at(-1)).toBe('                450 rows/s, elapsed 25 s');
  here.progress.stop();
});

test('the progress bar makes room for a prompt, and comes back below', async () => {
  const here = world();
  await halfway(here);
  here.progress.pause();
  here.stderr.write('Import 1 contact? y\n');
  here.progress.emit({ type: 'progress', phase: 'contacts', done: 1200 });
  here.progress.resume();
  expect(await here.stderr.text()).toBe(
    [
      'Import 1 contact? y',
      '  contacts      ━━━━━━━━━━━━━━━━━ 100%  1,200 of 1,200 rows',
      '                600 rows/s, elapsed 2 s',
    ].join('\n'),
  );
  here.progress.stop();
});

test('escapes control characters in lines above the progress bar (K5)', async () => {
  const here = world({ verbose: true });
  await halfway(here);
  here.stderr.written();
  here.progress.emit(request({ problem: 'odd \u001b[2J answer\r\n' }));
  here.progress.emit({
    type: 'note',
    message: 'look at \u009b31m this, which is longer than one line of the screen is',
  });
  expect(await here.stderr.text()).toBe(
    [
      'POST /v1/suppressions 200 88 ms req_1 remaining 410 odd \\u00',
      '1b[2J answer\\u000d\\u000a',
      '! look at \\u009b31m this, which is longer than one line of',
      '  the screen is',
      '  contacts      ━━━━━━━━·········  50%    600 of 1,200 rows',
      '                300 rows/s, about 2 s left, elapsed 2 s',
    ].join('\n'),
  );
  here.progress.stop();
});

test('the progress display shows request lines only with --verbose', async () => {
  const here = world();
  await halfway(here);
  const before = await here.stderr.text();
  here.progress.emit(request());
  expect(await here.stderr.text()).toBe(before);
  here.progress.stop();
});

test.each([40, 100])('the terminal shows one progress bar after a resize from 60 to %i columns', async (columns) => {
  const here = world();
  await halfway(here);
  await here.stderr.resize(columns);
  await here.clock.advance(1000);
  here.progress.emit({ type: 'progress', phase: 'contacts', done: 900 });
  expect((await here.stderr.text()).split('\n').slice(0, -1)).toEqual([
    columns === 40
      ? '  contacts      ━━━━━━━━━━━━━·····  75%'
      : '  contacts      ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━··········  75%    900 of 1,200 rows',
  ]);
  here.progress.stop();
});

test('the progress display redraws only for changes, not for every event', async () => {
  const here = world();
  await halfway(here);
  here.stderr.written();
  for (let done = 600; done < 700; done += 1) {
    here.progress.emit({ type: 'progress', phase: 'contacts', done });
  }
  expect(here.stderr.written()).toBe('');
  here.progress.resume();
  expect(here.stderr.written()).not.toBe('');
  here.progress.resume();
  expect(here.stderr.written()).toBe('');
  here.progress.stop();
});

test.each([
  {
    color: true,
    sequences: ['\x1b[22m', '\x1b[2K', '\x1b[2m', '\x1b[35m', '\x1b[39m', '\x1b[A'],
  },
  { color: false, sequences: ['\x1b[2K', '\x1b[A'] },
])('the progress display writes only known escape sequences, color $color', async ({ color, sequences }) => {
  const here = world({ color });
  await halfway(here);
  here.progress.stop();
  expect([...new Set(here.stderr.written().match(/\x1b\[[^A-Za-z]*[A-Za-z]/g))].toSorted()).toEqual(sequences);
});

test('the progress display starts no Node.js timer', async () => {
  // The test runner and the virtual screen start timers too. So this display writes nowhere, and only its timers count.
  const isDisplay = new AsyncLocalStorage<true>();
  let timers = 0;
  const hook = createHook({
    init(_, type) {
      timers += Number(type === 'Timeout' && isDisplay.getStore() === true);
    },
  }).enable();
  const clock = createManualClock();
  const stderr = { isTTY: true, columns: 60, write: () => {} };
  await isDisplay.run(true, async () => {
    const progress = createTerminalProgress({ stderr, clock, color: false, verbose: false });
    await halfway({ clock, progress });
    progress.emit({ type: 'wait', reason: 'rate_limit', ms: 60_000 });
    expect(clock.sleepers).toBe(0);
    progress.stop();
  });
  hook.disable();
  expect(timers).toBe(0);
});

test("the progress display redraws only when the program's clock advances", async () => {
  const here = world();
  await halfway(here);
  here.progress.emit({ type: 'progress', phase: 'contacts', done: 700 });
  here.stderr.written();
  await createSystemClock().sleep(300);
  expect(here.stderr.written()).toBe('');
  await here.clock.advance(250);
  expect(here.stderr.written()).toContain('700 of 1,200 rows');
  here.progress.stop();
  here.stderr.written();
  await here.clock.advance(1_000);
  expect(here.stderr.written()).toBe('');
});

test('the progress does not say "nothing new" after a long prompt', async () => {
  const here = world();
  await halfway(here);
  here.progress.pause();
  await here.clock.advance(60_000);
  here.progress.resume();
  expect((await here.stderr.text()).split('\n').at(-1)).toBe('                300 rows/s, elapsed 1 min 2 s');
  here.progress.stop();
});

test('the progress says "second read" when svc reads the list again', async () => {
  const here = world();
  here.progress.emit({ type: 'phase', phase: 'survey', total: 100, unit: 'bytes' });
  here.progress.emit({ type: 'progress', phase: 'survey', done: 100, rows: 9 });
  here.progress.emit({ type: 'phase', phase: 'survey', total: 100, unit: 'bytes' });
  here.progress.emit({ type: 'progress', phase: 'survey', done: 50, rows: 4 });
  here.progress.emit({ type: 'phase', phase: 'report' });
  here.progress.emit({ type: 'phase', phase: 'done' });
  expect(await here.stderr.text()).toBe('■ second read   4 rows, 50%, 0 s');
});
