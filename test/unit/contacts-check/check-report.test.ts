import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import type { CheckOutcome } from '../../../src/contacts-check/compare-person.ts';
import { checkReport, type FinishedCheck, writeResults } from '../../../src/contacts-check/report.ts';
import { type CheckResult, type CheckResults, openResults } from '../../../src/contacts-check/results.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const CITY = { field: 'attributes.city', list: 'Rome', there: '=Ulm()' };
const NAME = { field: 'first_name', list: '+A', there: '' };
const REQUESTS = { sent: 3, retried: 0, replayed: 0, rate_limited: 0 };

function resultOf(name: string, outcome: CheckOutcome, differences: CheckResult['differences'] = []): CheckResult {
  const expected = { email: `${name}@example.com` } as unknown as CheckResult['expected'];
  return { email: `${name}@example.com`, outcome, differences, expected: outcome === 'extra' ? undefined : expected };
}

function resultsOf(...results: readonly CheckResult[]): CheckResults {
  const all = openResults(new DatabaseSync(':memory:'));
  all.add(results);
  return all;
}

/** What is known at the end of a check without any difference. */
function endOf(results: CheckResults, more: Partial<FinishedCheck> = {}): FinishedCheck {
  return {
    ...{ run: 'run_1', origin: 'https://mail.example.test', audience: { id: 'aud_1', name: 'News', more: 1 } },
    ...{ options: { command: 'contacts check' }, results, changedInputs: undefined, complete: true },
    survey: surveyOf([]),
    skipped: { total: 0, first: [] },
    lookUps: { lookedUp: 4, unconfirmed: { missing: 2 }, suppressionsUnknown: undefined },
    ...{ shownFields: ['status'], requests: REQUESTS, file: '/state/report.json' },
    ...more,
  } as unknown as FinishedCheck;
}

/** A list with columns of these kinds. */
function surveyOf(kinds: readonly string[], more: object = {}): FinishedCheck['survey'] {
  return {
    inputs: [
      { path: 'a.csv', rows: 3, reading: { columns: kinds.map((kind) => ({ kind })) } },
      { path: 'b.zip', entry: 'b.csv', rows: 4, reading: { columns: [] } },
    ],
    rows: { read: 7, merged: 1, rejected: 2, skipped: { pending: 3, archived: 4 } },
    ...{ suppressions: { bounced: 5, complained: 6 }, unsubscribed: 1 },
    ...more,
  } as unknown as FinishedCheck['survey'];
}

const PEOPLE = [
  resultOf('ana', 'same'),
  resultOf('bo', 'different', [CITY, NAME]),
  resultOf('cy', 'missing'),
  resultOf('di', 'extra'),
  resultOf('ed', 'opted_out'),
  resultOf('fa', 'different', [CITY]),
];

