import { expect, test } from 'vitest';
import { planPage, planSummary } from '../../../../src/render/plan/summary.ts';
import { createStyle } from '../../../../src/render/text/style.ts';
import { displayWidth } from '../../../../src/render/text/width.ts';
import { sampleInput, sampleReport } from '../sample.ts';
import { createVirtualScreen } from '../virtual-screen.ts';

const meta = {
  ...sampleReport,
  inputs: [sampleInput, { ...sampleInput, entry: 'cleaned.csv' }],
  planned: { name: 'Newsletter', contacts: 1, isNew: false },
};

/** The summary of the plan and its question, on a terminal with this width. */
async function shownAt(columns: number, shown: Parameters<typeof planSummary>[1] = meta): Promise<string> {
  const screen = createVirtualScreen(columns);
  const { short, question } = planPage(sampleReport.plan, shown, createStyle(true, columns));
  screen.write(short + question);
  return screen.text();
}

test.each([
  {
    columns: 50,
    text: `Migrate  export.zip  ->  Newsletter (1 contact)
  api.example.com
  1,200 rows from 2 files, recognized as mailchimp
  900  subscribe
  200  add as unsubscribed
    4  suppress: complained
   36  suppress: bounced
   30  skip: never confirmed
   20  merge into another row of the same person
   10  reject: left out, and kept in a file to be
       corrected
  Can't be undone: suppressions, which hold for
    the whole account; 1 new custom field
    (company_org)
  New contacts get a new created_at: the old one
    can't be kept
  2 columns are not imported
  ! 2 rows have more cells than the header; the
    extra cells are not sent
  ✓ 2 checks passed
Import 1,100 contacts and suppress 40 addresses
(to Newsletter (1 contact), api.example.com)?
About 3 s.
[y]es [N]o [d]etails`,
  },
  {
    columns: 80,
    text: `Migrate  export.zip  ->  Newsletter (1 contact)  api.example.com
  1,200 rows from 2 files, recognized as mailchimp
  900  subscribe
  200  add as unsubscribed
    4  suppress: complained
   36  suppress: bounced
   30  skip: never confirmed
   20  merge into another row of the same person
   10  reject: left out, and kept in a file to be corrected
  Can't be undone: suppressions, which hold for the whole account; 1 new custom
    field (company_org)
  New contacts get a new created_at: the old one can't be kept
  2 columns are not imported
  ! 2 rows have more cells than the header; the extra cells are not sent
  ✓ 2 checks passed
Import 1,100 contacts and suppress 40 addresses? About 3 s.
[y]es [N]o [d]etails`,
  },
  {
    columns: 120,
    text: `Migrate  export.zip  ->  Newsletter (1 contact)  api.example.com
  1,200 rows from 2 files, recognized as mailchimp
  900  subscribe
  200  add as unsubscribed
    4  suppress: complained
   36  suppress: bounced
   30  skip: never confirmed
   20  merge into another row of the same person
   10  reject: left out, and kept in a file to be corrected
  Can't be undone: suppressions, which hold for the whole account; 1 new custom field (company_org)
  New contacts get a new created_at: the old one can't be kept
  2 columns are not imported
  ! 2 rows have more cells than the header; the extra cells are not sent
  ✓ 2 checks passed
Import 1,100 contacts and suppress 40 addresses? About 3 s.  [y]es [N]o [d]etails`,
  },
])('the screen shows plan and question on $columns columns (C5, C8, F6)', async (at) => {
  expect(await shownAt(at.columns)).toBe(at.text);
});

const style = createStyle(false, 80);

const WIDE = '顧客名簿🚀'.repeat(80);
const HOSTILE = {
  ...meta,
  inputs: [{ ...sampleInput, path: `/lists/${WIDE}.csv`, platform: 'generic' }],
  planned: { name: WIDE, contacts: 12, isNew: false },
  findings: Array.from({ length: 9 }, (_, at) => ({
    check: `check_${at}`,
    level: at === 0 ? ('stop' as const) : ('warn' as const),
    message: `/lists/${WIDE}.csv: a value is ${'x'.repeat(400)} and then ${WIDE} follows`,
    examples: [{ file: `/lists/${WIDE}.csv`, line: 7, column: WIDE, value: WIDE }],
  })),
};

