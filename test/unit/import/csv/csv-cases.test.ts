import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { parseIrregularRow, repairCells } from '../../../../src/import/csv/irregular-row.ts';
import type { RawRow } from '../../../../src/import/csv/row-types.ts';
import { PLAIN, rowsOf, sourceOf } from '../tables-in-memory.ts';

// Cases after the test suites of large CSV parsers, in our own words. The expected rows leave out rows without text.
interface Case {
  readonly text: string;
  readonly rows: readonly (readonly string[])[];
  readonly delimiter?: string;
  /** The lines of the file on which the rows start. Default: one line for each row. */
  readonly lines?: readonly number[];
  /** Indexes of rows with text after a closing quote. */
  readonly faulty?: readonly number[];
  /** Indexes of rows with blanks after a closing quote. */
  readonly padded?: readonly number[];
}

const REGULAR: Readonly<Record<string, Case>> = {
  'one cell': { text: 'ana', rows: [['ana']] },
  'one row': { text: 'ana,bo,cleo', rows: [['ana', 'bo', 'cleo']] },
  'two rows': {
    text: 'ana,bo\ncleo,dov',
    rows: [
      ['ana', 'bo'],
      ['cleo', 'dov'],
    ],
  },
  'a column of cells': { text: 'ana\nbo\ncleo\n', rows: [['ana'], ['bo'], ['cleo']] },
  'rows that grow': { text: 'a\nb,c\nd,e,f', rows: [['a'], ['b', 'c'], ['d', 'e', 'f']] },
  'rows that shrink': { text: 'a,b,c\nd,e\nf', rows: [['a', 'b', 'c'], ['d', 'e'], ['f']] },
  'an ending at the end': { text: 'a,b\n', rows: [['a', 'b']] },
  'CRLF at the end': { text: 'a,b\r\n', rows: [['a', 'b']] },
  'CR at the end': { text: 'a,b\r', rows: [['a', 'b']] },
  'several endings at the end': { text: 'a,b\n\n\n', rows: [['a', 'b']] },
  'an ending at the start': { text: '\na,b', rows: [['a', 'b']], lines: [2] },
  'CRLF at the start': { text: '\r\n\r\na,b', rows: [['a', 'b']], lines: [3] },
  'CR at the start': { text: '\r\ra,b', rows: [['a', 'b']], lines: [3] },
  'a blank row between two rows': { text: 'a\n\nb', rows: [['a'], ['b']], lines: [1, 3] },
  'a row of blanks between': {
    text: 'a,b\n  , \nc,d',
    rows: [
      ['a', 'b'],
      ['c', 'd'],
    ],
    lines: [1, 3],
  },
  'a row of only delimiters between two rows': {
    text: 'a,b\n,\nc,d',
    rows: [
      ['a', 'b'],
      ['c', 'd'],
    ],
    lines: [1, 3],
  },
  'a row of empty quotes between': {
    text: 'a,b\n"",""\nc,d',
    rows: [
      ['a', 'b'],
      ['c', 'd'],
    ],
    lines: [1, 3],
  },
  'nothing but endings': { text: '\n\r\n\r', rows: [] },
  'nothing but delimiters': { text: ',,,', rows: [] },
  'nothing but empty quotes': { text: '""', rows: [] },
  'no text': { text: '', rows: [] },
  'endings of every kind': { text: 'a\nb\r\nc\rd', rows: [['a'], ['b'], ['c'], ['d']] },
  'LF and CR, the wrong way round': { text: 'a\n\rb', rows: [['a'], ['b']], lines: [1, 3] },
  'an empty first cell': { text: ',b', rows: [['', 'b']] },
  'an empty last cell': { text: 'a,', rows: [['a', '']] },
  'an empty last cell before an ending': {
    text: 'a,\nb,',
    rows: [
      ['a', ''],
      ['b', ''],
    ],
  },
  'empty cells in the middle': { text: 'a,,,b', rows: [['a', '', '', 'b']] },
  'blanks stay': { text: ' a , b ,\tc', rows: [[' a ', ' b ', '\tc']] },
  'a quoted cell': { text: '"a"', rows: [['a']] },
  'a quoted cell first': { text: '"a",b', rows: [['a', 'b']] },
  'a quoted cell last': { text: 'a,"b"', rows: [['a', 'b']] },
  'a quoted cell last, and an ending': {
    text: 'a,"b"\nc,d',
    rows: [
      ['a', 'b'],
      ['c', 'd'],
    ],
  },
  'a quoted cell last, and CRLF': {
    text: 'a,"b"\r\nc,d',
    rows: [
      ['a', 'b'],
      ['c', 'd'],
    ],
  },
  'a quoted cell last, and CR': {
    text: 'a,"b"\rc,d',
    rows: [
      ['a', 'b'],
      ['c', 'd'],
    ],
  },
  'all cells quoted': {
    text: '"a","b"\n"c","d"',
    rows: [
      ['a', 'b'],
      ['c', 'd'],
    ],
  },
  'an empty quoted cell': { text: 'a,"",c', rows: [['a', '', 'c']] },
  'an empty quoted cell first': { text: '"",b', rows: [['', 'b']] },
  'an empty quoted cell last': { text: 'a,""', rows: [['a', '']] },
  'a delimiter in quotes': { text: '"a,b",c', rows: [['a,b', 'c']] },
  'nothing but a delimiter in quotes': { text: '",",a', rows: [[',', 'a']] },
  'many delimiters in quotes': { text: '",,,,",a', rows: [[',,,,', 'a']] },
  'LF in quotes': {
    text: '"a\nb",c\nd,e',
    rows: [
      ['a\nb', 'c'],
      ['d', 'e'],
    ],
    lines: [1, 3],
  },
  'CRLF in quotes': {
    text: '"a\r\nb",c\r\nd,e',
    rows: [
      ['a\r\nb', 'c'],
      ['d', 'e'],
    ],
    lines: [1, 3],
  },
  'CR in quotes': {
    text: '"a\rb",c\rd,e',
    rows: [
      ['a\rb', 'c'],
      ['d', 'e'],
    ],
    lines: [1, 3],
  },
  'another line ending in quotes than outside': { text: '"a\nb",c\r\nd', rows: [['a\nb', 'c'], ['d']], lines: [1, 3] },
  'nothing but an ending in quotes': {
    text: 'a,"\n"\nb,c',
    rows: [
      ['a', '\n'],
      ['b', 'c'],
    ],
    lines: [1, 3],
  },
  'a blank line in quotes': { text: '"a\n\nb"\nc', rows: [['a\n\nb'], ['c']], lines: [1, 4] },
  'a line ending right after the opening quote': { text: '"\na"\nb', rows: [['\na'], ['b']], lines: [1, 3] },
  'an ending right before the closing quote': { text: '"a\n"\nb', rows: [['a\n'], ['b']], lines: [1, 3] },
  'two cells over lines': { text: '"a\nb","c\nd"\ne', rows: [['a\nb', 'c\nd'], ['e']], lines: [1, 4] },
  'blanks in quotes': { text: '"  a  ",b', rows: [['  a  ', 'b']] },
  'a doubled quote': { text: '"a""b"', rows: [['a"b']] },
  'a doubled quote first': { text: '"""a"', rows: [['"a']] },
  'a doubled quote last': { text: '"a"""', rows: [['a"']] },
  'a word in doubled quotes': { text: '"say ""hi""!"', rows: [['say "hi"!']] },
  'nothing but a doubled quote': { text: '""""', rows: [['"']] },
  'nothing but two': { text: '""""""', rows: [['""']] },
  'a doubled quote beside a delimiter': { text: '"a"",b",c', rows: [['a",b', 'c']] },
  'a doubled quote before an ending in quotes': { text: '"a""\n""b"\nc', rows: [['a"\n"b'], ['c']], lines: [1, 3] },
  'a doubled quote in the last cell': { text: 'a,"b"""\nc', rows: [['a', 'b"'], ['c']] },
  'JSON in a cell': { text: '"{""a"": [1, ""x,y""]}",b', rows: [['{"a": [1, "x,y"]}', 'b']] },
  'CSV in a cell': { text: '"""VIP"",""Blog""",b', rows: [['"VIP","Blog"', 'b']] },
  'single quotes are text': { text: "'a,b',c", rows: [["'a", "b'", 'c']] },
  'backslashes are text': { text: '"a\\",b\\,c\\n', rows: [['a\\', 'b\\', 'c\\n']] },
  'a hash is text': {
    text: '#a,b\nc,d',
    rows: [
      ['#a', 'b'],
      ['c', 'd'],
    ],
  },
  'letters beyond ASCII': {
    text: 'ä,"ö,ü"\n日本,"é""è"',
    rows: [
      ['ä', 'ö,ü'],
      ['日本', 'é"è'],
    ],
  },
  'letters of two code units': { text: '😀,"😀,😀"\n𝒜', rows: [['😀', '😀,😀'], ['𝒜']] },
  'separators of lines that are none': {
    text: 'a\u2028b,c\u0085d\n\u000be,f\u000c',
    rows: [
      ['a\u2028b', 'c\u0085d'],
      ['\u000be', 'f\u000c'],
    ],
  },
  'numbers are text': { text: '1,1.0,1e5,-0,0x10,NaN', rows: [['1', '1.0', '1e5', '-0', '0x10', 'NaN']] },
  'words are text': { text: 'true,null,undefined,NULL', rows: [['true', 'null', 'undefined', 'NULL']] },
  'names of objects': {
    text: '__proto__,constructor\ntoString,a',
    rows: [
      ['__proto__', 'constructor'],
      ['toString', 'a'],
    ],
  },
  semicolons: { text: 'a;"b;c";d,e', rows: [['a', 'b;c', 'd,e']], delimiter: ';' },
  tabs: { text: 'a\t"b\tc"\t d', rows: [['a', 'b\tc', ' d']], delimiter: '\t' },
  pipes: { text: 'a|"b|c"||', rows: [['a', 'b|c', '', '']], delimiter: '|' },
  'carets as delimiters': { text: 'a^"b^c"^', rows: [['a', 'b^c', '']], delimiter: '^' },
  'a blank as delimiter': { text: 'a "b c" d', rows: [['a', 'b c', 'd']], delimiter: ' ' },
};

