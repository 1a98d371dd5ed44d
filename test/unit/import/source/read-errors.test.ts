import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toReadError } from '../../../../src/import/source/input-errors.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const failed = (code: string) => Object.assign(new Error('failed'), { code });
const GZIP = 'the gzip data is damaged or cut off';

test.each([
  ['ENOENT', 'no such file', 'Check the name, for example with ls'],
  ['ENOTDIR', 'no such file', 'Check the file'],
  ['EISDIR', 'is a folder', 'Check the file'],
  ['EACCES', 'you are not allowed to read it', 'Check its permissions, for example with ls -l'],
  ['EPERM', 'you are not allowed to read it', 'Check the file'],
  ['ELOOP', 'its symbolic links form a loop', 'Check the file'],
  ['ENAMETOOLONG', 'no such file: the name is too long', 'Check the file'],
  ['EMFILE', 'this program may not open more files', 'Raise the limit: ulimit -n 1024'],
  ['ENFILE', 'this machine cannot open more files', 'Check the file'],
  ['EIO', 'the disk reports an error', 'Check the file'],
  ['ESTALE', "can't be read (ESTALE)", 'Check the file'],
  ['Z_BUF_ERROR', GZIP, 'Download the file again'],
  ['Z_DATA_ERROR', GZIP, 'Download the file again'],
])('explains the system error %s of an input, and what to do', (code, why, hint) => {
  const refusal = { code: 'input_unreadable', exit: 2, message: `list.csv: ${why}`, hint };
  expect(toReadError(failed(code), { label: 'list.csv' })).toMatchObject(refusal);
});

test('reports a damaged state folder when the copy of an input is unreadable', () => {
  const hint = 'Check the disk and the state folder, then run the same command again with the same file';
  const message = "the copy of list.csv in the run's folder can't be read (EIO)";
  const damage = { code: 'state_damaged', exit: 1, message, hint };
  expect(toReadError(failed('EIO'), { label: 'list.csv', isCopy: true })).toMatchObject(damage);
});

test('returns an error unchanged when it comes from no system call', () => {
  const error = failed('ERR_INVALID_STATE');
  expect([toReadError(error, { label: 'list.csv' }), toReadError(error, { label: 'list.csv', isCopy: true })]).toEqual([
    error,
    error,
  ]);
});

test('names at most eight lists in a folder that is given as an input', () => {
  const folder = tempFolder();
  const hint = () => toReadError(failed('EISDIR'), { label: 'lists', diskPath: folder }) as { readonly hint: string };
  const add = (...names: string[]) => names.forEach((name) => void writeFileSync(join(folder, name), ''));
  mkdirSync(join(folder, 'old'));
  add('readme.md', 'a.csv.bak');
  expect(hint().hint).toBe('It holds no list (.csv, .tsv, .txt, .zip or .gz). Name a file.');
  const names = ['a.csv', 'b.CSV', 'c.tsv', 'd.txt', 'e.zip', 'f.gz', 'g.csv', 'h.csv'];
  add(...names);
  const eight = `Name the files in it:\n${names.map((name) => join(folder, name)).join(' ')}`;
  expect(hint().hint).toBe(eight);
  add('i.csv');
  expect(hint().hint).toBe(`${eight}\nand 1 more`);
});
