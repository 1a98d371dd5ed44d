import { expect, test } from 'vitest';
import { reportText } from '../../../../src/render/report/full-report.ts';
import { createStyle } from '../../../../src/render/text/style.ts';
import { sampleReport } from '../sample.ts';

const style = createStyle(false, 80);

test('the report shows the end of a run, its row outcomes and next steps', () => {
  expect(reportText({ ...sampleReport, rows_replayed: 1000 }, style)).toBe(`! Finished, but 10 rows need a look.
  run       run_7f3a
  from      export.zip › subscribed.csv
  to        https://api.example.com
  audience  Newsletter (aud_1)

Rows
  1,200 rows read = 1,100 created + 40 suppressed + 20 merged + 30 skipped
    + 10 rejected
     30  skipped: never confirmed
     10  rejected: left out; correct them in the rejects file
  1,000  replayed: the service had accepted them before and wrote nothing new
         (counted above)

Requests
  33 sent, 1 retried

Verification
  ✓ 1,100 more contacts than before

Checks
  ! 2 rows have more cells than the header; the extra cells are not sent
      export.zip:7  Notes "a\\u001b[2Jb"
      export.zip:9

Files
  rejects  /state/run_7f3a/rejects/subscribed.csv
  report   /state/run_7f3a/report.json

Next
  1. Verify the sending domain before the first campaign.
`);
});

test('the report of a stopped run shows message, id and command (O9, P1)', () => {
  const text = reportText(
    {
      ...sampleReport,
      status: 'stopped',
      exit_code: 7,
      phase: 'contacts',
      rows: { ...sampleReport.rows, created: 1000, unsent: 100 },
      findings: [],
      next: ['svc runs resume run_7f3a', 'Look at the\u0007 report.'],
      error: {
        code: 'plan_limit_reached',
        message: '0 subscribers of headroom\u001b[2J',
        hint: 'upgrade, or take rows out',
        exit_code: 7,
        request_id: 'req_99',
      },
    },
    style,
  );
  expect(text).toBe(`✗ Stopped: the service refused, and the cause must be removed first. What was
  done is recorded; nothing is lost.
  0 subscribers of headroom\\u001b[2J
  upgrade, or take rows out
  request id: req_99

  run       run_7f3a
  from      export.zip › subscribed.csv
  to        https://api.example.com
  audience  Newsletter (aud_1)

Rows
  1,200 rows read = 1,000 created + 40 suppressed + 20 merged + 30 skipped
    + 10 rejected + 100 not sent
  30  skipped: never confirmed
  10  rejected: left out; correct them in the rejects file

Requests
  33 sent, 1 retried

Verification
  ✓ 1,100 more contacts than before

Files
  rejects  /state/run_7f3a/rejects/subscribed.csv
  report   /state/run_7f3a/report.json

Next
  1. svc runs resume run_7f3a
  2. Look at the\\u0007 report.
`);
});

test('the report of a dry run shows the plan, and rows as "would be sent"', () => {
  const text = reportText(
    {
      ...sampleReport,
      status: 'planned',
      exit_code: 0,
      dry_run: true,
      phase: 'plan',
      rows: { ...sampleReport.rows, created: 0, suppressed: 0, unsent: 1140 },
      requests: { sent: 0, retried: 0, replayed: 0, rate_limited: 0 },
      verification: { status: 'skipped', checks: [] },
      files: {},
      next: [],
    },
    style,
  );
  expect([text.slice(0, text.indexOf('  to ')), text.slice(text.indexOf('Rows'))]).toEqual([
    '✓ Dry run: nothing was sent.\n\nPlan: migrate\n',
    `Rows
  1,200 rows read = 20 merged + 30 skipped + 10 rejected + 1,140 would be sent
  30  skipped: never confirmed
  10  rejected: left out; correct them in the rejects file
`,
  ]);
});

test('the report counts even unknown outcomes of an enrollment', () => {
  const text = reportText(
    {
      ...sampleReport,
      command: 'automations enroll',
      status: 'partial',
      audience: null,
      automation: { id: 'aut_1', name: 'Welcome' },
      rows: { read: 9, enrolled: 5, not_subscribed: 2, brand_new_outcome: 1, unknown: 1 },
      skipped: {},
      findings: [],
      files: {},
      next: ['svc runs resolve run_7f3a'],
    },
    style,
  );
  expect(text).toContain('automation  Welcome (aut_1)');
  expect(text).toContain('9 rows read = 5 enrolled + 2 not subscribed + 1 brand new outcome + 1 unknown\n');
  expect(text).toContain('  1. svc runs resolve run_7f3a\n');
});

test('the report shows a message once when a check stops the run', () => {
  const stop = { check: 'automations', level: 'stop', message: '1 automation would start', total: 1 } as const;
  const error = {
    code: 'automations',
    message: 'nothing was sent: 1 automation would start',
    hint: '',
    exit_code: 5,
  } as const;
  const text = reportText({ ...sampleReport, status: 'refused', exit_code: 5, findings: [stop], error }, style);
  expect(text.match(/1 automation would start/g)).toHaveLength(1);
  expect(text).not.toContain('place');
  expect(reportText({ ...sampleReport, status: 'planned', dry_run: true }, style)).toContain('  33 sent, only to read');
});

test('the report says that the user declined the plan, and blames no check', () => {
  const error = {
    code: 'declined',
    message: 'nothing was sent: the plan was declined',
    hint: '',
    exit_code: 5,
  } as const;
  const text = reportText({ ...sampleReport, status: 'refused', exit_code: 5, phase: 'plan', error }, style);
  expect(text).toMatch(/^✗ Not started: the answer was no. Nothing was sent.\n {2}run /);
});
