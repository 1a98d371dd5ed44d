import { expect, test } from 'vitest';
import type { SvcError } from '../../../../src/base/lib/errors.ts';
import { readRows } from '../../../../src/import/rows/read-rows.ts';
import { encoded, PLAIN, rowsOf, sourceOf } from '../tables-in-memory.ts';

const BLOCK_SIZES = [1, 2, 3, 7, 64 * 1024];

async function everyWay(text: string, dialect = PLAIN): Promise<(readonly [number, readonly string[]])[]> {
  const ways = await Promise.all(BLOCK_SIZES.map((blockSize) => rowsOf(sourceOf(text, blockSize), dialect)));
  const [first = [], ...others] = ways.map((rows) => rows.map(({ line, cells }) => [line, cells] as const));
  for (const other of others) {
    expect(other).toEqual(first);
  }
  return first;
}

test.each([
  ['no row in an empty text', '', []],
  ['one cell', 'a', [[1, ['a']]]],
  [
    'a last row without line ending',
    'a,b\nc,d',
    [
      [1, ['a', 'b']],
      [2, ['c', 'd']],
    ],
  ],
  [
    'LF',
    'a\nb\n',
    [
      [1, ['a']],
      [2, ['b']],
    ],
  ],
  [
    'CRLF',
    'a\r\nb\r\n',
    [
      [1, ['a']],
      [2, ['b']],
    ],
  ],
  [
    'lone CR',
    'a\rb\r',
    [
      [1, ['a']],
      [2, ['b']],
    ],
  ],
  [
    'CR CR LF as one ending',
    'a\r\r\nb\r\r\n',
    [
      [1, ['a']],
      [2, ['b']],
    ],
  ],
  [
    'every kind of line ending in one file',
    'a\r\nb\nc\rd\r\r\ne',
    [
      [1, ['a']],
      [2, ['b']],
      [3, ['c']],
      [4, ['d']],
      [5, ['e']],
    ],
  ],
  [
    'CRLF inside quotes as one line',
    '"a\r\nb"\r\nc\r\n',
    [
      [1, ['a\r\nb']],
      [3, ['c']],
    ],
  ],
  [
    'lone CR and CR CR LF inside quotes',
    '"a\rb\r\r\nc",x\nd',
    [
      [1, ['a\rb\r\r\nc', 'x']],
      [4, ['d']],
    ],
  ],
  [
    'a file whose blank lines are left out but counted',
    'a\n\n\nb\n \t\nc',
    [
      [1, ['a']],
      [4, ['b']],
      [6, ['c']],
    ],
  ],
  [
    'a file whose rows of only delimiters are left out',
    'a,b\n,\n"",  \nc,d',
    [
      [1, ['a', 'b']],
      [4, ['c', 'd']],
    ],
  ],
  [
    'short and long rows as they are',
    'a\nb,c,d',
    [
      [1, ['a']],
      [2, ['b', 'c', 'd']],
    ],
  ],
  [
    'trailing delimiters as empty cells',
    'a,,\n,b',
    [
      [1, ['a', '', '']],
      [2, ['', 'b']],
    ],
  ],
  ['a trailing delimiter at the very end', 'a,', [[1, ['a', '']]]],
  ['doubled quotes', '"a ""b""","""c"""\n', [[1, ['a "b"', '"c"']]]],
  [
    'an empty quoted cell',
    '"",a\nb,""',
    [
      [1, ['', 'a']],
      [2, ['b', '']],
    ],
  ],
  ['a quote inside an unquoted cell as data', '5" pipe,a"b"c\n', [[1, ['5" pipe', 'a"b"c']]]],
  ['a space before a quote as data', 'a, "b"\n', [[1, ['a', ' "b"']]]],
  ['blanks after a closing quote as part of the cell', '"a" ,b\n', [[1, ['a ', 'b']]]],
  ['single and curly quotes as data', "'a,b',“c”\n", [[1, ["'a", "b'", '“c”']]]],
  ['NUL and control characters in cells', 'a\0b,\u0007\u001b\n', [[1, ['a\0b', '\u0007\u001b']]]],
  ['NUL after a closing quote as text', '"a"\0,b\n', [[1, ['a\0', 'b']]]],
  ['a file with NUL padding at its end, which is left out,', 'a\n\0\0\0\0', [[1, ['a']]]],
  ['a file with the DOS end-of-file mark, which is left out,', 'a\r\n\u001a', [[1, ['a']]]],
  ['U+2028, U+2029 and U+0085 as data', 'a\u2028b,\u0085\u2029\n', [[1, ['a\u2028b', '\u0085\u2029']]]],
  [
    'rows that begin with U+FEFF, which is removed,',
    '\ufeffa\n\ufeff\ufeff"b,c"\nd\ufeff',
    [
      [1, ['a']],
      [2, ['b,c']],
      [3, ['d\ufeff']],
    ],
  ],
  ['JSON in a cell', 'a,"{""b"":[1,2]}"\n', [[1, ['a', '{"b":[1,2]}']]]],
  ['__proto__ like any other text', '__proto__,constructor\n', [[1, ['__proto__', 'constructor']]]],
])('reads a CSV text in blocks of any size: %s', async (_, text, rows) => {
  expect(await everyWay(text)).toEqual(rows);
});

