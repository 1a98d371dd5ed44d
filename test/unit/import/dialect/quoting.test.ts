import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvLine, type Quoting } from '../../../../src/import/csv/quoting.ts';
import type { RawRow } from '../../../../src/import/csv/row-types.ts';
import { stepOf } from '../../../support/sweep.ts';
import { csv, readList } from '../support.ts';
import { PLAIN, rowsOf, sourceOf, understand } from '../tables-in-memory.ts';

const DOUBLE_BACKSLASH: Quoting = { quote: '"', escape: '\\' };
const UNQUOTED: Quoting = { quote: undefined, escape: '\\' };
const SINGLE: Quoting = { quote: "'", escape: "'" };
const SINGLE_BACKSLASH: Quoting = { quote: "'", escape: '\\' };

test.each<[string, string, Quoting, string[]]>([
  ['MySQL with quotes', csv('email,name', String.raw`"ana@x.test","Ana \"A\", B"`), DOUBLE_BACKSLASH, ['Ana "A", B']],
  [
    'MySQL with NULL',
    csv('"email","name"', String.raw`"ana@x.test",\N`, '"bo@x.test","Bo"'),
    DOUBLE_BACKSLASH,
    ['', 'Bo'],
  ],
  [
    'PHP, which doubles only some quotes',
    csv('email,name', String.raw`"ana@x.test","A ""b"" \"c\" d"`),
    DOUBLE_BACKSLASH,
    ['A "b" "c" d'],
  ],
  ['MySQL with CR alone', 'email,name\r"ana@x.test","A \\"b\\" c"\r', DOUBLE_BACKSLASH, ['A "b" c']],
  [
    'mysqldump --tab, tabs and backslashes',
    'email\tname\tcity\nana@x.test\tA\\\nb\\\tc\tUlm\nbo@x.test\tBo\tBonn\n',
    UNQUOTED,
    ['A\nb\tc', 'Bo'],
  ],
  [
    'PostgreSQL COPY',
    csv('email\tname', String.raw`ana@x.test${'\t'}\N`, String.raw`bo@x.test${'\t'}B\to\\ "x`),
    UNQUOTED,
    ['', 'B\to\\ "x'],
  ],
  ['single quotes', csv("'email','name'", "'ana@x.test','O''Brien, Ana'"), SINGLE, ["O'Brien, Ana"]],
  [
    'single quotes and backslashes',
    csv('email,name', String.raw`'ana@x.test','O\'Brien, Ana'`),
    SINGLE_BACKSLASH,
    ["O'Brien, Ana"],
  ],
])('reads cells as the exporting program wrote them: %s (F10)', async (_, text, quoting, names) => {
  const { dialect, cells, rows } = await understand(text);
  expect([dialect.quoting, cells.map(([, name]) => name)]).toEqual([quoting, names]);
  expect(rows.filter(({ problem }) => problem)).toEqual([]);
});

test('reads a single column whose cells are in single quotes', async () => {
  expect((await understand(csv('email', "'ana@x.test'", "'bo@x.test'"))).cells).toEqual([
    ['ana@x.test'],
    ['bo@x.test'],
  ]);
});

const word = fc.constantFrom(
  'C:\\dir\\',
  '\\\\server\\x',
  "O'Brien",
  "'Bob'",
  "'t Hooft",
  'a "b"',
  '\\"',
  'x,y',
  '\\',
  "'",
  'a\\nb',
  '',
);

test('reads RFC 4180 tables with any backslashes and apostrophes (F10)', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(word, word), { minLength: 1, maxLength: 8 }),
      fc.boolean(),
      fc.constantFrom(',', ';', '\t', '|'),
      async (people, always, delimiter) => {
        const cell = (text: string) => (always || /[",;\t|\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
        const rows = people.map(([name, note], at) => [`p${at}@x.test`, name, note]);
        const text = csv(...[['email', 'name', 'note'], ...rows].map((cells) => cells.map(cell).join(delimiter)));
        const { dialect, cells } = await understand(text);
        expect([dialect.quoting, cells]).toEqual([undefined, rows]);
      },
    ),
    { numRuns: 500 / stepOf(5) },
  );
});

const soup = fc
  .array(fc.constantFrom('a', 'é', '"', "'", ',', '\n', '\r\n', '\\"', '\\\\', "\\'", '",', ',"', "',", ",'"), {
    maxLength: 30,
  })
  .map((parts) => parts.join(''));

async function readOrCode(text: string, quoting: Quoting, size: number): Promise<RawRow[] | string> {
  return rowsOf(sourceOf(text, size), { ...PLAIN, quoting }, true).catch(({ code }: { code: string }) => code);
}

