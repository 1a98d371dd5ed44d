import { describe, expect, test } from 'vitest';
import { reportPage } from '../../../../src/render/html/page.ts';
import { sampleReport } from '../sample.ts';

const LIST = {
  domains: [
    { domain: 'example.com', rows: 900 },
    { domain: 'example.org', rows: 200 },
  ],
  other_domains: 100,
  signed_up: { '2024-01': 3, '2024-03': 5 },
  opted_out: { '2015-02': 1, '2024-03': 2 },
};
const TIMELINE = {
  started_at: '2026-03-01T10:00:00.000Z',
  ended_at: '2026-03-01T10:01:10.000Z',
  sent: [
    { at: '2026-03-01T10:00:05.000Z', rows: 40 },
    { at: '2026-03-01T10:00:10.000Z', rows: 1000 },
  ],
  waits: [{ at: '2026-03-01T10:00:20.000Z', ms: 18_000, reason: 'rate_limit' as const }],
};
const full = { ...sampleReport, list: LIST, timeline: TIMELINE };

/** The text of an HTML page, without tags. */
function textOf(page: string): string {
  return page
    .replace(/<style>[\s\S]*?<\/style>/, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');
}

describe('the HTML page of a report', () => {
  test('report.html shows how many rows had each outcome when a run ended', () => {
    const text = textOf(reportPage(full));
    expect(text).toContain('Finished, but 10 rows need a look. It took 1 min 10 s.');
    expect(text).toContain('1,200 rows read: 1,100 created');
    for (const words of ['1,100 created as contacts', '40 suppressed', '20 merged', '30 skipped', '10 rejected']) {
      expect(text).toContain(words);
    }
    expect(text).toContain('Waited 18 s in all (marked): the rate limit of the service.');
  });

  test('report.html shows sign-ups by month, or by year for a long history', () => {
    const text = textOf(reportPage(full));
    expect(text).toContain('2024-01: 3');
    expect(text).toContain('2024-02: 0');
    expect(text).toContain('2024-03: 5');
    expect(text).toContain('2015: 1');
    expect(text).toContain('2016: 0');
    expect(text).toContain('2024: 2');
  });

  test('report.html leaves out the charts when an older svc wrote the report', () => {
    const text = textOf(reportPage(sampleReport));
    expect(text).toContain('Where every row went');
    expect(text).not.toContain('Sending');
    expect(text).not.toContain('Largest mail domains');
  });

  test('report.html loads nothing from outside and runs no script', () => {
    const page = reportPage(full);
    expect(page).not.toMatch(/<(script|link|img|iframe|object|embed|form|base)\b/i);
    expect(page).not.toMatch(/\b(src|href|srcset|action|on\w+)\s*=/i);
    expect(page).not.toMatch(/url\(|@import/i);
  });

  test('report.html escapes names and values of the list in each place (K5)', () => {
    const evil = `"><script>alert(1)</script><img src=x onerror='x'>\u202e&amp;`;
    const page = reportPage({
      ...full,
      run: evil,
      command: evil,
      origin: evil,
      audience: { id: evil, name: evil },
      automation: { id: evil, name: evil },
      inputs: [
        {
          ...sampleReport.inputs[0],
          path: evil,
          entry: evil,
          sha256: '',
          platform: evil,
          encoding: evil,
          delimiter: ',',
          rows: 1,
          columns: [{ header: evil, target: evil }],
          state: { from: evil, columns: [{ column: evil, values: [{ value: evil, rows: 1, states: { [evil]: 1 } }] }] },
        },
      ],
      rows: { ...full.rows, [evil]: 1 },
      skipped: { [evil]: 1 },
      plan: { ...full.plan, suppressions: { [evil]: 1 } as never },
      findings: [{ check: 'columns', level: 'warn', message: evil, hint: evil }],
      verification: { status: 'failed', checks: [{ check: 'sample', status: 'failed', message: evil }] },
      list: { ...LIST, domains: [{ domain: evil, rows: 1 }], signed_up: { [evil]: 1 } },
      timeline: { ...TIMELINE, waits: [{ at: TIMELINE.ended_at, ms: 1_000, reason: evil as never }] },
      next: [evil],
      error: { code: 'x', message: evil, hint: evil, exit_code: 1 },
    });
    expect(page).not.toMatch(/<script|<img|\u202e|onerror='|"><s/);
    expect(page.split('&lt;script&gt;').length).toBeGreaterThan(15);
  });

  test('report.html hides an address that a message or next step quotes (K5)', () => {
    const page = reportPage({
      ...full,
      next: ['svc automations enroll aut_1 --email=ann.elder@example.com'],
      findings: [{ check: 'columns', level: 'warn', message: 'row 4: "Ann <ann.elder@example.com>" is no address' }],
    });
    expect(page).not.toContain('ann.elder');
    expect(page).not.toContain('@example');
    expect(page.split('(address)').length).toBe(3);
  });
});
