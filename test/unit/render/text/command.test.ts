import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shellWord, splitShellText } from '../../../../src/base/lib/text.ts';
import { commandLines, wrapText } from '../../../../src/render/text/wrap.ts';

const COMMAND = `svc migrate bad.csv --audience aud_1a2b --map 'Company / Org=attributes.company_org_2' --status-map 'it'\\''s=skip'`;

test.each([50, 80, 120])('wraps a long command at %i columns so that a shell reads it the same', (columns) => {
  const lines = commandLines(COMMAND, columns);
  expect(lines.slice(0, -1).every((line) => line.endsWith(' \\'))).toBe(true);
  const words = (text: string) =>
    execFileSync('sh', ['-c', `printf '%s\\n' ${text.slice('svc '.length)}`], { encoding: 'utf8' });
  expect(words(lines.join('\n'))).toBe(words(COMMAND));
});

test('a wrapped command keeps a flag and its value on one line', () => {
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
  expect(wrapText(text, 12)).toEqual(lines);
});

test('shortens the middle of a value that is wider than a line', () => {
  expect(wrapText(`the value "${'x'.repeat(400)}end" is odd`, 20)).toEqual([
    'the value',
    '"xxxxxxxxxxxxx…xend"',
    'is odd',
  ]);
});

const value = fc.stringMatching(/^[a-zA-Z0-9@./_ ,;:"'=$\u0007-]{1,24}$/);
// A value may look like a flag (`-a,-`), or end like a sentence.
const flags = fc.array(fc.tuple(fc.constantFrom('--base-url', '--profile', '--state-dir'), value), { maxLength: 3 });
const printed = fc
  .tuple(fc.constantFrom('svc', 'npx svc'), flags, fc.constantFrom('runs resume', 'migrate', 'webhooks get'), value)
  .map(([program, place, verb, name]) =>
    [program, ...place.flatMap(([flag, of]) => [flag, shellWord(of)]), verb, shellWord(name)].join(' '),
  );

test('a command stays on one line when the text around it wraps', () => {
  fc.assert(
    fc.property(printed, fc.integer({ min: 40, max: 120 }), fc.constantFrom('', ' --yes'), (command, columns, more) => {
      const lines = wrapText(`Ctrl-C is safe. To continue later: ${command}${more}`, columns, {
        first: '  ',
        rest: '  ',
      });
      expect(lines.map((line) => line.trim()).some((line) => line.endsWith(command + more))).toBe(true);
    }),
  );
});

test('a wrapped command of any values is pasted as the same words (K5)', () => {
  fc.assert(
    fc.property(printed, fc.integer({ min: 20, max: 100 }), (command, columns) => {
      const pasted = commandLines(command, columns, '    ').join('\n').replaceAll('\\\n', '');
      expect(splitShellText(pasted)).toEqual(splitShellText(command));
    }),
  );
});

test('npx and global flags stay with their command when the text wraps', () => {
  const command = 'npx svc --base-url https://mail.example.com/api runs resume run_20260101T000000000_abc123';
  expect(wrapText(`To continue: ${command}, or start again. svc cannot tell.`, 60)).toEqual([
    'To continue:',
    `${command},`,
    'or start again. svc cannot tell.',
  ]);
});

test.each([
  ['Reading takes 601 requests, about 1 min 12 s.', 44, ['Reading takes 601 requests, about 1 min', '12 s.']],
  ['It needs 5 % of the time (12 h) at most', 22, ['It needs 5 % of the', 'time (12 h) at most']],
])('keeps a number and its unit on one line: %s', (text, columns, lines) => {
  expect(wrapText(text, columns)).toEqual(lines);
});
