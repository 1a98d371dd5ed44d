import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SvcError } from '../../../../src/base/lib/errors.ts';
import { openInputs } from '../../../../src/import/source/open-inputs.ts';
import { held } from '../held.ts';
import { makeZip, type ZipEntry } from '../make-zip.ts';

const LIST = 'Email,Name\nana@example.com,Ana\n';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'open-'));
});
afterEach(() => rmSync(cwd, { recursive: true }));

async function open(paths: readonly string[]) {
  return openInputs((await held(paths, { cwd, folder: join(cwd, 'run') })).files);
}

async function contents(paths: readonly string[]): Promise<unknown[]> {
  const sources = await open(paths);
  return Promise.all(
    sources.map(async ({ index, path, entry, name, size, bytes }) => [
      index,
      path,
      entry,
      name,
      size,
      Buffer.concat(await Array.fromAsync(bytes())).toString(),
    ]),
  );
}

async function fault(paths: readonly string[]): Promise<Pick<SvcError, 'code' | 'exit' | 'message'>> {
  const error = await contents(paths).then(
    () => undefined,
    (reason: SvcError) => reason,
  );
  expect(error?.hint).toMatch(/\w/);
  return { code: error?.code ?? '', exit: error?.exit ?? 0, message: error?.message ?? '' };
}

function put(name: string, content: string | Buffer): void {
  writeFileSync(join(cwd, name), content);
}

test('opens input files in the given order, with name and size', async () => {
  put('b.csv', LIST);
  put('a.tsv', 'x');
  expect(await contents(['b.csv', './a.tsv'])).toEqual([
    [0, 'b.csv', undefined, 'b.csv', LIST.length, LIST],
    [1, './a.tsv', undefined, 'a.tsv', 1, 'x'],
  ]);
});

test('reads gzip files of any name, also with several parts', async () => {
  put('export.csv.gz', gzipSync(LIST));
  put('odd.csv', Buffer.concat([gzipSync(LIST), gzipSync('bo@example.com,Bo\n')]));
  expect(await contents(['export.csv.gz', 'odd.csv'])).toEqual([
    [0, 'export.csv.gz', undefined, 'export.csv', undefined, LIST],
    [1, 'odd.csv', undefined, 'odd.csv', undefined, `${LIST}bo@example.com,Bo\n`],
  ]);
});

test('reads an input from its start after a read that stopped halfway', async () => {
  put('a.csv', LIST);
  put('b.csv.gz', gzipSync(LIST));
  put('c.zip', makeZip([{ name: 'c.csv', content: LIST }]));
  for (const { bytes } of await open(['a.csv', 'b.csv.gz', 'c.zip'])) {
    for await (const _ of bytes()) {
      break;
    }
    expect(Buffer.concat(await Array.fromAsync(bytes())).toString()).toBe(LIST);
  }
});

test('reads every table of an archive in order, without system files (K6)', async () => {
  put(
    'export.zip',
    makeZip([
      { name: 'lists/b.csv', content: LIST },
      { name: 'lists/', content: '' },
      { name: '__MACOSX/lists/._b.csv', content: 'junk' },
      { name: '.DS_Store', content: 'junk' },
      { name: 'lists/Thumbs.db', content: 'junk' },
      { name: 'posts/1.html', content: '<html>' },
      { name: 'awlist1_news/leads/A.TSV', content: 'Email\n' },
      { name: 'empty.csv', content: '' },
      { name: 'notes.txt', content: 'Email\n' },
    ]),
  );
  expect(await contents(['export.zip'])).toEqual([
    [0, 'export.zip', 'lists/b.csv', 'b.csv', LIST.length, LIST],
    [1, 'export.zip', 'awlist1_news/leads/A.TSV', 'A.TSV', 6, 'Email\n'],
    [2, 'export.zip', 'notes.txt', 'notes.txt', 6, 'Email\n'],
  ]);
});

test('reads an archive that is named .csv', async () => {
  put('list.csv', makeZip([{ name: 'a.csv', content: LIST }]));
  expect(await contents(['list.csv'])).toEqual([[0, 'list.csv', 'a.csv', 'a.csv', LIST.length, LIST]]);
});

