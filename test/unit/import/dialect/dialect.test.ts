import { expect, test } from 'vitest';
import type { SvcError } from '../../../../src/base/lib/errors.ts';
import { type DialectHints, detectDialect } from '../../../../src/import/dialect/detect-dialect.ts';
import { encoded, sourceOf, understand } from '../tables-in-memory.ts';

const LIST = 'Email,Name\nana@example.com,José\nbo@example.com,"Bo, Jr."\n';
const CELLS = [
  ['ana@example.com', 'José'],
  ['bo@example.com', 'Bo, Jr.'],
];

test.each([
  ['UTF-8', 'utf-8', false],
  ['UTF-8 with a byte order mark', 'utf-8', true],
  ['UTF-16 LE with a byte order mark', 'utf-16-le', true],
  ['UTF-16 LE without a mark', 'utf-16-le', false],
  ['UTF-16 BE with a byte order mark', 'utf-16-be', true],
  ['UTF-16 BE without a mark', 'utf-16-be', false],
  ['UTF-32 LE with a byte order mark', 'utf-32-le', true],
  ['UTF-32 LE without a mark', 'utf-32-le', false],
  ['UTF-32 BE with a byte order mark', 'utf-32-be', true],
  ['UTF-32 BE without a mark', 'utf-32-be', false],
])('recognizes and reads a file in %s', async (_, encoding, bom) => {
  const { dialect, cells, findings } = await understand(encoded(LIST, encoding, bom));
  expect({
    encoding: dialect.encoding,
    bom: dialect.hasByteOrderMark,
    header: dialect.header,
    cells,
    findings,
  }).toEqual({
    encoding,
    bom,
    header: ['Email', 'Name'],
    cells: CELLS,
    findings: [],
  });
});

test('accepts a file that begins with two byte order marks', async () => {
  const { dialect, cells } = await understand(encoded(`\ufeff\ufeff${LIST}`, 'utf-8'));
  expect([dialect.hasByteOrderMark, dialect.header, cells]).toEqual([true, ['Email', 'Name'], CELLS]);
});

test('reads the Excel format "Unicode Text" as UTF-16 with tabs', async () => {
  const { dialect, cells } = await understand(
    encoded('Email\tName\r\nana@example.com\tAna, Jr.\r\n', 'utf-16-le', true),
  );
  expect([dialect.encoding, dialect.delimiter, cells]).toEqual(['utf-16-le', '\t', [['ana@example.com', 'Ana, Jr.']]]);
});

test.each([
  ['windows-1252', 'Zoë Müller – “été”, €5', 'windows-1252', 'warn'],
  ['ISO-8859-1', 'Zoë Müller', 'windows-1252', 'warn'],
  ['windows-1252', 'JOSÉ MÜLLER', 'windows-1252', 'warn'],
  ['windows-1252', 'O’Brien', 'windows-1252', 'warn'],
  ['windows-1252', 'it’s “fine”…', 'windows-1252', 'warn'],
  ['windows-1252', 'Žana Šuša', 'windows-1252', 'warn'],
  ['macintosh', 'Ana “la niña” Núñez', 'macintosh', 'warn'],
  ['macintosh', 'José Müller', 'macintosh', 'stop'],
  ['macintosh', 'Françoise Noël', 'macintosh', 'stop'],
])('reads the %s text %s as %s, with a finding of level %s', async (encoding, name, found, level) => {
  const bytes = encoded(`Email,Name\nana@example.com,"${name}"\nbo@example.com,Bo\n`, encoding);
  const { dialect, findings, cells } = await understand(bytes);
  expect([dialect.encoding, findings.map((one) => [one.check, one.level])]).toEqual([found, [['encoding', level]]]);
  expect(cells[0]).toEqual(['ana@example.com', name]);
});

