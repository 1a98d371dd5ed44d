import { expect, test } from 'vitest';
import type { InputReading } from '../../../../src/import/survey/survey-types.ts';
import type { ColumnTarget } from '../../../../src/platforms/lib/platform.ts';
import { inputLines, planInput } from '../../../../src/render/plan/inputs.ts';
import { createStyle } from '../../../../src/render/text/style.ts';
import { reportInput } from '../../../../src/run-lifecycle/end/reported-input.ts';

function inputReading(platform: string, columns: readonly ColumnTarget[], header: readonly string[]): InputReading {
  return {
    path: 'list.csv',
    entry: undefined,
    name: 'list.csv',
    sha256: 'f'.repeat(64),
    isWholeFile: true,
    platform,
    dialect: {
      encoding: 'utf-8',
      hasByteOrderMark: false,
      delimiter: undefined,
      hasSepLine: false,
      headerLine: header.length && 1,
      header,
    },
    reading: { columns, stateSource: undefined, stateOf: () => ({ state: 'none' }) },
    rows: 3,
    values: new Map(),
    notes: [],
  };
}

test('the plan names the target field of each column', () => {
  const targets: ColumnTarget[] = [
    { kind: 'email' },
    { kind: 'attribute', key: 'plan' },
    { kind: 'topic', topic: 'top_1' },
    { kind: 'state_part' },
    { kind: 'ignore' },
  ];
  expect(
    planInput(reportInput(inputReading('mailchimp', targets, ['Email', 'Plan', 'News', 'Bounced', 'LEID'])), 'auto'),
  ).toEqual({
    path: 'list.csv',
    sha256: 'f'.repeat(64),
    platform: 'mailchimp',
    encoding: 'utf-8',
    delimiter: null,
    rows: 3,
    recognized: 'recognized',
    columns: [
      { header: 'Email', target: 'email' },
      { header: 'Plan', target: 'attributes.plan' },
      { header: 'News', target: 'topics.top_1' },
      { header: 'Bounced', target: 'state' },
      { header: 'LEID', target: 'not sent' },
    ],
  });
});

test.each([
  ['generic', 'auto', 'no platform recognized'],
  ['mailchimp', 'auto', 'recognized'],
  ['generic', 'generic', 'as --from says'],
])('the plan says how svc recognized the platform %s with --from %s: %s', (platform, from, recognized) => {
  expect(planInput(reportInput(inputReading(platform, [{ kind: 'email' }], [])), from)).toMatchObject({
    recognized,
    columns: [{ header: 'column 1', target: 'email' }],
  });
});

test.each([
  [8, /v7 1 \(none\)$/],
  [9, /v7 1 \(none\), and 1 more value$/],
  [10, /v7 1 \(none\), and 2 more values$/],
])('the plan shows at most 8 values of a status column that has %i', (count, end) => {
  const input = planInput(reportInput(inputReading('generic', [{ kind: 'email' }], ['Email'])), 'auto');
  const values = Array.from({ length: count }, (_, at) => ({ value: `v${at}`, rows: 1, states: { none: 1 } }));
  const state = { from: 'Status', columns: [{ column: 'Status', values }] };
  expect(inputLines([{ ...input, state }], createStyle(false)).at(-1)).toMatch(end);
});