test.each([50, 80, 120, 200])('the plan fits each line into %i columns when names are very long', (columns) => {
  const plan = { ...sampleReport.plan, new_fields: [WIDE, 'x'.repeat(400)] };
  const text = planSummary(plan, HOSTILE, createStyle(false, columns));
  const widest = Math.max(...text.split('\n').map(displayWidth));
  expect(widest).toBeLessThanOrEqual(columns);
  expect(text.split('\n').length).toBeLessThan(40);
});

test('the plan shows four warnings and counts the others', () => {
  const text = planSummary(sampleReport.plan, HOSTILE, createStyle(false, 80));
  expect(text.match(/^ {2}! /gm)).toHaveLength(5);
  expect(text).toContain('  ! 4 more warnings: see the details\n');
});

test('the warnings of a plan do not repeat what its summary shows', () => {
  const warn = { level: 'warn', check: 'columns' } as const;
  const findings = [
    {
      ...warn,
      message: 'export.zip (subscribed.csv) and 3 more like it: this column proves consent and is not sent: IP',
    },
    { ...warn, check: 'duplicates', message: '20 rows repeat an address', hint: '--duplicates reject' },
    { ...warn, check: 'duplicates', message: '2 people are skipped in one row' },
  ];
  const text = planSummary(sampleReport.plan, { ...meta, findings }, createStyle(false, 80));
  expect(text).toContain('  ! this column proves consent and is not sent: IP\n');
  expect(text).not.toContain('repeat');
  expect(text).toContain('  ! 2 people are skipped in one row\n');
});

test('the plan colors only the mark of a warning, in magenta', () => {
  const findings = [{ check: 'x', level: 'warn', message: 'look' } as const];
  const text = planSummary(sampleReport.plan, { ...meta, findings }, createStyle(true, 80));
  expect(text).toContain('  \u001b[35m!\u001b[39m look\n');
});

test('the plan says that the run will create the audience', () => {
  const planned = { name: 'Club', contacts: 0, isNew: true };
  const text = planSummary(sampleReport.plan, { ...meta, planned, origin: 'emulator:1' }, createStyle(false, 80));
  expect(text.split('\n')[0]).toBe('Migrate  export.zip  ->  Club (new audience)  the emulator');
});

test('the question has the number of people whom the automation mails (M5)', () => {
  const plan = { ...sampleReport.plan, suppressions: {}, contacts: 0, enrollments: 1234, estimated_seconds: 154 };
  const shown = { ...meta, command: 'automations enroll', automation: { id: 'aut_1', name: 'Welcome' } };
  expect(planPage(plan, shown, style).question).toContain(
    'Enroll 1,234 people? The automation mails them. About 2 min 34 s.',
  );
  expect(planSummary(plan, shown, createStyle(false, 80))).toMatch(
    /^Enroll {2}export\.zip {2}-> {2}Welcome {2}api\.example\.com\n/,
  );
});

test('the question is only about suppressions when the plan has nothing else', () => {
  const plan = { ...sampleReport.plan, contacts: 0, estimated_seconds: 0 };
  expect(planPage(plan, meta, style).question).toBe('Suppress 40 addresses? About 1 s.  [y]es [N]o [d]etails ');
});

test('the question repeats audience and service when the plan is long', () => {
  const skipped = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`reason_${at}`, at + 1]));
  expect(planPage(sampleReport.plan, { ...meta, skipped }, style).question).toBe(
    `Import 1,100 contacts and suppress 40 addresses (to Newsletter (1 contact),
api.example.com)? About 3 s.
[y]es [N]o [d]etails `,
  );
});
