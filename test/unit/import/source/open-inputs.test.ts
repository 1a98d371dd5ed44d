import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateRawSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Entry } from 'yauzl';
import type { SvcError } from '../../../../src/base/lib/errors.ts';
import { readSmallEntries } from '../../../../src/import/source/archive-entries.ts';
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

const AS_CSV = 'Export the list as CSV';
const UNPACK = 'Unpack it and name the CSV files in it';
const SAVE_AS = 'Open it and save it as "CSV UTF-8"';
const TAGS = 'html head body table meta title style script link div center p'.split(' ');
const HTML_STARTS = [
  ...['<!DOCTYPE html><html>', '<!doctype html>', '<!-- saved -->', '\ufeff\n <html>', '<META charset="utf-8">'],
  ...TAGS.flatMap((tag) => [`<${tag}>`, `<${tag}\n>`]),
];
const JSON_STARTS = [
  ...['[{"email":"ana@example.com"}]', '{"email":"ana@example.com"}\n{', '{ "a":1}', '{}', '{ }'],
  ...['["a"]', '[ "a"]', '[\n{}]', '[[1]]', '[]', '[ ]'],
];
const EXCEL_PARTS = ['[Content_Types].xml', 'xl/workbook.xml'].map((name) => ({ name, content: 'x' }));

test.each<[string, string | Buffer, string]>([
  ['an Excel workbook (XLSX)', makeZip(EXCEL_PARTS), SAVE_AS],
  ['an OpenDocument spreadsheet', makeZip([{ name: 'content.xml', content: 'x' }]), SAVE_AS],
  ['an Excel 97 workbook (XLS, OLE2)', Buffer.from('d0cf11e0a1b11ae1', 'hex'), SAVE_AS],
  ['a PDF', '%PDF-1.7', AS_CSV],
  ['an SQLite database', 'SQLite format 3\0', AS_CSV],
  ['a picture', Buffer.from('89504e470d0a1a0a', 'hex'), AS_CSV],
  ['a picture', Buffer.from('ffd8ffe000104a46', 'hex'), AS_CSV],
  ['a Parquet file', 'PAR1', AS_CSV],
  ['a RAR archive', Buffer.from('526172211a070100', 'hex'), UNPACK],
  ['a 7z archive', Buffer.from('377abcaf271c0004', 'hex'), UNPACK],
  ['a bzip2 archive', 'BZh91AY&SY', UNPACK],
  ['an xz archive', Buffer.from('fd377a585a000004', 'hex'), UNPACK],
  ['a Zstandard archive', Buffer.from('28b52ffd04', 'hex'), UNPACK],
  ['a tar archive', `list.csv${'\0'.repeat(249)}ustar\x0000`, UNPACK],
  ['a zip archive inside another', gzipSync(makeZip([{ name: 'a.csv', content: LIST }])), UNPACK],
  ['an RTF document', '{\\rtf1\\ansi', AS_CSV],
  ['a vCard file', 'BEGIN:VCARD\n', AS_CSV],
  ['a vCard file', 'begin:vcard\r\n', AS_CSV],
  ['an XML file', '<?xml version="1.0"?>', AS_CSV],
  ...HTML_STARTS.map((start): [string, string, string] => ['an HTML page', start, AS_CSV]),
  ...JSON_STARTS.map((start): [string, string, string] => ['JSON', start, AS_CSV]),
  ['JSON', Buffer.from('\ufeff[\n {"email":1}]', 'utf16le'), AS_CSV],
  ['JSON', Buffer.from('\ufeff{"email":1}', 'utf16le').swap16(), AS_CSV],
  ['JSON', gzipSync('{"a":1}'), AS_CSV],
])('refuses %s in a file named .csv, and names its real type', async (what, content, hint) => {
  put('list.csv', content);
  const refusal = { code: 'not_csv', exit: 2, message: `list.csv is ${what}, not CSV`, hint };
  await expect(contents(['list.csv'])).rejects.toMatchObject(refusal);
});

test('closes an archive after a read of its small entries', () => {
  put('a.zip', makeZip([{ name: 'a.csv', content: LIST }]));
  const path = join(cwd, 'a.zip');
  // A new file gets the lowest free number.
  const lowestFree = () => {
    const number = openSync(path, 'r');
    closeSync(number);
    return number;
  };
  const before = lowestFree();
  readSmallEntries(path, []);
  expect(lowestFree()).toBeLessThanOrEqual(before);
});

test('reads a small entry into memory when extra fields stand before its data', () => {
  put('a.zip', makeZip([{ name: 'b.csv', content: LIST, extraSize: 28 }]));
  const entry = {
    compressionMethod: 8,
    compressedSize: deflateRawSync(LIST).length,
    uncompressedSize: LIST.length,
    crc32: crc32(LIST),
    fileNameLength: 'b.csv'.length,
    relativeOffsetOfLocalHeader: 0,
  } as Entry;
  expect(readSmallEntries(join(cwd, 'a.zip'), [entry]).get(entry)?.toString()).toBe(LIST);
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