test.each<[string, ZipEntry[], string]>([
  ['an entry path with ../', [{ name: '../a.csv', content: LIST }], '../a.csv'],
  ['an entry path with /../../ inside', [{ name: 'a/../../b.csv', content: LIST }], 'a/../../b.csv'],
  ['an absolute entry path', [{ name: '/etc/a.csv', content: LIST }], '/etc/a.csv'],
  ['a Windows entry path', [{ name: 'C:\\a.csv', content: LIST }], 'C:'],
  ['an entry that is a link', [{ name: 'a.csv', content: '/etc/passwd', mode: 0o120777 }], 'a.csv is a link'],
  ['an encrypted list', [{ name: 'a.csv', content: LIST, flags: 1 }], 'a.csv is encrypted'],
  [
    'an entry larger than 2 GiB',
    [{ name: 'a.csv', content: LIST, claimedSize: 2 ** 31 + 1 }],
    'a.csv is larger than 2 GiB',
  ],
  ['an entry compressed more than 200:1', [{ name: 'a.csv', content: Buffer.alloc(1e6, 'a') }], 'more than 200:1'],
  ['an entry smaller than its header says', [{ name: 'a.csv', content: LIST, claimedSize: LIST.length + 9 }], ''],
  ['an entry larger than its header says', [{ name: 'a.csv', content: LIST.repeat(9), claimedSize: LIST.length }], ''],
  ['damaged content', [{ name: 'a.csv', content: LIST, crc: 1 }], 'a.csv is damaged'],
  ['no CSV file', [{ name: 'a.html', content: '<html>' }], 'the archive has no CSV file'],
  ['only empty CSV files', [{ name: 'a.csv', content: '' }], 'the archive has no CSV file'],
])('refuses an archive with %s (K6)', async (_, entries, says) => {
  put('a.zip', makeZip(entries));
  const { code, exit, message } = await fault(['a.zip']);
  expect({ code, exit }).toEqual({ code: 'bad_archive', exit: 2 });
  expect(message).toContain('a.zip: ');
  expect(message).toContain(says);
});

test.each<[string, string | Buffer, string]>([
  [
    'Excel',
    makeZip([
      { name: '[Content_Types].xml', content: 'x' },
      { name: 'xl/workbook.xml', content: 'x' },
    ]),
    'an Excel workbook (XLSX)',
  ],
  ['OpenDocument', makeZip([{ name: 'content.xml', content: 'x' }]), 'an OpenDocument spreadsheet'],
  ['Excel 97', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'an Excel 97 workbook (XLS, OLE2)'],
  ['HTML', '\ufeff\n <!DOCTYPE html><html>', 'an HTML page'],
  ['an HTML table', '<table><tr><td>Email', 'an HTML page'],
  ['HTML as spreadsheets write it', '<meta charset="utf-8"><table><tr><td>Email', 'an HTML page'],
  ['XML', '<?xml version="1.0"?>', 'an XML file'],
  ['JSON', '[{"email":"ana@example.com"}]', 'JSON'],
  ['JSON lines', '{"email":"ana@example.com"}\n{', 'JSON'],
  ['JSON in UTF-16', Buffer.from('\ufeff[\n {"email":1}]', 'utf16le'), 'JSON'],
  ['PDF', '%PDF-1.7', 'a PDF'],
  ['gzipped JSON', gzipSync('{"a":1}'), 'JSON'],
  ['a gzipped archive', gzipSync(makeZip([{ name: 'a.csv', content: LIST }])), 'a zip archive inside another'],
  ['vCard', 'BEGIN:VCARD\n', 'a vCard file'],
])('refuses %s in a file named .csv, and names its real type', async (_, content, what) => {
  put('list.csv', content);
  expect(await fault(['list.csv'])).toEqual({ code: 'not_csv', exit: 2, message: `list.csv is ${what}, not CSV` });
});

test('refuses an archive entry that is HTML, and names the entry', async () => {
  put('a.zip', makeZip([{ name: 'b.csv', content: '<html>' }]));
  expect((await fault(['a.zip'])).message).toBe('a.zip (b.csv) is an HTML page, not CSV');
});

test.each(['[Email],[Name]\n', '{x},y\n', '"[""a""]"\n', '<none>,a\n'])(
  'accepts %j as the start of a CSV file',
  async (text) => {
    put('a.csv', text);
    expect((await contents(['a.csv'])).length).toBe(1);
  },
);

test.each([
  ['missing.csv', 'input_unreadable', 'missing.csv: no such file'],
  ['folder', 'input_unreadable', 'folder: is a folder'],
  ['empty.csv', 'empty_file', 'empty.csv is empty'],
  ['empty.csv.gz', 'empty_file', 'empty.csv.gz is empty'],
  ['cut.csv.gz', 'input_unreadable', 'cut.csv.gz: the gzip data is damaged or cut off'],
  ['cut.zip', 'bad_archive', 'cut.zip'],
])('refuses the input %s as %s', async (path, code, message) => {
  mkdirSync(join(cwd, 'folder'));
  put('empty.csv', '');
  put('empty.csv.gz', gzipSync(''));
  put('cut.csv.gz', gzipSync(LIST).subarray(0, -12));
  put('cut.zip', makeZip([{ name: 'a.csv', content: LIST }]).subarray(0, -30));
  expect(await fault([path])).toEqual({ code, exit: 2, message: expect.stringContaining(message) });
});
