import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatNumber, plural, shellWord, splitShellText, terminalSafe } from '../../../../src/base/lib/text.ts';

describe('a text for a terminal (K5)', () => {
  test.each([
    ['an escape sequence', '\u001b[31mred', '\\u001b[31mred'],
    ['line ends and tabs', 'a\r\n\tb', 'a\\u000d\\u000a\\u0009b'],
    ['NUL and DEL', '\0\u007f', '\\u0000\\u007f'],
    ['C1 controls', '\u0080\u009b2J\u009f', '\\u0080\\u009b2J\\u009f'],
    ['bidi marks', '\u061c\u200e\u200f', '\\u061c\\u200e\\u200f'],
    ['bidi overrides and isolates', '\u202a\u202e\u2066\u2069', '\\u202a\\u202e\\u2066\\u2069'],
    ['line separators', '\u2028\u2029', '\\u2028\\u2029'],
    ['half a surrogate pair', 'a\ud83d b\ude00', 'a\\ud83d b\\ude00'],
    ['nothing in plain text of any script', 'José 山田 אבג 👩‍👩‍👧 \\ "', 'José 山田 אבג 👩‍👩‍👧 \\ "'],
  ])('escapes %s in a text for a terminal (K5)', (_, text, shown) => {
    expect(terminalSafe(text)).toBe(shown);
  });

  test('keeps no control, separator or bidi character in a text for a terminal', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        (text) => !/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(terminalSafe(text)),
      ),
    );
  });
});

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,000'],
  [1234567, '1,234,567'],
  [-1234, '-1,234'],
])('writes the number %d with separators as %s', (value, text) => {
  expect(formatNumber(value)).toBe(text);
});

test.each([
  [1, 'row', undefined, '1 row'],
  [0, 'row', undefined, '0 rows'],
  [2000, 'row', undefined, '2,000 rows'],
  [2, 'batch', undefined, '2 batches'],
  [2, 'address', undefined, '2 addresses'],
  [2, 'entry', undefined, '2 entries'],
  [2, 'key', undefined, '2 keys'],
  [2, 'person', 'people', '2 people'],
])('writes a count with its noun in singular or plural: %d × %s', (count, one, many, text) => {
  expect(plural(count, one, many)).toBe(text);
});

test.each(["a\u001b[31mred's.csv", 'new\nline\\.csv', 'right\u202eleft', 'a\tb'])(
  'quotes %j for a shell, with control characters escaped (K5)',
  (text) => {
    const word = shellWord(text);
    expect(terminalSafe(word)).toBe(word);
    expect(execFileSync('bash', ['-c', `printf %s ${word}`], { encoding: 'utf8' })).toBe(text);
    expect(splitShellText(`a ${word} b`)).toEqual(['a', text, 'b']);
  },
);

test('quotes a word that zsh would replace', () => {
  expect([shellWord('=skip'), shellWord('a=skip')]).toEqual(["'=skip'", 'a=skip']);
});

test('splits a shell command back into the words that were quoted', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme', minLength: 1 })), (words) => {
      expect(splitShellText(words.map(shellWord).join(' '))).toEqual(words);
    }),
  );
});
