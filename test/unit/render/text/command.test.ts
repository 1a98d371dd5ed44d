import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { commandLines, wrap } from '../../../../src/render/text/wrap.ts';

const COMMAND = `svc migrate bad.csv --audience aud_1a2b --map 'Company / Org=attributes.company_org_2' --status-map 'it'\\''s=skip'`;

test.each([50, 80, 120])(
  'breaks a command between its words, and a shell reads the same words, at %i columns',
  (columns) => {
    const lines = commandLines(COMMAND, columns);
    expect(lines.slice(0, -1).every((line) => line.endsWith(' \\'))).toBe(true);
    const words = (text: string) =>
      execFileSync('sh', ['-c', `printf '%s\\n' ${text.slice('svc '.length)}`], { encoding: 'utf8' });
    expect(words(lines.join('\n'))).toBe(words(COMMAND));
  },
);

test('keeps a flag and its value on one line', () => {
  expect(commandLines('svc migrate list.csv --audience aud_1 --yes', 34)).toEqual([
    'svc migrate list.csv \\',
    '  --audience aud_1 --yes',
  ]);
});

test.each([
  { text: 'Then: svc runs delete run_1 --confirm run_1', lines: ['Then:', 'svc runs delete run_1 --confirm run_1'] },
  { text: 'See svc runs ls, then go on here', lines: ['See', 'svc runs ls,', 'then go on', 'here'] },
  {
    text: 'it is in /a/very/long/path/of/files and so on',
    lines: ['it is in', '/a/very/long/path/of/files', 'and so on'],
  },
  { text: 'svc cannot tell', lines: ['svc cannot', 'tell'] },
])('does not break a command or a path in prose: $text', ({ text, lines }) => {
  expect(wrap(text, 12)).toEqual(lines);
});

test('shortens a value that is wider than a line in its middle', () => {
  expect(wrap(`the value "${'x'.repeat(400)}end" is odd`, 20)).toEqual(['the value', '"xxxxxxxxxxxxx…xend"', 'is odd']);
});
