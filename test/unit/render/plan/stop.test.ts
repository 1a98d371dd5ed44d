import { describe, expect, test } from 'vitest';
import type { Finding } from '../../../../src/base/finding.ts';
import { splitShellText } from '../../../../src/base/lib/text.ts';
import { stopText } from '../../../../src/render/plan/stop.ts';
import { createStyle } from '../../../../src/render/text/style.ts';
import { commandLines } from '../../../../src/render/text/wrap.ts';
import { otherAnswers } from '../../../../src/run-lifecycle/stops/commands-for-stops.ts';

const commandWith = (flags: string) => `svc migrate list.csv ${flags}`;
const NONE = { areWhole: false, answers: [] };

const DATES: Finding = {
  check: 'ambiguous_dates',
  level: 'stop',
  message: 'list.csv: 2 opt-out dates can be read two ways',
  flags: '--date-order dmy',
  hint: 'svc migrate list.csv --date-order dmy',
  when: 'Where the day stands before the month',
  otherwise: [{ when: 'Where the month stands before the day', flags: '--date-order mdy' }],
  examples: [{ file: 'list.csv', line: 3, column: 'Left', value: '03/04/2024' }],
  total: 1,
};

const COLUMNS: Finding = {
  check: 'attribute_collision',
  level: 'stop',
  message: 'list.csv: "A" and "a" both become a',
  flags: "--map 'A b=attributes.a_2'",
};

const ENTRY: Finding = {
  check: 'columns',
  level: 'stop',
  message: 'archive.zip: not read: left.xlsx',
  hint: 'Unpack it',
};

describe('a refused plan', () => {
  test.each([
    [
      50,
      [
        'svc: nothing was sent: list.csv: 2 opt-out dates',
        '  can be read two ways',
        '      list.csv:3  Left "03/04/2024"',
        '  Where the day stands before the month:',
        '    svc migrate list.csv --date-order dmy',
        '  Other answers:',
        '    Where the month stands before the day:',
        '      svc migrate list.csv --date-order mdy',
      ],
    ],
    [
      120,
      [
        'svc: nothing was sent: list.csv: 2 opt-out dates can be read two ways',
        '      list.csv:3  Left "03/04/2024"',
        '  Where the day stands before the month:',
        '    svc migrate list.csv --date-order dmy',
        '  Other answers:',
        '    Where the month stands before the day:',
        '      svc migrate list.csv --date-order mdy',
      ],
    ],
  ])('a stop shows one problem and its command, on %i columns (C11)', (columns, lines) => {
    const command = 'svc migrate list.csv --date-order dmy';
    const answers = [{ conditions: ['Where the day stands before the month'], command }];
    expect(
      stopText({ stops: [DATES], answers, others: otherAnswers([DATES], commandWith) }, createStyle(false, columns)),
    ).toBe(`${lines.join('\n')}\n`);
  });

  test('a stop numbers several problems, and gives one command for all (C11)', () => {
    const command = "svc migrate list.csv --date-order dmy --map 'A b=attributes.a_2'";
    const answers = [{ conditions: ['One', 'Two'], command }];
    const stops = [{ ...DATES, otherwise: [], examples: [] }, COLUMNS, ENTRY];
    expect(
      stopText({ stops, answers, others: otherAnswers(stops, commandWith) }, createStyle(false, 80)).split('\n'),
    ).toEqual([
      'svc: nothing was sent. 3 problems:',
      '  1. list.csv: 2 opt-out dates can be read two ways',
      '  2. list.csv: "A" and "a" both become a',
      '  3. archive.zip: not read: left.xlsx',
      '     Unpack it',
      '  With the likeliest answers:',
      '    - One',
      '    - Two',
      "    svc migrate list.csv --date-order dmy --map 'A b=attributes.a_2'",
      '',
    ]);
  });
});

test('a stop says that its command fits only when all conditions hold (C11)', () => {
  const conditions = ['If the people of left.csv left', 'This skips 4 rows'];
  const answers = [{ conditions, command: 'svc migrate left.csv' }];
  const text = stopText({ stops: [COLUMNS, ENTRY], answers, others: NONE }, createStyle(false, 80));
  expect(text).toContain('  Only if all of this is right:\n    - If the people of left.csv left\n');
});

test.each([
  ['30 columns', 30],
  ['50 columns', 50],
  ['80 columns', 80],
  ['200 columns', 200],
  ['any width', undefined],
])("wraps a stop's command at %s so that a shell reads it the same", (_, columns) => {
  const command = `svc migrate 'a list.csv' --map 'A b=email' --status-map 'it'\\''s=skip' --status-map=-x=skip -- -l`;
  const lines = commandLines(command, columns, '    ');
  const pasted = lines.join('\n').replaceAll(' \\\n', ' ');
  expect(splitShellText(pasted)).toEqual(splitShellText(command));
  expect(lines.every((line) => columns === undefined || line.length <= Math.max(columns, 40))).toBe(true);
});

test('a stop shows 30 of 1,000 problems, and no answer twice', () => {
  const otherwise = [{ when: 'If all agreed', flags: '--default-status subscribed' }];
  const stops = Array.from({ length: 1_000 }, (_, index) => ({
    ...{ check: 'no_status', level: 'stop' as const, message: `part ${index} has no status`, otherwise },
  }));
  const text = stopText({ stops, answers: [], others: otherAnswers(stops, commandWith) }, createStyle(false, 80));
  expect(text).toContain('1,000 problems:');
  expect(text).toContain('and 970 more problems');
  expect(text.split('If all agreed').length).toBe(2);
  expect(text.split('\n').length).toBeLessThan(60);
});

test('each alternative answer has a command that solves all problems (C11)', () => {
  const others = otherAnswers([DATES, COLUMNS], commandWith);
  expect(others).toEqual({
    areWhole: true,
    answers: [
      {
        conditions: ['Where the month stands before the day'],
        command: "svc migrate list.csv --date-order mdy --map 'A b=attributes.a_2'",
      },
    ],
  });
});
