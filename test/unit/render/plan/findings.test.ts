import { expect, test } from 'vitest';
import type { Finding } from '../../../../src/base/finding.ts';
import { briefFindingLines, findingLines } from '../../../../src/render/plan/findings.ts';
import { createStyle } from '../../../../src/render/text/style.ts';

const style = createStyle(false, 60);

test('the plan shows findings in this order: stops, warnings, skipped, passed', () => {
  const levels = ['pass', 'skipped', 'warn', 'stop', 'pass'] as const;
  const findings = levels.map((level, at): Finding => ({ check: `check_${at}`, level, message: level }));
  expect(findingLines(findings, style)).toEqual(['  ✗ stop', '  ! warn', '  – skipped', '  ✓ 2 checks passed']);
});

test('the plan shows one line for all checks skipped for the same reason', () => {
  const messages = ['no key', 'no key', 'no answer'];
  const findings = messages.map((message): Finding => ({ check: 'key', level: 'skipped', message }));
  expect(findingLines(findings, style)).toEqual(['  – 2 checks skipped: no key', '  – no answer']);
});

test('a finding shows five examples as file:line, and counts the others', () => {
  const finding: Finding = {
    check: 'attribute_collision',
    level: 'stop',
    message: 'two columns become "company_org" and 7 people have different values in them',
    hint: "--map 'Company / Org=attributes.company'\n--map 'Company Org=ignore'",
    examples: [2, 3, 4, 5, 6, 7].map((line) => ({ file: 'list.csv', line, column: 'Company', value: 'a\tb' })),
    total: 7,
  };
  expect(findingLines([finding], style)).toEqual([
    '  ✗ two columns become "company_org" and 7 people have',
    '    different values in them',
    '      list.csv:2  Company "a\\u0009b"',
    '      list.csv:3  Company "a\\u0009b"',
    '      list.csv:4  Company "a\\u0009b"',
    '      list.csv:5  Company "a\\u0009b"',
    '      list.csv:6  Company "a\\u0009b"',
    '      and 2 more',
    "      --map 'Company / Org=attributes.company'",
    "      --map 'Company Org=ignore'",
  ]);
});

test('a finding escapes control characters in each of its parts (K5)', () => {
  const bad = '\u001b]0;x\u0007';
  const finding: Finding = {
    check: bad,
    level: 'warn',
    message: bad,
    hint: bad,
    examples: [{ file: bad, line: 1, value: bad }],
  };
  expect(findingLines([finding], style).join('')).not.toMatch(/[\u0000-\u001f]/);
});

test.each([
  ['list.csv: 2 rows are short', '2 rows are short'],
  ['list.csv (a.csv) and 2 more like it: 2 rows are short', '2 rows are short'],
  ['list.csv is not UTF-8', 'list.csv is not UTF-8'],
  ['list.csv, row 3: is short', 'list.csv, row 3: is short'],
])('the plan omits the name of its only input before a colon: %s', (message, shown) => {
  const findings: readonly Finding[] = [{ check: 'encoding', level: 'warn', message }];
  const lines = briefFindingLines({ findings, inputs: [{ path: 'list.csv' }], rows: { merged: 0 } }, style);
  expect(lines).toEqual([`  ! ${shown}`]);
});