test('keeps commas in cells when a table has a single column', async () => {
  expect(await everyWay('a,b\n"c;d"\n', { ...PLAIN, delimiter: undefined })).toEqual([
    [1, ['a,b']],
    [2, ['c;d']],
  ]);
});

test.each([
  ['text', '"a"x,b', ['ax', 'b'], 'x'],
  ['a backslash escape', '"say \\"hi\\" now",b', ['say \\hi\\" now"', 'b'], 'hi\\" now"'],
  ['a quote and text', '"a"x"y,b', ['ax"y', 'b'], 'x"y'],
  ['text, then a cell over two lines', '"a"x,"b\nc"', ['ax', 'b\nc'], 'x'],
  ['doubled quotes, then text', '"a ""b"""x,c', ['a "b"x', 'c'], 'x'],
])('reports %s after a closing quote only for the row that has it', async (_, text, cells, detail) => {
  const reason = text.includes('\\') ? 'backslash_before_quote' : 'text_after_closing_quote';
  const dialect = { ...PLAIN, headerLine: 1, header: ['Name', 'Note'] };
  const ways = BLOCK_SIZES.map((blockSize) => rowsOf(sourceOf(`Name,Note\n${text}\nd,e\n`, blockSize), dialect, true));
  for (const [first, second] of await Promise.all(ways)) {
    expect(first).toEqual({
      line: 2,
      cells,
      problem: { reason, column: 'Name', detail },
      raw: text,
      spansLines: text.includes('\n') || undefined,
    });
    expect(second).toMatchObject({ cells: ['d', 'e'], problem: undefined, raw: 'd,e' });
  }
});

async function fault(content: string | Buffer, encoding = 'utf-8', blockSize = 5): Promise<Partial<SvcError>> {
  const rows = rowsOf(sourceOf(content, blockSize), { ...PLAIN, encoding });
  return rows.then(
    () => ({ code: 'nothing' }),
    ({ code, exit, message }: SvcError) => ({ code, exit, message: message.split(':')[0] as string }),
  );
}

test.each([
  ['never closed', 'a,b\nc,"d\ne,f\n', 2],
  ['the last character and never closed', 'a,b\nc,"', 2],
  ['never closed, on a later line of its row', 'a,b\n"c\nd","e\nf\n', 3],
  ['never closed, after text after a closing quote', 'a,b\n"c"x,"e\nf\n', 2],
  ['closed by the opening quote of another row', 'a,b\nc,"d\ne,"f, g"\nh,i\n', 2],
  ['closed by the opening quote of the next line', 'a,b\nc,"d\n"e","f"\n', 2],
  ['never closed in a CRLF file', 'a,b\r\nc,d\r\ne,"f\r\n', 3],
])('stops at the line of a quote that is %s', async (_, text, line) => {
  for (const blockSize of BLOCK_SIZES) {
    expect(await fault(text, 'utf-8', blockSize)).toEqual({
      code: 'unterminated_quote',
      exit: 2,
      message: `list.csv, line ${line}`,
    });
  }
});

test('stops at an unclosed quote before the end when a file is long', async () => {
  const line = Buffer.from('person@example.com,Name,Company\n'.repeat(4096));
  let read = 0;
  const source = {
    ...sourceOf(''),
    async *bytes() {
      yield Buffer.from('a,"b\n');
      for (; read < 1000; read++) {
        yield line;
      }
    },
  };
  await expect(rowsOf(source, PLAIN)).rejects.toMatchObject({ code: 'unterminated_quote' });
  expect(read).toBeLessThan(400);
});