test('reads the same CSV rows in blocks of any size, and loses no text', async () => {
  const quotings = fc.constantFrom(DOUBLE_BACKSLASH, UNQUOTED, SINGLE, SINGLE_BACKSLASH);
  await fc.assert(
    fc.asyncProperty(soup, quotings, async (text, quoting) => {
      const ways = await Promise.all([1, 2, 3, 7, 1024].map((size) => readOrCode(text, quoting, size)));
      for (const way of ways) {
        expect(way).toEqual(ways[0]);
      }
      const [rows] = ways;
      if (typeof rows !== 'string') {
        const sentAsAttributes = rows?.map(({ raw }) => raw).join('') ?? '';
        const bare = (some: string) => some.replace(/[\r\n]/g, '');
        expect(
          bare(text).replace(/,/g, '').length - bare(sentAsAttributes).replace(/,/g, '').length,
        ).toBeLessThanOrEqual(text.match(/(^|\n)[,'"]+(?=[\r\n]|$)/g)?.join('').length ?? 0);
      }
    }),
    { numRuns: 500 / stepOf(5) },
  );
});

const cellText = fc
  .array(fc.constantFrom('a', 'é', '"', "'", ',', '\n', '\r\n', '\\', ' '), { maxLength: 6 })
  .map((parts) => parts.join(''));

test.each([DOUBLE_BACKSLASH, SINGLE, SINGLE_BACKSLASH])(
  'reads back rows that svc wrote, like csv-parse, with the flags %j',
  async (quoting) => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(cellText, cellText), { minLength: 1, maxLength: 6 }), async (people) => {
        const rows = people.map(([one, other], at) => [`p${at}`, one, other]);
        const text = csv(...rows.map((cells) => csvLine(cells, ',', quoting)));
        const read = await readOrCode(text, quoting, 5);
        const theirs = parse(text, {
          quote: quoting.quote ?? null,
          escape: quoting.escape,
          record_delimiter: ['\r\n', '\n', '\r'],
        });
        expect(typeof read === 'string' ? read : read.map(({ cells }) => cells)).toEqual(rows);
        expect(theirs).toEqual(rows);
      }),
      { numRuns: 300 / stepOf(3) },
    );
  },
);

test('reads back rows that svc wrote without quotes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(cellText, cellText), { minLength: 1, maxLength: 6 }), async (people) => {
      const rows = people.map(([one, other], at) => [`p${at}`, one, other]);
      const text = csv(...rows.map((cells) => csvLine(cells, ',', UNQUOTED)));
      const read = await readOrCode(text, UNQUOTED, 5);
      expect(typeof read === 'string' ? read : read.map(({ cells }) => cells)).toEqual(rows);
    }),
    { numRuns: 300 / stepOf(3) },
  );
});

const BOTH = csv(
  'email,path,note',
  String.raw`"ana@x.test","C:\dir\","a"`,
  String.raw`"bo@x.test","says \"hi\" x","b"`,
);

test('asks the user when a backslash may end a cell or escape a quote (F10)', async () => {
  expect((await understand(BOTH)).findings).toMatchObject([
    {
      check: 'ragged_rows',
      level: 'stop',
      hint: "--escape '\\'",
      otherwise: [{ when: 'If it is a backslash at the end of the cell', flags: `--escape '"'` }],
    },
  ]);
  expect((await understand(BOTH, { escape: '"' })).cells[0]).toEqual(['ana@x.test', 'C:\\dir\\', 'a']);
  expect((await understand(BOTH, { escape: '\\' })).cells.at(-1)?.[1]).toContain('hi" x');
});

test('asks the user when the first escaped quote is far from the start (F10)', async () => {
  const rows = Array.from({ length: 20_000 }, (_, at) => `"person${at}@example.com","Ana"`);
  const text = csv('Email,Name', ...rows, String.raw`"zoe@example.com","Zoe \"Z\" X"`);
  const answers = { defaultStatus: { '*': 'subscribed' } };
  const { trouble, finding } = await readList({ 'list.csv': text }, answers);
  expect(trouble).toContain('stop ragged_rows');
  expect(finding('ragged_rows')).toMatchObject({ hint: "--escape '\\'", otherwise: [{ flags: `--escape '"'` }] });
  const answered = await readList({ 'list.csv': text }, { ...answers, escape: '\\' });
  expect(answered.contacts.at(-1)).toEqual({ email: 'zoe@example.com', attributes: { name: 'Zoe "Z" X' } });
  expect((await readList({ 'list.csv': text }, { ...answers, escape: '"' })).trouble).not.toContain('stop ragged_rows');
}, 30_000);

test.each([
  ['"', '\'Ana\',"Bo, B"', ["'Ana'", 'Bo, B']],
  ["'", `'Bo, B',"Ana"`, ['Bo, B', '"Ana"']],
  ['none', `"Ana",'Bo'`, ['"Ana"', "'Bo'"]],
])('reads cells as --quote %s says (F10)', async (quote, cells, values) => {
  const list = await readList(
    { 'list.csv': csv('email,one,two', `ana@x.test,${cells}`) },
    { quote, defaultStatus: { '*': 'subscribed' } },
  );
  expect(Object.values(list.contacts[0]?.attributes ?? {})).toEqual(values);
});

test.each([
  [{ quote: '`' }, 'bad_quoting'],
  [{ escape: '/' }, 'bad_quoting'],
])('refuses the invalid quoting flags %j', async (hints, code) => {
  await expect(understand(BOTH, hints)).rejects.toMatchObject({ code, exit: 2 });
});