const IRREGULAR: Readonly<Record<string, Case>> = {
  'a quote inside a cell': { text: 'a"b,c', rows: [['a"b', 'c']] },
  'a quote at the end of a cell': { text: 'a",b', rows: [['a"', 'b']] },
  inches: { text: '5" pipe,6"', rows: [['5" pipe', '6"']] },
  'doubled quotes in a cell without': { text: 'a""b,c', rows: [['a""b', 'c']] },
  coordinates: { text: `52°31'12"N 13°24'36"E,Berlin`, rows: [[`52°31'12"N 13°24'36"E`, 'Berlin']] },
  'a blank before a quote': { text: 'a, "b",c', rows: [['a', ' "b"', 'c']] },
  'a blank before quotes with a delimiter inside': { text: 'a, "b,c"', rows: [['a', ' "b', 'c"']] },
  'a tab before a quote': { text: '\t"a",b', rows: [['\t"a"', 'b']] },
  'text after a closing quote': { text: '"a"b,c', rows: [['ab', 'c']], faulty: [0] },
  'text after a closing quote, last': { text: 'a,"b"c\nd', rows: [['a', 'bc'], ['d']], faulty: [0] },
  'a quoted cell in quotes': { text: '"a "b" c",d', rows: [['a b" c"', 'd']], faulty: [0] },
  'blanks after a closing quote': { text: '"a"  ,b\n"c" \nd', rows: [['a  ', 'b'], ['c '], ['d']], padded: [0, 1] },
  'a sound row after a faulty one': {
    text: '"a"x,b\n"c,d",e',
    rows: [
      ['ax', 'b'],
      ['c,d', 'e'],
    ],
    faulty: [0],
  },
  'a faulty row after a sound one': {
    text: '"a,b",c\n"d"x,e',
    rows: [
      ['a,b', 'c'],
      ['dx', 'e'],
    ],
    faulty: [1],
  },
  'a faulty row over two lines': { text: '"a\nb"x,c\nd', rows: [['a\nbx', 'c'], ['d']], faulty: [0], lines: [1, 3] },
};

