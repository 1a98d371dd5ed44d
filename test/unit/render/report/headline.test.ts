import { expect, test } from 'vitest';
import type { Phase } from '../../../../src/base/events.ts';
import { headline } from '../../../../src/render/report/headline.ts';
import type { RunStatus } from '../../../../src/run-lifecycle/data/run-report.ts';

const LATE = 'What was done is recorded; nothing is lost.';

test.each<{ status: RunStatus; phase: Phase; text: string }>([
  { status: 'completed', phase: 'done', text: 'Done. Every row is accounted for.' },
  { status: 'planned', phase: 'plan', text: 'Dry run: nothing was sent.' },
  { status: 'partial', phase: 'done', text: 'Finished, but 1 row needs a look.' },
  { status: 'refused', phase: 'plan', text: 'Not started: a check stopped the run. Nothing was sent.' },
  {
    status: 'stopped',
    phase: 'contacts',
    text: `Stopped: the service refused, and the cause must be removed first. ${LATE}`,
  },
  {
    status: 'failed',
    phase: 'plan',
    text: 'Gave up: the network or the service failed. No row was sent.',
  },
  { status: 'interrupted', phase: 'suppressions', text: `Interrupted. ${LATE}` },
  {
    status: 'unverified',
    phase: 'first_batch',
    text: 'Stopped early: what the service shows differs from what svc sent.',
  },
  {
    status: 'unverified',
    phase: 'done',
    text: 'Sent, but what the service shows differs in part from what svc sent.',
  },
  {
    status: 'later',
    phase: 'contacts',
    text: `Paused: the service asks for a longer wait than --max-wait allows. ${LATE}`,
  },
  {
    status: 'busy',
    phase: 'plan',
    text: 'Not started: another run is working on this destination. Nothing was sent.',
  },
  {
    status: 'bug',
    phase: 'contacts',
    text: `svc itself failed: this is a bug. ${LATE}`,
  },
])('the report has a headline for status $status in phase $phase: $text', ({ status, phase, text }) => {
  const rows = { read: 1, ...(status === 'completed' || status === 'planned' ? { created: 1 } : { unknown: 1 }) };
  expect(headline({ status, phase, dry_run: status === 'planned', rows }).text).toBe(text);
});

test.each([
  ['disk_full', 'the disk is full'],
  ['too_many_files', 'this program may not open more files'],
  ['state_unwritable', "a file can't be read or written"],
  ['state_damaged', 'a file is damaged'],
  ['state_busy', 'another program holds a file'],
  ['state_lost', 'the state folder was changed'],
  ['network', 'the network or the service failed'],
])('the headline names the cause when a run fails with the error %s (D9)', (code, cause) => {
  const report = {
    status: 'failed' as const,
    phase: 'contacts' as const,
    dry_run: false,
    rows: { read: 1, unsent: 1 },
  };
  expect(headline({ ...report, error: { code, message: 'm', exit_code: 1 } }).text).toContain(`Gave up: ${cause}. `);
});

// `plan`: an earlier run showed that the service signs people up again. `contacts`: a later batch shows it.
test.each<[Phase, boolean, string]>([
  ['plan', false, 'Not started: the service signs people up again who opted out. Nothing was sent.'],
  ['plan', true, 'Stopped: the service signs people up again who opted out. Nothing more was sent.'],
  ['contacts', false, 'Stopped early: what the service shows differs from what svc sent.'],
])('the headline never says Sent for unsent rows: phase %s, resume: %s (C1)', (phase, resumed, text) => {
  const report = { status: 'unverified' as const, phase, dry_run: false, rows: { read: 2, unsent: 2 } };
  expect(headline({ ...report, ...(resumed && { resumed }) })).toEqual({ text, tone: 'red' });
});

test.each([
  [{ read: 3, created: 2, unsent: 1 }, 'Ended, but 1 row was not sent.'],
  [{ read: 3, created: 2 }, 'Ended, but the counts do not add up.'],
  [{ read: 3, created: 4, unsent: -1 }, 'Ended, but the counts do not add up.'],
  [{ read: 3, created: Number.NaN }, 'Ended, but the counts do not add up.'],
])('the headline is not Done when rows are unsent or miscounted: %j (L5)', (rows, text) => {
  const report = { status: 'completed' as const, phase: 'done' as const, dry_run: false, rows };
  expect(headline(report)).toEqual({ text, tone: 'red' });
});

test.each(['in_doubt', 'automations', 'max_failures'])(
  'the headline says that svc itself stopped the run at the error %s',
  (code) => {
    const report = { status: 'stopped', phase: 'contacts', dry_run: false, rows: { read: 1, unsent: 1 } } as const;
    const error = { code, message: 'a message', exit_code: 7 } as const;
    expect(headline({ ...report, error }).text).toBe(
      `Stopped: svc sends nothing more, because it could do harm. ${LATE}`,
    );
  },
);

test.each([
  { rows: { read: 1, enrolled: 0, not_subscribed: 1 }, text: 'No one was enrolled: 1 not subscribed.' },
  {
    rows: { read: 4, enrolled: 0, already_enrolled: 2, suppressed: 1, skipped: 1, merged: 0 },
    text: 'No one was enrolled: 2 already enrolled, 1 suppressed, 1 skipped.',
  },
  { rows: { read: 2, enrolled: 1, not_subscribed: 1 }, text: 'Done. Every row is accounted for.' },
  {
    rows: { read: 3, enrolled: 0, unknown: 3 },
    text: "It is not known whether 3 people were enrolled. Don't enroll them again by hand.",
  },
  {
    rows: { read: 3, enrolled: 1, not_subscribed: 1, unknown: 1 },
    text: "It is not known whether 1 person was enrolled. Don't enroll them again by hand.",
  },
])('the headline says whether people were enrolled: $text (M5)', ({ rows, text }) => {
  expect(headline({ status: 'completed', dry_run: false, phase: 'done', rows }).text).toBe(text);
});
