import { expect, test } from 'vitest';
import { logLine, type ResultContext, resultText } from '../../../../src/render/report/short-report.ts';
import { createStyle } from '../../../../src/render/text/style.ts';
import { sampleReport } from '../sample.ts';
import { createVirtualScreen } from '../virtual-screen.ts';

const run = 'run_20261122T015114123_11139e';
const folder = `/home/op/.local/state/svc/runs/${run}`;
const success = {
  ...sampleReport,
  run,
  status: 'completed',
  exit_code: 0,
  rows: { ...sampleReport.rows, rejected: 0, read: 1190 },
  files: { report: `${folder}/report.json` },
} as const;
const context: ResultContext = {
  elapsedMs: 8_200,
  home: '/home/op',
  isPlanShown: true,
  problemFollows: false,
  planned: undefined,
  details: undefined,
};

test.each([
  {
    columns: 50,
    text: `✓ Done in 9 s: 1,100 contacts created in
  Newsletter (900 subscribed, 200 unsubscribed)
  1,190 rows read = 1,100 created + 40 suppressed
    + 20 merged + 30 skipped
  30  skipped: never confirmed
  Verified: the counts match
  Report:
    ~/.local/state/svc/runs/run_20261122T015114123
_11139e/report.json
  Details:
    svc runs show run_20261122T015114123_11139e
  Next:
    Verify the sending domain before the first
    campaign.`,
  },
  {
    columns: 80,
    text: `✓ Done in 9 s: 1,100 contacts created in Newsletter (900 subscribed, 200
  unsubscribed)
  1,190 rows read = 1,100 created + 40 suppressed + 20 merged + 30 skipped
  30  skipped: never confirmed
  Verified: the counts match
  Report: ~/.local/state/svc/runs/run_20261122T015114123_11139e/report.json
  Details: svc runs show run_20261122T015114123_11139e
  Next: Verify the sending domain before the first campaign.`,
  },
  {
    columns: 120,
    text: `✓ Done in 9 s: 1,100 contacts created in Newsletter (900 subscribed, 200 unsubscribed)
  1,190 rows read = 1,100 created + 40 suppressed + 20 merged + 30 skipped (never confirmed)
  Verified: the counts match
  Report: ~/.local/state/svc/runs/run_20261122T015114123_11139e/report.json
  Details: svc runs show run_20261122T015114123_11139e
  Next: Verify the sending domain before the first campaign.`,
  },
])('the result says that the counts match, on $columns columns (L5)', async (at) => {
  const screen = createVirtualScreen(at.columns);
  screen.write(resultText(success, context, createStyle(true, at.columns)));
  expect(await screen.text()).toBe(at.text);
});

const style = createStyle(false, 80);

test('the result of a partial run shows failed rows and how to correct them', () => {
  const rows = { ...success.rows, created: 1095, failed: 5 };
  const next = [`Correct 5 rows in ${folder}/rejects/list.csv and give the file to the same command.`];
  const report = { ...success, status: 'partial', exit_code: 3, rows, next } as const;
  expect(resultText(report, context, style)).toBe(`! Finished, but 5 rows need a look. It took 9 s.
  1,190 rows read = 1,095 created + 40 suppressed + 20 merged + 30 skipped
    + 5 failed
  30  skipped: never confirmed
   5  failed: refused by the service; see the rejects file
  Verified: the counts match
  Report: ~/.local/state/svc/runs/run_20261122T015114123_11139e/report.json
  Details: svc runs show run_20261122T015114123_11139e
  Next: Correct 5 rows in
        ~/.local/state/svc/runs/run_20261122T015114123_11139e/rejects/list.csv
        and give the file to the same command.
`);
});

test('the result does not say "done" when the counts do not add up (L5)', () => {
  const text = resultText({ ...success, rows: { ...success.rows, created: 1000 } }, context, style);
  expect(text).not.toContain('Done');
  expect(text).toContain('does not add up: 100 missing');
});

test('the result says that nothing new was written when all rows are replays', () => {
  const text = resultText({ ...success, rows_replayed: 1140 }, context, style);
  expect(text).toMatch(/^✓ Done in 9 s: nothing new was written, because/);
});

test('the result lists why a run was refused, without hints and file names', () => {
  const stop = {
    check: 'new_fields',
    level: 'stop',
    message: '60 new custom fields',
    hint: '--max-new-fields 60',
  } as const;
  const report = { ...success, status: 'refused', exit_code: 5, findings: [stop, stop] } as const;
  const text = resultText(report, { ...context, isPlanShown: false, problemFollows: true }, style);
  expect(text.match(/ {2}✗ 60 new custom fields/g)).toHaveLength(2);
  expect(text).not.toMatch(/new_fields|--max-new-fields|Report|Next/);
});

test('the result shows the warnings only when the plan was not shown', () => {
  const again = (isPlanShown: boolean) => resultText(success, { ...context, isPlanShown }, style);
  expect([again(true), again(false)].map((text) => text.includes('more cells than the header'))).toEqual([false, true]);
});

test('the result of a dry run shows the plan, and names no report file', () => {
  const rows = { ...success.rows, created: 0, suppressed: 0, unsent: 1140 };
  const report = { ...success, status: 'planned', dry_run: true, rows, next: ['Nothing was sent.'] } as const;
  const text = resultText(report, context, style);
  expect(text).toMatch(/^Migrate {2}export\.zip/);
  expect(text).toMatch(
    /✓ Dry run: nothing was sent\. The same command without --dry-run goes ahead\.\n {2}1,190 rows read = .* 1,140 would be sent\n/,
  );
  expect(text).not.toContain('report.json');
});

test('the result shows a difference that the verification found', () => {
  const checks = [{ check: 'sample', status: 'failed', message: 'ana@example.com is not there' }] as const;
  const report = {
    ...success,
    status: 'unverified',
    exit_code: 8,
    verification: { status: 'failed', checks },
  } as const;
  expect(resultText(report, context, style)).toContain('\n  ✗ ana@example.com is not there\n');
});

test('the result for cron is one log line, without counts of 0', () => {
  const report = { ...success, rows: { ...success.rows, merged: 0, skipped: 0, read: 1140 }, findings: [] };
  expect(logLine(report, Date.UTC(2026, 10, 22, 1, 51, 14), 61_001)).toBe(
    `2026-11-22T01:51:14Z migrate ok ${run} read=1140 created=1100 suppressed=40 62s\n`,
  );
});

test('the log line has the command as one word, and the number of warnings', () => {
  const report = { ...success, command: 'contacts import', status: 'planned', rows: { read: 0 } } as const;
  expect(logLine(report, 0, 0)).toBe(`1970-01-01T00:00:00Z contacts-import dry-run ${run} read=0 warnings=1 0s\n`);
});
