import { expect, test } from 'vitest';
import type { Phase } from '../../../../src/base/events.ts';
import type { RunStatus } from '../../../../src/migrate/types.ts';
import { headline } from '../../../../src/render/report/headline.ts';
import { nextLines } from '../../../../src/render/report/next-steps.ts';
import { createStyle } from '../../../../src/render/text/style.ts';

const LATE = 'What was done is recorded; nothing is lost.';

test.each<{ status: RunStatus; phase: Phase; text: string; next: string[] }>([
  { status: 'completed', phase: 'done', text: 'Done. Every row is accounted for.', next: [] },
  { status: 'planned', phase: 'plan', text: 'Dry run: nothing was sent.', next: [] },
  { status: 'partial', phase: 'done', text: 'Finished, but 1 row needs a look.', next: ['svc runs resolve run_1'] },
  { status: 'refused', phase: 'plan', text: 'Not started: a check said stop. Nothing was sent.', next: [] },
  {
    status: 'stopped',
    phase: 'contacts',
    text: `Stopped: the service refused, and asking again will not help. ${LATE}`,
    next: ['svc runs resume run_1'],
  },
  {
    status: 'failed',
    phase: 'plan',
    text: 'Gave up: the network or the service failed. No row was sent.',
    next: ['Run the same command again: no row was sent yet.'],
  },
  { status: 'interrupted', phase: 'suppressions', text: `Interrupted. ${LATE}`, next: ['svc runs resume run_1'] },
  {
    status: 'unverified',
    phase: 'first_batch',
    text: 'Stopped early: the service does not hold what was sent.',
    next: ['svc runs resolve run_1'],
  },
  {
    status: 'unverified',
    phase: 'done',
    text: 'Sent, but the service does not hold everything that was sent.',
    next: ['svc runs resolve run_1'],
  },
  {
    status: 'later',
    phase: 'contacts',
    text: `Paused: the service asks for a longer wait than --max-wait allows. ${LATE}`,
    next: ['svc runs resume run_1'],
  },
  {
    status: 'busy',
    phase: 'plan',
    text: 'Not started: another run is at work on this destination. Nothing was sent.',
    next: [],
  },
  {
    status: 'bug',
    phase: 'contacts',
    text: `svc itself failed: this is a bug. ${LATE}`,
    next: ['svc runs resume run_1'],
  },
])('$status in $phase: $text', ({ status, phase, text, next }) => {
  const report = {
    run: 'run_1',
    origin: null,
    status,
    phase,
    dry_run: status === 'planned',
    rows: { read: 1, ...(status === 'completed' || status === 'planned' ? { created: 1 } : { unknown: 1 }) },
    next: [],
  };
  expect(headline(report).text).toBe(text);
  expect(nextLines(report, createStyle(false, 80)).map((line) => line.slice(5))).toEqual(next);
});

test('does not repeat a resume command that the report names already', () => {
  const report = {
    run: 'run_1',
    origin: null,
    status: 'later' as const,
    phase: 'contacts' as const,
    dry_run: false,
    rows: {},
    next: ['At 14:05 type: svc runs resume run_1', 'Look at the\u0007 report.'],
  };
  expect(nextLines(report, createStyle(false, 80))).toEqual([
    '  1. At 14:05 type: svc runs resume run_1',
    '  2. Look at the\\u0007 report.',
  ]);
});

test('does not offer to resume when the emulator was temporary', () => {
  const report = {
    run: 'run_1',
    origin: 'emulator:x',
    status: 'interrupted' as const,
    phase: 'contacts' as const,
    dry_run: false,
    rows: { unknown: 1 },
    next: [],
  };
  expect(nextLines(report, createStyle(false, 80))).toEqual([]);
});

test.each([
  [{ read: 3, created: 2, unsent: 1 }, 'Ended, but 1 row is unsent.'],
  [{ read: 3, created: 2 }, 'Ended, but the counts do not add up.'],
  [{ read: 3, created: 4, unsent: -1 }, 'Ended, but the counts do not add up.'],
  [{ read: 3, created: Number.NaN }, 'Ended, but the counts do not add up.'],
])('does not call every row accounted for when the counts differ: %j (L5)', (rows, text) => {
  const report = { status: 'completed' as const, phase: 'done' as const, dry_run: false, rows };
  expect(headline(report)).toEqual({ text, tone: 'red' });
});

test.each([
  { rows: { read: 1, enrolled: 0, not_subscribed: 1 }, text: 'No one was enrolled: 1 not subscribed.' },
  {
    rows: { read: 4, enrolled: 0, already_enrolled: 2, suppressed: 1, skipped: 1, merged: 0 },
    text: 'No one was enrolled: 2 already enrolled, 1 suppressed, 1 skipped.',
  },
  { rows: { read: 2, enrolled: 1, not_subscribed: 1 }, text: 'Done. Every row is accounted for.' },
])('says in the headline when no person was enrolled: $text', ({ rows, text }) => {
  expect(headline({ status: 'completed', dry_run: false, phase: 'done', rows }).text).toBe(text);
});