const CASES = Object.entries({ ...REGULAR, ...IRREGULAR });
const BLOCK_SIZES = [1, 2, 3, 5, 64 * 1024];

test.each(CASES)('reads the expected CSV rows from blocks of any size: %s', async (_, { rows, lines, ...one }) => {
  for (const size of BLOCK_SIZES) {
    const read = await readWith(one, size);
    expect(read.map(({ cells }) => cells)).toEqual(rows);
    expect(read.map(({ line }) => line)).toEqual(lines ?? rows.map((_row, index) => index + 1));
    expect(faultyOf(read)).toEqual(one.faulty ?? []);
  }
});

test.each(CASES)('csv-parse also reads the expected CSV rows: %s', (_, one) => {
  const records: string[][] = parse(one.text, {
    delimiter: one.delimiter ?? ',',
    record_delimiter: ['\r\r\n', '\r\n', '\n', '\r'],
    relax_quotes: true,
    relax_column_count: true,
  });
  const written = records.filter((cells) => cells.some((cell) => cell.trim() !== ''));
  // csv-parse keeps the quotes around a cell with anything after them.
  const bare = (cells: readonly string[], index: number) =>
    one.faulty?.includes(index) || one.padded?.includes(index) ? cells.map((cell) => cell.replaceAll('"', '')) : cells;
  expect(written.map(bare)).toEqual(one.rows.map(bare));
});

