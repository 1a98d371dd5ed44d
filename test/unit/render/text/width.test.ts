import { expect, test } from 'vitest';
import { displayWidth, padEnd, shorten } from '../../../../src/render/text/width.ts';
import { wrapText } from '../../../../src/render/text/wrap.ts';

test.each([
  ['abc', 3],
  ['', 0],
  ['Zoë', 3],
  ['Zoe\u0308', 3],
  ['東京', 4],
  ['한국', 4],
  ['👍', 2],
  ['👩‍👩‍👧', 2],
  ['é…–', 3],
])('measures %j as %i terminal columns', (text, width) => {
  expect(displayWidth(text)).toBe(width);
});

test.each([
  ['abcdef', 6, 'abcdef'],
  ['abcdef', 5, 'abcd…'],
  ['東京都', 5, '東京…'],
  ['東京都', 4, '東…'],
  ['ab', 1, '…'],
  ['ab', 0, ''],
])('cuts %j to %i columns: %j', (text, width, cut) => {
  expect(shorten(text, width)).toBe(cut);
});

test('pads text by terminal columns, not by characters', () => {
  expect([padEnd('東', 4), padEnd('abc', 2)]).toEqual(['東  ', 'abc']);
});

test.each([
  { title: 'any width', columns: undefined, lines: ['* one two three'] },
  { title: '9 columns', columns: 9, lines: ['* one two', '  three'] },
  { title: '3 columns', columns: 3, lines: ['* one', '  two', '  three'] },
])('breaks text only at spaces, at $title', ({ columns, lines }) => {
  expect(wrapText('one two three', columns, { first: '* ', rest: '  ' })).toEqual(lines);
});