test.each([
  ['windows-1251', 'Ольга Иванова'],
  ['windows-1250', 'Paweł Dąbrowski, Łódź, Małgorzata Wójcik'],
  ['windows-1253', 'Αθήνα Θεσσαλονίκη'],
  ['shift_jis', 'すずき たろう'],
  ['gb18030', '北京市 上海市 王芳'],
  ['euc-kr', '서울특별시'],
])('reads %s text and warns when no other encoding gives real words (F10)', async (encoding, name) => {
  const bytes = encoded(`Email,Name\nana@example.com,"${name}"\n`, encoding);
  const { findings, cells, dialect } = await understand(bytes);
  expect([dialect.encoding, findings.map(({ check, level }) => `${level} ${check}`)]).toEqual([
    encoding,
    ['warn encoding'],
  ]);
  expect(cells).toEqual([['ana@example.com', name]]);
});

test('stops when several encodings fit, and shows a cell in each (F10)', async () => {
  const bytes = encoded('Email,Name\nana@example.com,Woźniak\n', 'windows-1250');
  const { findings } = await understand(bytes);
  expect(findings).toMatchObject([
    {
      check: 'encoding',
      level: 'stop',
      message:
        'list.csv is not UTF-8, and its encoding is not certain: ' +
        'macintosh reads "Woüniak", cp852 reads "Wočniak", windows-1250 reads "Woźniak", windows-1252 reads "WoŸniak"',
      hint: '--encoding macintosh',
      when: 'If it reads "Woüniak"',
      otherwise: [
        { when: 'If it reads "Wočniak"', flags: '--encoding cp852' },
        { when: 'If it reads "Woźniak"', flags: '--encoding windows-1250' },
        { when: 'If it reads "WoŸniak"', flags: '--encoding windows-1252' },
      ],
    },
  ]);
  const named = await understand(bytes, { encoding: 'windows-1250' });
  expect([named.findings, named.cells]).toEqual([[], [['ana@example.com', 'Woźniak']]]);
});

test('stops when an address is not ASCII and the encoding is a guess (F8)', async () => {
  const bytes = encoded('Email,Name\njürgen@example.com,Jürgen Müller\nbo@example.com,Jörg Schröder\n', 'windows-1252');
  const { findings } = await understand(bytes);
  expect(findings.map(({ level, message }) => [level, message.includes('"jürgen@example.com"')])).toEqual([
    ['stop', true],
  ]);
  expect((await understand(bytes, { encoding: 'windows-1252' })).cells[0]).toEqual([
    'jürgen@example.com',
    'Jürgen Müller',
  ]);
});

test('refuses ISO-2022-JP and prints the command that converts it (F10)', async () => {
  const bytes = Buffer.from('Email,Name\nana@example.com,\x1b$B@wL@\x1b(B\n', 'latin1');
  await expect(understand(bytes)).rejects.toMatchObject({
    code: 'encoding_unsupported',
    exit: 2,
    hint: 'Convert it first: iconv -f ISO-2022-JP -t UTF-8 list.csv > list-utf-8.csv',
  });
});

test.each([
  'Nº 5 1ª, ¿Qué?, 2º m³',
  'O´Neill und O´Brien',
  'née créée à côté «ça»',
  'MÜLLER GmbH® © 2024',
  '“Ana” – €5 … ½',
  'Åse Ærø BJØRN',
])('warns, and reads windows-1252 text with special characters: %s', async (name) => {
  const { findings, cells } = await understand(encoded(`Email,Name\nana@example.com,"${name}"\n`, 'windows-1252'));
  expect([findings.map(({ level }) => level), cells]).toEqual([['warn'], [['ana@example.com', name]]]);
});

test('obeys --encoding even when the bytes look like another encoding', async () => {
  const bytes = encoded('Email,Name\nana@example.com,José\n', 'macintosh');
  const { dialect, cells, findings } = await understand(bytes, { encoding: 'MacRoman' });
  expect([dialect.encoding, cells, findings]).toEqual(['macintosh', [['ana@example.com', 'José']], []]);
});

test('reads UTF-8 with a byte order mark as UTF-8 despite --encoding', async () => {
  expect((await understand(encoded(LIST, 'utf-8', true), { encoding: 'windows-1252' })).dialect.encoding).toBe('utf-8');
});

