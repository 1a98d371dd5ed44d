import type { PlanInput } from '../../../src/render/plan/inputs.ts';
import type { RunReport } from '../../../src/run-lifecycle/data/run-report.ts';

/** An archive entry of a known platform, with all results of a survey. */
export const sampleInput: PlanInput = {
  path: 'export.zip',
  entry: 'subscribed.csv',
  sha256: 'a'.repeat(64),
  platform: 'mailchimp',
  encoding: 'utf-8',
  delimiter: ',',
  rows: 1200,
  recognized: 'recognized',
  state: { from: 'file name', columns: [] },
  columns: [
    { header: 'Email Address', target: 'email' },
    { header: 'Company / Org', target: 'attributes.company_org' },
    { header: 'LEID', target: 'not sent' },
    { header: 'EUID', target: 'not sent' },
  ],
};

/** The report of a run of 1,200 rows that ended well, except for ten rejected rows. */
export const sampleReport: RunReport = {
  object: 'run_report',
  run: 'run_7f3a',
  command: 'migrate',
  status: 'partial',
  exit_code: 3,
  dry_run: false,
  phase: 'done',
  origin: 'https://api.example.com',
  audience: { id: 'aud_1', name: 'Newsletter' },
  inputs: [
    {
      path: 'export.zip',
      entry: 'subscribed.csv',
      sha256: 'a'.repeat(64),
      platform: 'mailchimp',
      encoding: 'utf-8',
      delimiter: ',',
      rows: 1200,
    },
  ],
  rows: {
    read: 1200,
    created: 1100,
    updated: 0,
    suppressed: 40,
    already_suppressed: 0,
    merged: 20,
    skipped: 30,
    rejected: 10,
    failed: 0,
    unsent: 0,
    unknown: 0,
  },
  rows_replayed: 0,
  skipped: { pending: 30 },
  plan: {
    suppressions: { complained: 4, bounced: 36 },
    contacts: 1100,
    unsubscribed: 200,
    batches: 2,
    requests: 33,
    estimated_seconds: 3,
    keys: { 'Company / Org': 'company_org' },
    new_fields: ['company_org'],
  },
  preview: [{ email: 'ana@example.com', first_name: 'Ana', attributes: { company_org: 'Acme' } }],
  findings: [
    { check: 'plan_cap', level: 'pass', message: 'the account is not a free one' },
    { check: 'automations', level: 'pass', message: 'no automation starts as people join this audience' },
    {
      check: 'ragged_rows',
      level: 'warn',
      message: '2 rows have more cells than the header; the extra cells are not sent',
      examples: [
        { file: 'export.zip', line: 7, column: 'Notes', value: 'a\u001b[2Jb' },
        { file: 'export.zip', line: 9 },
      ],
      total: 2,
    },
  ],
  requests: { sent: 33, retried: 1, replayed: 0, rate_limited: 0 },
  verification: {
    status: 'passed',
    checks: [{ check: 'contact_counts', status: 'passed', message: '1,100 more contacts than before' }],
  },
  files: { rejects: ['/state/run_7f3a/rejects/subscribed.csv'], report: '/state/run_7f3a/report.json' },
  next: ['Verify the sending domain before the first campaign.'],
};
