import { expect, test } from 'vitest';
import { planText } from '../../../../src/render/plan/plan.ts';
import { createStyle } from '../../../../src/render/text/style.ts';
import { sampleInput, sampleReport } from '../sample.ts';

const style = createStyle(false, 80);

test('the plan shows permanent writes and rows that are not sent (C5, C8, F6)', () => {
  expect(planText(sampleReport.plan, { ...sampleReport, inputs: [sampleInput] }, style)).toBe(`Plan: migrate
  to        https://api.example.com
  audience  Newsletter (aud_1)

From
  export.zip › subscribed.csv
    1,200 rows, mailchimp (recognized), utf-8, comma, state from file name

Will be written
  complained  4 suppressions
  bounced     36 suppressions
              suppressions hold for the whole account and can't be undone over
              this API
  contacts    1,100, 200 of them as unsubscribed
              contacts get a new created_at: the old one can't be kept
  requests    33, 2 batches, about 3 s

Columns
  Email Address → email
  Company / Org → attributes.company_org
  not sent: LEID, EUID

Custom fields
  new, at most  1: company_org
                custom fields can't be deleted

Will not be sent
  30  never confirmed
  20  merged into another row of the same person
  10  rejected: left out, and kept in a file to be corrected

First contacts
  ana@example.com first_name="Ana" attributes.company_org="Acme"

Checks
  ! 2 rows have more cells than the header; the extra cells are not sent
      export.zip:7  Notes "a\\u001b[2Jb"
      export.zip:9
  ✓ 2 checks passed
`);
});

test('the plan shows no empty sections', () => {
  const plan = {
    suppressions: {},
    contacts: 0,
    unsubscribed: 0,
    batches: 0,
    requests: 0,
    estimated_seconds: 0,
    keys: {},
    new_fields: [],
  };
  const meta = {
    command: 'migrate',
    origin: null,
    audience: null,
    inputs: [],
    findings: [],
    skipped: {},
    rows: { read: 0, merged: 0, rejected: 0 },
  };
  expect(planText(plan, meta, style)).toBe(`Plan: migrate
  to  no service: the account was not checked

Will be written
  contacts  0
  requests  0, about 0 s
`);
});

test('the plan shows even unusual attribute names, escaped (F7, K5)', () => {
  const keys = JSON.parse('{"__proto__":"proto","constructor":"constructor","\\u001b[2J":"x"}');
  const text = planText({ ...sampleReport.plan, keys }, sampleReport, style);
  expect(text.slice(text.indexOf('Columns'), text.indexOf('Custom'))).toBe(`Columns
  __proto__   → attributes.proto
  constructor → attributes.constructor
  \\u001b[2J   → attributes.x

`);
});

test('the plan shows columns once when two inputs have the same ones', () => {
  const inputs = [sampleInput, { ...sampleInput, entry: 'unsubscribed.csv', delimiter: null }];
  const text = planText(sampleReport.plan, { ...sampleReport, inputs }, style);
  expect([text.match(/Email Address/g)?.length, text.match(/one column/g)?.length]).toEqual([1, 1]);
});

test('the plan shows how many people the automation will mail (M5)', () => {
  const plan = {
    ...sampleReport.plan,
    suppressions: {},
    contacts: 0,
    batches: 0,
    requests: 1234,
    estimated_seconds: 154,
    keys: {},
    new_fields: [],
  };
  const meta = {
    ...sampleReport,
    command: 'automations enroll',
    audience: null,
    automation: { id: 'aut_1', name: 'Welcome\u001b[2J' },
    enrollments: 1234,
    inputs: [],
    skipped: {},
    rows: { read: 1234, merged: 0, rejected: 0 },
    preview: [],
    findings: [],
  };
  expect(planText(plan, meta, style)).toBe(`Plan: automations enroll
  to          https://api.example.com
  automation  Welcome\\u001b[2J (aut_1)

Will be written
  enrollments  1,234 people, one request each; the automation mails them, and
               each mail is billed
  requests     1,234, about 2 min 34 s
`);
});

test('the plan shows the first of many columns and inputs, and counts the rest', () => {
  const names = Array.from({ length: 100_000 }, (_, index) => `field_${index}`);
  const many = Object.fromEntries(names.map((name) => [name, name]));
  const input = { ...sampleInput, columns: undefined, notes: names.map((column) => ({ column, values: 2 })) };
  const text = planText(
    { ...sampleReport.plan, keys: many, new_fields: names },
    { ...sampleReport, inputs: Array(300).fill(input), preview: [{ email: 'ana@example.com', attributes: many }] },
    style,
  );
  const words = text.replaceAll(/\s+/g, ' ');
  expect(words).toContain('and 99,900 more columns');
  expect(words).toContain('nothing about consent in 99,988 more columns');
  expect(words).toContain('and 250 more inputs');
  expect(words).toContain('and 99,950 more fields');
  expect(words).toMatch(/new, at most 100,000: field_0, .* and 99,950 more custom/);
  expect(text.split('\n').length).toBeLessThan(2_000);
});