test('reads a UTF-8 input as UTF-8 when --encoding is for other inputs (F10)', async () => {
  const several = { encoding: 'windows-1252', isForSeveral: true };
  const { dialect, cells, findings } = await understand(encoded(LIST, 'utf-8'), several);
  expect([dialect.encoding, cells]).toEqual(['utf-8', CELLS]);
  expect(findings.map(({ level, message }) => `${level} ${message}`)).toEqual([
    'warn list.csv is in utf-8, so svc does not read it as windows-1252',
  ]);
  expect((await understand(encoded(LIST, 'windows-1252'), several)).cells).toEqual(CELLS);
});

test('prefers UTF-8 to the usual platform encoding when an address needs it', async () => {
  const mixed = Buffer.concat([
    encoded('Email,Note\njosé@example.com,x\n', 'utf-8'),
    encoded('a@x.test,é\n', 'latin1'),
  ]);
  const { dialect } = await detectDialect(sourceOf(mixed), { legacy: 'iso-8859-1' });
  expect(dialect.encoding).toBe('utf-8');
});

test('detects the encoding from a letter far from the start of the file', async () => {
  const rows = 'ana@example.com,Ana\n'.repeat(30_000);
  const { dialect, rows: read } = await understand(encoded(`Email,Name\n${rows}bo@example.com,Zoë\n`, 'windows-1252'));
  expect([dialect.encoding, read.at(-1)?.cells]).toEqual(['windows-1252', ['bo@example.com', 'Zoë']]);
});

test('names the line when one byte of a UTF-8 file is invalid', async () => {
  const bytes = Buffer.concat([Buffer.from(LIST), encoded('cy@example.com,Zoë\n', 'windows-1252')]);
  const { dialect } = await detectDialect(sourceOf(bytes), {});
  expect(dialect.encoding).toBe('utf-8');
  await expect(understand(bytes)).rejects.toMatchObject({
    code: 'encoding_mixed',
    message: expect.stringContaining('line 4'),
  });
});

test('keeps a replacement character (U+FFFD) that the file already has', async () => {
  expect((await understand('Email,Name\nana@example.com,Jos\ufffd\n')).cells).toEqual([
    ['ana@example.com', 'Jos\ufffd'],
  ]);
});

test.each([
  ['commas', 'Email,Name\nana@example.com,Ana\n', ','],
  ['semicolons', 'Email;Name\nana@example.com;Ana\n', ';'],
  ['tabs', 'Email\tName\nana@example.com\tAna\n', '\t'],
  ['pipes', 'Email|Name\nana@example.com|Ana\n', '|'],
  ['semicolons beside a comma in every row', 'Email;Name\nana@example.com;Alb, Ana\nbo@example.com;Berg, Bo\n', ';'],
  ['semicolons beside commas that are as regular', 'Email;Name,Title\nana@example.com;Alb, Ana\n', ';'],
  ['commas beside semicolons in a cell', 'Email,Tags\nana@example.com,a;b\nbo@example.com,a;b;c\n', ','],
  ['commas beside pipes in a cell', 'Email,Tags\nana@example.com,a|b\nbo@example.com,c|d\n', ','],
  ['tabs beside commas', 'Email\tNote\nana@example.com\ta, b, c\n', '\t'],
  ['a header alone', 'Email Address;First Name;Company\n', ';'],
  ['one column', 'Email\nana@example.com\nbo@example.com\n', undefined],
  ['one column of addresses without a header', 'ana@example.com\nbo@example.com\n', undefined],
  ['one column under quotes', '"Email"\r\n"ana@example.com"\r\n', undefined],
  ['newlines in quotes', 'Email,Note\nana@example.com,"a;\nb;\nc;"\n', ','],
  ['two addresses in a cell', 'Name,Email\nAna,ana@example.com;ana2@example.com\nBo,bo@example.com\n', ','],
  ['rows longer than the header', 'Email,Name\nana@example.com,Ana,\nbo@example.com,Bo,\n', ','],
  ['a list without any address', 'Email;Name\n;Ana\n;Bo\n', ';'],
])('finds the delimiter of a table: %s', async (_, text, delimiter) => {
  expect((await understand(text)).dialect.delimiter).toBe(delimiter);
});