test('refuses a file whose row is too long, as it has no line ending', async () => {
  const piece = Buffer.alloc(1024 * 1024, 'x');
  const source = {
    ...sourceOf(''),
    async *bytes() {
      for (let index = 0; index < 64; index++) {
        yield piece;
      }
    },
  };
  await expect(rowsOf(source, PLAIN)).rejects.toMatchObject({ code: 'row_too_long' });
});

test('reads cells of 1 MiB, quoted or not', async () => {
  const long = 'x'.repeat(1024 * 1024);
  const lines = 'y\n'.repeat(512 * 1024);
  const rows = await rowsOf(sourceOf(`a,${long}\nb,"${lines}"\nc,d\n`), PLAIN);
  expect(rows.map(({ line, cells }) => [line, cells.map(({ length }) => length)])).toEqual([
    [1, [1, 1024 * 1024]],
    [2, [1, 1024 * 1024]],
    [3 + 512 * 1024, [1, 1]],
  ]);
});

test.each([
  [
    'one byte of windows-1252',
    Buffer.concat([Buffer.from('a\nJosé\nb,'), Buffer.from([0xe9]), Buffer.from(',c\nd\n')]),
    'utf-8',
    3,
  ],
  ['a sequence cut by the end of the file', Buffer.from('a\nb\nJosé').subarray(0, -1), 'utf-8', 3],
  ['a surrogate', Buffer.concat([Buffer.from('a\n'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('\n')]), 'utf-8', 2],
  ['an overlong form', Buffer.concat([Buffer.from('a\n'), Buffer.from([0xc0, 0xaf]), Buffer.from('\n')]), 'utf-8', 2],
  ['half a character of UTF-16', encoded('a\nb\nc', 'utf-16-le').subarray(0, -1), 'utf-16-le', 3],
  ['a byte that windows-1252 leaves out', Buffer.from('a\nb\x81c\n', 'latin1'), 'windows-1252', 2],
])('names the line of bytes that are invalid in the encoding: %s', async (_, bytes, encoding, line) => {
  for (const blockSize of BLOCK_SIZES) {
    expect(await fault(bytes, encoding, blockSize)).toEqual({
      code: 'encoding_mixed',
      exit: 2,
      message: `list.csv, line ${line}`,
    });
  }
});

test('names the line of an invalid byte inside a quoted cell', async () => {
  const bytes = Buffer.concat([Buffer.from('a,"b\nc'), Buffer.from([0xff]), Buffer.from('"\n')]);
  expect(await fault(bytes)).toEqual({ code: 'encoding_mixed', exit: 2, message: 'list.csv, line 2' });
});

test('drops a header that is repeated in the file, but no similar row', async () => {
  const text = 'Email,Name\na,b\n\ufeffEmail,Name\nc,d\nEmail,name\nEmail,Name,\n';
  const rows = await rowsOf(sourceOf(text), { ...PLAIN, headerLine: 1, header: ['Email', 'Name'] });
  expect(rows.map(({ line, cells }) => [line, ...cells])).toEqual([
    [2, 'a', 'b'],
    [4, 'c', 'd'],
    [5, 'Email', 'name'],
    [6, 'Email', 'Name', ''],
  ]);
});

test('ignores lines above the header of a CSV file', async () => {
  const dialect = { ...PLAIN, headerLine: 4, header: ['Email', 'Name\nof person'] };
  const rows = await rowsOf(sourceOf('Notes:\n"two\nlines"\nEmail,"Name\nof person"\na,b\n'), dialect);
  expect(rows.map(({ line, cells }) => [line, ...cells])).toEqual([[6, 'a', 'b']]);
});

test('reads CSV rows in batches and reports the bytes read', async () => {
  const source = sourceOf('a,b\n'.repeat(600), 1_000);
  const reported: number[] = [];
  const sizes: number[] = [];
  for await (const batch of readRows(source, PLAIN, { onBytes: (bytes) => reported.push(bytes) })) {
    sizes.push(batch.length);
  }
  expect(sizes).toEqual([250, 250, 100]);
  expect(reported).toEqual([1_000, 1_000, 400]);
});