describe('the report of contacts check', () => {
  test('the report of a check has exactly these fields (V1)', () => {
    expect(checkReport(endOf(resultsOf(...PEOPLE)))).toStrictEqual({
      object: 'contact_check',
      run: 'run_1',
      command: 'contacts check',
      status: 'different',
      exit_code: 3,
      origin: 'https://mail.example.test',
      audience: { id: 'aud_1', name: 'News' },
      inputs: [
        { path: 'a.csv', rows: 3 },
        { path: 'b.zip', entry: 'b.csv', rows: 4 },
      ],
      rows: { read: 7, merged: 1, skipped: 7, rejected: 2, suppressed: 11 },
      counts: { same: 1, different: 2, missing: 1, extra: 1, opted_out: 1 },
      fields: { 'attributes.city': 2, first_name: 1 },
      examples: {
        same: [{ email: 'ana@example.com' }],
        different: [
          { email: 'bo@example.com', fields: [CITY, NAME] },
          { email: 'fa@example.com', fields: [CITY] },
        ],
        missing: [{ email: 'cy@example.com' }],
        extra: [{ email: 'di@example.com' }],
        opted_out: [{ email: 'ed@example.com' }],
      },
      looked_up: 4,
      unconfirmed: { missing: 2 },
      notes: [],
      requests: REQUESTS,
      files: { report: '/state/report.json' },
    });
  });

  test('names the compared run and the output file when the check has them (V1)', () => {
    const options = { command: 'runs verify', verifies: { run: 'run_0' }, output: 'out.csv' };
    const report = checkReport(endOf(resultsOf(), { options } as unknown as Partial<FinishedCheck>));
    expect(report).toMatchObject({ command: 'runs verify', verifies: 'run_0' });
    expect(report.files).toStrictEqual({ report: '/state/report.json', output: 'out.csv' });
  });

  test.each<[outcome: CheckOutcome | 'nothing', complete: boolean, status: string, exit: number]>([
    ['nothing', true, 'same', 0],
    ['same', true, 'same', 0],
    ['opted_out', true, 'same', 0],
    ['different', true, 'different', 3],
    ['missing', true, 'different', 3],
    ['extra', true, 'different', 3],
    ['same', false, 'different', 3],
    ['nothing', false, 'different', 3],
  ])('a check with result %s, all pages read: %s, ends as %s, exit %i (V1, L5)', (outcome, complete, status, exit) => {
    const results = outcome === 'nothing' ? resultsOf() : resultsOf(resultOf('ana', outcome));
    expect(checkReport(endOf(results, { complete }))).toMatchObject({ status, exit_code: exit });
  });

  test.each<CheckOutcome>(['same', 'different', 'missing', 'extra', 'opted_out'])(
    'shows the first 20 of 21 people with the outcome %s (V1)',
    (outcome) => {
      const people = Array.from({ length: 21 }, (_, at) => resultOf(`p${at}`, outcome));
      const { examples, counts } = checkReport(endOf(resultsOf(...people)));
      expect([counts[outcome], examples[outcome].map(({ email }) => email)]).toEqual([
        21,
        people.slice(0, 20).map(({ email }) => email),
      ]);
    },
  );

  test.each<[what: string, more: Partial<FinishedCheck>, notes: readonly string[]]>([
    ['changed inputs', { changedInputs: ['a.csv changed'] }, ['a.csv changed']],
    ['unused answers', { survey: surveyOf([], { unusedAnswers: [{ message: 'x' }] }) }, ['x']],
    [
      'a part of the audience',
      { complete: false },
      ['the service lists fewer contacts than it counts, so the list of extra people is not complete'],
    ],
    [
      'hidden fields',
      { survey: surveyOf(['email', 'first_name', 'last_name', 'unsubscribed_at', 'attribute', 'topic', 'status']) },
      [
        'not compared, because no contact of the audience shows it: first_name, last_name, unsubscribed_at, attributes',
        'not compared: topics. The list of contacts does not show them; for one person: svc contacts get <address> --topics',
      ],
    ],
    [
      'refused topics',
      { survey: surveyOf([], { refusedTopics: 2 }) },
      [
        'refused topics were not checked: 2 cells refuse a topic for a subscribed person. svc does not write a refusal, so a person who has the topic keeps it',
      ],
    ],
    [
      'a name, and no opt-out',
      { survey: surveyOf(['name', 'unsubscribed_at'], { unsubscribed: 0 }) },
      ['not compared, because no contact of the audience shows it: first_name, last_name'],
    ],
    ['an empty audience', { survey: surveyOf(['first_name']), shownFields: [] }, []],
    [
      'a hidden status',
      { shownFields: ['first_name'] },
      ['not compared, because no contact of the audience shows it: status'],
    ],
    [
      'unknown suppressions',
      { lookUps: { lookedUp: 0, unconfirmed: {}, suppressionsUnknown: 'it was refused', hasSeenAll: false } },
      ['suppressed people may be among the missing and the different: it was refused'],
    ],
  ])('the report says what svc could not compare: %s (V1, C10)', (_, more, notes) => {
    expect(checkReport(endOf(resultsOf(), more)).notes).toEqual(notes);
  });
});

test('writes each difference into a CSV file, formulas escaped (K5)', async () => {
  const path = join(tempFolder(), 'out.csv');
  await writeResults(resultsOf(...PEOPLE, resultOf('=x', 'missing')), path);
  expect(readFileSync(path, 'utf8')).toBe(
    [
      'email,outcome,field,list,there',
      'ana@example.com,same,,,',
      "bo@example.com,different,attributes.city,Rome,'=Ulm()",
      "bo@example.com,different,first_name,'+A,",
      'cy@example.com,missing,,,',
      'di@example.com,extra,,,',
      'ed@example.com,opted_out,,,',
      "fa@example.com,different,attributes.city,Rome,'=Ulm()",
      "'=x@example.com,missing,,,",
      '',
    ].join('\n'),
  );
});

test('lists, changes and removes results of a check, and clears them all', () => {
  const results = resultsOf(...PEOPLE);
  const [bo, fa] = results.list('different', 5);
  expect([bo?.id, fa?.id, results.list('different', 1).length, results.list('different', 5, bo?.id)]).toEqual([
    2,
    6,
    1,
    [fa],
  ]);
  expect([bo?.expected, results.list('same', 1)[0]?.expected, results.list('extra', 1)[0]?.expected]).toEqual([
    { email: 'bo@example.com' },
    undefined,
    undefined,
  ]);
  expect(results.list('missing', 1)[0]?.expected).toEqual({ email: 'cy@example.com' });
  results.inTransaction(() => results.change(1, { outcome: 'same', differences: [] }));
  results.change(2, { outcome: 'same', differences: [] });
  results.remove(6);
  expect([results.counts(), results.fields()]).toEqual([
    { same: 2, different: 0, missing: 1, extra: 1, opted_out: 1 },
    {},
  ]);
  results.addSuppressed([
    { email: 'Ana@Example.com', reason: 'bounced' },
    { email: 'bo@example.com', reason: 'bounced' },
    { email: 'bo@example.com', reason: 'complained' },
  ]);
  expect(['ana@example.com', 'bo@example.com', 'cy@example.com'].map((email) => results.suppressed(email))).toEqual([
    'bounced',
    'complained',
    undefined,
  ]);
  results.clear();
  expect(results.counts()).toEqual({ same: 0, different: 0, missing: 0, extra: 0, opted_out: 0 });
  expect([[...results.all()], results.suppressed('bo@example.com')]).toEqual([[], undefined]);
});
