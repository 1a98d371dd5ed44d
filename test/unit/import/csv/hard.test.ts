import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Finding } from '../../../../src/base/finding.ts';
import type { SvcError } from '../../../../src/base/lib/errors.ts';
import type { RawRow } from '../../../../src/import/csv/row-types.ts';
import { type Dialect, detectDialect } from '../../../../src/import/dialect/detect-dialect.ts';
import { readRows } from '../../../../src/import/rows/read-rows.ts';
import { openInputs } from '../../../../src/import/source/open-inputs.ts';
import { held } from '../held.ts';

const FOLDER = join(import.meta.dirname, 'hard');
const folder = mkdtempSync(join(tmpdir(), 'hard-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface ExpectedList {
  readonly error?: string;
  readonly line?: number;
  readonly encoding?: string;
  readonly delimiter?: string | null;
  readonly bom?: boolean;
  readonly sep_line?: boolean;
  readonly header_line?: number;
  readonly header?: readonly string[];
  readonly rows?: readonly (readonly string[])[];
  readonly row_count?: number;
  readonly column_count?: number;
}

interface Read {
  readonly dialect: Dialect;
  readonly findings: readonly Finding[];
  readonly rows: readonly RawRow[];
}

async function readTables(name: string): Promise<Read[]> {
  const tables: Read[] = [];
  const { files } = await held([name], { cwd: FOLDER, folder });
  for (const source of await openInputs(files)) {
    const { dialect, findings } = await detectDialect(source, {});
    const rows = (await Array.fromAsync(readRows(source, dialect))).flat();
    tables.push({ dialect, findings, rows });
  }
  return tables;
}

async function read(name: string): Promise<Read> {
  const [table] = await readTables(name);
  return table as Read;
}

async function fault(name: string): Promise<SvcError> {
  return readTables(name).then(
    () => Promise.reject(new Error(`${name} was read`)),
    (error: SvcError) => error,
  );
}

function seen(expected: ExpectedList, { dialect, rows }: Read): ExpectedList {
  const all: Required<ExpectedList> = {
    error: '',
    line: 0,
    encoding: dialect.encoding,
    delimiter: dialect.delimiter ?? null,
    bom: dialect.hasByteOrderMark,
    sep_line: dialect.hasSepLine,
    header_line: dialect.headerLine,
    header: dialect.header,
    rows: rows.map(({ cells }) => cells),
    row_count: rows.length,
    column_count: dialect.header.length,
  };
  return Object.fromEntries(Object.entries(all).filter(([key]) => key in expected));
}

const CASES = readdirSync(FOLDER)
  .filter((name) => !name.endsWith('.json'))
  .map((name) => {
    const base = name.replace(/\.(csv|zip)$|\.gz$/, '');
    return [name, JSON.parse(readFileSync(join(FOLDER, `${base}.expected.json`), 'utf8')) as ExpectedList] as const;
  });

const KNOWN: readonly (keyof ExpectedList)[] = [
  'encoding',
  'delimiter',
  'bom',
  'sep_line',
  'header_line',
  'header',
  'rows',
  'row_count',
  'column_count',
];

const REFUSED = CASES.filter(([name, { error }]) => error !== undefined && !name.endsWith('.gz'));
const READ = CASES.filter(([, { error, header, row_count }]) => error === undefined && (header || row_count));

test.each(READ)('reads the expected rows of %s', async (name, expected) => {
  const wanted = Object.fromEntries(KNOWN.filter((key) => key in expected).map((key) => [key, expected[key]]));
  expect(seen(expected, await read(name))).toEqual(wanted);
});

test.each(REFUSED)('refuses the file %s with its reason', async (name, { error, line }) => {
  const { code, exit, message, hint } = await fault(name);
  expect({ code, exit }).toEqual({ code: error, exit: 2 });
  expect(message).toContain(line === undefined ? name : `${name}, line ${line}:`);
  expect(hint).toMatch(/\w/);
});

test('reads 66-gzip.csv.gz, because SendGrid exports arrive gzipped', async () => {
  const { dialect, rows } = await read('66-gzip.csv.gz');
  expect([dialect.header, ...rows.map(({ cells }) => cells)]).toEqual([
    ['Email Address', 'First Name', 'Company / Org'],
    ['ana@example.com', 'Ana', 'Acme'],
    ['bo@example.com', 'Bo', 'Beta, Inc.'],
  ]);
});

test('reads the files of 74-conflict-across-files.zip in archive order', async () => {
  const tables = await readTables('74-conflict-across-files.zip');
  expect(tables.map(({ rows }) => rows.map(({ cells }) => cells))).toEqual([
    [['ana@example.com', 'Ana', '2024-01-01 00:00:00']],
    [['ANA@example.com', 'Ana', '2023-01-01 00:00:00']],
  ]);
});

test.each([
  ['24-quoted-newlines.csv', [2, 5]],
  ['10-bom-mid-file.csv', [2, 4]],
  ['20-crlf.csv', [2, 3]],
  ['22-mixed-line-endings.csv', [2, 3]],
  ['50-footer-total.csv', [2, 3, 5, 6]],
  ['52-comment-lines.csv', [3, 4]],
  ['34-sep-line.csv', [3, 4]],
])('finds the line on which each row of %s starts: %j', async (name, lines) => {
  expect((await read(name)).rows.map(({ line }) => line)).toEqual(lines);
});

test('reports only one row of 54-text-after-quote.csv, with its problem', async () => {
  const { rows } = await read('54-text-after-quote.csv');
  expect(rows.map(({ problem }) => problem)).toEqual([
    { reason: 'text_after_closing_quote', column: 'Email', detail: 'x' },
    undefined,
  ]);
});

test('reads 16-macroman.csv only when --encoding names its encoding', async () => {
  const { findings } = await read('16-macroman.csv');
  expect(findings.map(({ check, level, hint }) => ({ check, level, hint }))).toEqual([
    { check: 'encoding', level: 'stop', hint: '--encoding macintosh' },
  ]);
});

test('warns of words encoded twice in 18-mojibake.csv, with examples', async () => {
  const { findings } = await read('18-mojibake.csv');
  expect(findings.map(({ level, examples }) => ({ level, examples }))).toEqual([
    {
      level: 'warn',
      examples: [
        { file: '18-mojibake.csv', line: 2, column: 'Name', value: 'JosÃ©' },
        { file: '18-mojibake.csv', line: 2, column: 'Name', value: 'MÃ¼ller' },
        { file: '18-mojibake.csv', line: 2, column: 'City', value: 'SÃ£o' },
      ],
    },
  ]);
});

test('warns about the guessed encoding of 14-windows-1252.csv', async () => {
  const { findings } = await read('14-windows-1252.csv');
  expect(findings.map(({ level, message }) => ({ level, message }))).toEqual([
    { level: 'warn', message: '14-windows-1252.csv is not UTF-8; read as windows-1252 (Prénom)' },
  ]);
});