test.each([
  ['sep=;', ';'],
  ['SEP=|', '|'],
  ['sep=\t', '\t'],
  ['"sep=;"', ';'],
])('reads the delimiter from the first line %j, which is not a row', async (line, delimiter) => {
  const { dialect, rows } = await understand(
    `\ufeff${line}\r\nEmail${delimiter}a,b\r\nana@example.com${delimiter}c,d\r\n`,
  );
  expect(dialect).toMatchObject({ delimiter, hasSepLine: true, headerLine: 2, header: ['Email', 'a,b'] });
  expect(rows.map(({ line: at, cells }) => [at, ...cells])).toEqual([[3, 'ana@example.com', 'c,d']]);
});

test.each(['^', '\u00a6', '~'])('finds the unusual delimiter %s when it is in every row', async (delimiter) => {
  const row = (...cells: readonly string[]) => `${cells.join(delimiter)}\n`;
  const { dialect, cells } = await understand(
    row('Email', 'Name') + row('a@example.com', 'Ana, A.') + row('b@example.com', 'Bo'),
  );
  expect([dialect.delimiter, cells[0]]).toEqual([delimiter, ['a@example.com', 'Ana, A.']]);
  const { dialect: single } = await understand(`a${delimiter}b@example.com\nc@example.com\nd@example.com\n`);
  expect(single.delimiter).toBeUndefined();
});

test.each([
  [';', ';'],
  ['tab', '\t'],
  ['\\t', '\t'],
  ['semicolon', ';'],
  ['^', '^'],
])('accepts --delimiter %s', async (delimiter, character) => {
  const { dialect, cells } = await understand(`Email${character}Name\na@example.com${character}A\n`, { delimiter });
  expect([dialect.delimiter, cells]).toEqual([character, [['a@example.com', 'A']]]);
});

test.each([
  [
    'a preamble',
    'Notes:\n"When exporting your data, you may notice"\n\nFirst Name,Email Address\nAna,ana@example.com\n',
    4,
    ['First Name', 'Email Address'],
  ],
  ['a title of two cells', 'Export,2026-01-01\n\nEmail,Name\nana@example.com,Ana\n', 3, ['Email', 'Name']],
  ['a # line', '# exported 2026-01-01\nEmail,Name\nana@example.com,Ana\n', 2, ['Email', 'Name']],
  ['a # line with a delimiter', '# by Admin, on Monday\nEmail,Name\nana@example.com,Ana\n', 2, ['Email', 'Name']],
  ['a # line above one column', '# people\nEmail\nana@example.com\n', 2, ['Email']],
  ['a column called #', '#,Email\n1,ana@example.com\n', 1, ['#', 'Email']],
  ['blank lines', '\n\r\n,,\nEmail,Name\nana@example.com,Ana\n', 4, ['Email', 'Name']],
  [
    'NBSP, case and blanks, kept as written',
    '\u00a0EMAIL\u00a0address , nAME\nana@example.com,Ana\n',
    1,
    ['\u00a0EMAIL\u00a0address ', ' nAME'],
  ],
  ['a newline in the header', '"Email\naddress",Name\nana@example.com,Ana\n', 1, ['Email\naddress', 'Name']],
  ['unnamed columns', 'Email,,Name,\nana@example.com,x,Ana,y\n', 1, ['Email', '', 'Name', '']],
  ['duplicate names', 'Email,Phone,Phone\nana@example.com,1,2\n', 1, ['Email', 'Phone', 'Phone']],
  ['a first row without an address', 'Email,Phone\n,123\nana@example.com,\n', 1, ['Email', 'Phone']],
  ['a header in another language', 'Imię;Adres e-mail\nAna;ana@example.com\n', 1, ['Imię', 'Adres e-mail']],
  ['a header without a word for addresses', 'Kontakt,Namn\nana@example.com,Ana\n', 1, ['Kontakt', 'Namn']],
  ['a short first row', 'Email\nana@example.com,Ana\nbo@example.com,Bo\n', 1, ['Email']],
  ['an address above and in the third row', 'From,a@x.test\nEmail,Name\n,A\n,B\nc@x.test,C\n', 2, ['Email', 'Name']],
])('finds the header of a file with %s', async (_, text, headerLine, header) => {
  const { dialect } = await understand(text);
  expect({ headerLine: dialect.headerLine, header: dialect.header }).toEqual({ headerLine, header });
});

