import { expect, test } from 'vitest';
import { createStyle } from '../../../../src/render/text/style.ts';
import { renderTable } from '../../../../src/render/text/table.ts';

const columns = [{ title: 'id', whole: true }, { title: 'name' }, { title: 'n', align: 'right' }] as const;
const rows = [
  ['aud_1', 'A rather long name of a list', 1],
  ['aud_22', null, 1200],
  ['aud_3', '東京の読者', { text: 'ten', tone: 'red', raw: 10 }],
] as const;

test.each([
  {
    title: 'shows all columns when there is room',
    width: 80,
    text: [
      'ID      NAME                             N',
      'aud_1   A rather long name of a list     1',
      'aud_22  –                             1200',
      'aud_3   東京の読者                     ten',
    ],
  },
  {
    title: 'cuts cells, but never ids and numbers, when the terminal is narrow',
    width: 23,
    text: ['ID      NAME          N', 'aud_1   A rather…     1', 'aud_22  –          1200', 'aud_3   東京の読…   ten'],
  },
  {
    title: 'shows one row under another when the table does not fit',
    width: 20,
    text: [
      'id    aud_1',
      'name  A rather long',
      '      name of a list',
      'n     1',
      '',
      'id    aud_22',
      'name  –',
      'n     1200',
      '',
      'id    aud_3',
      'name  東京の読者',
      'n     ten',
    ],
  },
  {
    title: 'writes tabs and values without a header when there is no terminal',
    width: undefined,
    text: ['aud_1\tA rather long name of a list\t1', 'aud_22\t\t1200', 'aud_3\t東京の読者\t10'],
  },
])('a table $title', ({ width, text }) => {
  expect(renderTable(columns, rows, createStyle(false, width))).toBe(`${text.join('\n')}\n`);
});

test.each([
  ['80 columns', 80],
  ['5 columns', 5],
  ['any width', undefined],
])('escapes tabs, line ends and colors in a table cell at %s (K5)', (_, width) => {
  const text = renderTable([{ title: 'name' }], [['a\tb\nc\u001b[31m\u009b\u202e']], createStyle(false, width));
  expect(text.endsWith('a\\u0009b\\u000ac\\u001b[31m\\u009b\\u202e\n')).toBe(width !== 5 || !text.includes('…'));
  expect(text.trimEnd()).not.toMatch(/[\t\u001b\u009b\u202e]/);
});

test('returns an empty text for a table without rows', () => {
  expect(renderTable(columns, [], createStyle(false, 80))).toBe('');
});

test('colors the text of a table cell and not the spaces around', () => {
  expect(
    renderTable([{ title: 'a' }, { title: 'b' }], [[{ text: 'x', tone: 'red' }, 'y']], createStyle(true, 80)),
  ).toBe('\u001b[2mA\u001b[22m  \u001b[2mB\u001b[22m\n\u001b[31mx\u001b[39m  y\n');
});