test.each(CASES)('csv-parse reads each CSV row as the fast lane does: %s', async (_, one) => {
  const delimiter = one.delimiter ?? ',';
  const read = await readWith(one, 64 * 1024);
  const slow = read.map(({ raw = '' }) => {
    const record = parseIrregularRow(raw, delimiter);
    return record && repairCells(raw, record.cells, { delimiter, header: [] }).cells;
  });
  expect(slow).toEqual(one.rows);
});

test.each([
  ['a quote that opens the text', '"a', 1],
  ['a quote that opens the last cell', 'a,"b', 1],
  ['a lone quote as a cell', 'a,",c', 1],
  ['a quote in the third row', 'a,b\nc,d\ne,"f\ng,h', 3],
  ['a doubled quote that does not close the cell', '"a""', 1],
  ['a quote after rows in quotes', '"a\nb",c\n"d,e', 3],
  ['three quotes', '"""', 1],
])('stops at the line of an unclosed quote: %s', async (_, text, line) => {
  for (const size of BLOCK_SIZES) {
    await expect(rowsOf(sourceOf(text, size), PLAIN)).rejects.toMatchObject({
      code: 'unterminated_quote',
      message: expect.stringContaining(`line ${line}:`),
    });
  }
});

function readWith({ text, delimiter = ',' }: Pick<Case, 'text' | 'delimiter'>, size: number): Promise<RawRow[]> {
  return rowsOf(sourceOf(text, size), { ...PLAIN, delimiter }, true);
}

function faultyOf(rows: readonly RawRow[]): number[] {
  return [...rows.keys()].filter((index) => rows[index]?.problem !== undefined);
}