test('needs no header when the only column holds addresses', async () => {
  const { dialect, rows } = await understand('ana@example.com\n\nbo@example.com\n');
  expect(dialect).toMatchObject({ headerLine: 0, header: [], delimiter: undefined });
  expect(rows.map(({ line, cells }) => [line, ...cells])).toEqual([
    [1, 'ana@example.com'],
    [3, 'bo@example.com'],
  ]);
});

test('reads a table without a header when its columns are mapped by number', async () => {
  const { dialect, cells } = await understand('Ana,ana@example.com\nBo,bo@example.com\n', { mayLackHeader: true });
  expect([dialect.headerLine, dialect.header, cells.length]).toEqual([0, [], 2]);
});

const LONG = 'a'.repeat(600 * 1024);

test.each([
  ['a header line of 600 KiB', `Email,${LONG}\nana@example.com,Ana\n`, ['Email', LONG]],
  ['a first row with a long cell', `Email,Note\nana@example.com,"${LONG}"\nbo@example.com,x\n`, ['Email', 'Note']],
  [
    '2,001 columns',
    `Email,${'c,'.repeat(1999)}c\nana@example.com${','.repeat(2000)}\n`,
    ['Email', ...Array(2000).fill('c')],
  ],
])('finds the header of a table with %s', async (_, text, header) => {
  const { dialect, rows } = await understand(text);
  expect([dialect.delimiter, dialect.header.length, rows[0]?.cells[0]]).toEqual([
    ',',
    header.length,
    'ana@example.com',
  ]);
  expect(dialect.header).toEqual(header);
});

test.each<[string, string | Buffer, DialectHints, string]>([
  ['nothing', '', {}, 'empty_file'],
  ['a byte order mark alone', Buffer.from([0xef, 0xbb, 0xbf]), {}, 'empty_file'],
  ['blanks alone', ' \n\t\r\n\n', {}, 'empty_file'],
  ['a sep= line alone', 'sep=;\n', {}, 'empty_file'],
  ['data in the first row', 'ana@example.com,Ana\nbo@example.com,Bo\n', {}, 'no_header'],
  ['a named address in the first row', 'Ana <ana@example.com>,Ana\nbo@example.com,Bo\n', {}, 'no_header'],
  ['a comment, then data', '# people\nana@example.com,Ana\nbo@example.com,Bo\n', {}, 'no_header'],
  ['an address above and in the fourth row', 'From,a@x.test\nEmail,Name\n,A\n,B\n,C\nd@x.test,D\n', {}, 'no_header'],
  ['an unknown --encoding', LIST, { encoding: 'utf-7½' }, 'unknown_encoding'],
  ['--encoding base64', LIST, { encoding: 'base64' }, 'unknown_encoding'],
  ['two characters as a delimiter', LIST, { delimiter: '::' }, 'bad_delimiter'],
  ['a quote as a delimiter', LIST, { delimiter: '"' }, 'bad_delimiter'],
])('refuses an input with %s', async (_, content, hints, code) => {
  const error = await understand(content, hints).then(
    () => undefined,
    (fault: SvcError) => fault,
  );
  expect({ code: error?.code, exit: error?.exit }).toEqual({ code, exit: 2 });
  expect(error?.hint).toMatch(/\w/);
});

test('names the address column in the hint for a missing header', async () => {
  await expect(understand('Ana,ana@example.com\n')).rejects.toMatchObject({
    message: 'list.csv, line 1: the first row holds an address, so there is no header',
    hint: '--map 2=email',
  });
});

test('warns about words that were encoded twice, and about no other words', async () => {
  const { findings } = await understand('Email,Name\nana@example.com,FranÃ§ois\nbo@example.com,Ãlvaro Â«Zoë» São\n');
  expect(findings.map(({ level, message }) => [level, message])).toEqual([
    ['warn', 'list.csv, line 2: suspected double encoding: FranÃ§ois → François; sent unchanged'],
  ]);
});
