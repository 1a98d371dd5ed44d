import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { listArchive } from './archive.ts';
import type { InputFile } from './input-copy.ts';
import { emptyFileError, notCsvError } from './input-errors.ts';
import { checkedBytes, type DiskFile, fileBytes, firstBytes, firstBytesOf, gunzippedBytes } from './read-file.ts';
import { recognizeFileKind } from './sniff.ts';
import { sourceLabel, type TableSource } from './source.ts';

/**
 * The tables of all inputs, in order. An input is a file, a gzip file, a ZIP archive with several tables, or standard
 * input. Its first bytes decide which of these it is, not its name. Throws SvcError `input_unreadable`, `empty_file`,
 * `not_csv` or `bad_archive`.
 */
export async function openInputs(files: readonly InputFile[]): Promise<TableSource[]> {
  const tables: OpenedTable[] = [];
  for (const { path, ...file } of files) {
    const tablesOfFile = await openFile(path, { ...file, label: sourceLabel({ path, entry: undefined }) });
    tablesOfFile.forEach((table) => tables.push(table));
  }
  return tables.map((table, index) => ({ index, ...table }));
}

type OpenedTable = Omit<TableSource, 'index'>;

async function openFile(path: string, file: DiskFile): Promise<OpenedTable[]> {
  const start = await firstBytes(file);
  const { kind } = recognizeFileKind(start);
  if (kind === 'zip') {
    return openArchive(path, file);
  }
  const bytes = () => checkedBytes(file, () => (kind === 'gzip' ? gunzippedBytes(file) : fileBytes(file)));
  refuseUnlessTable(kind === 'gzip' ? await firstBytesOf(bytes()) : start, file.label);
  const size = kind === 'gzip' ? undefined : statSync(file.place, { throwIfNoEntry: false })?.size;
  const name = path === '-' ? 'stdin' : basename(path).replace(/\.gz$/i, '');
  return [{ path, entry: undefined, name, size, bytes, ...(kind !== 'gzip' && { plainFile: file }) }];
}

async function openArchive(path: string, file: DiskFile): Promise<OpenedTable[]> {
  const tables = await listArchive(file);
  for (const { entry, bytes } of tables) {
    refuseUnlessTable(await firstBytesOf(bytes()), sourceLabel({ path, entry }));
  }
  return tables.map((table) => ({ path, name: basename(table.entry), ...table }));
}

function refuseUnlessTable(start: Buffer, label: string): void {
  const recognized = recognizeFileKind(start);
  if (recognized.kind === 'empty') {
    throw emptyFileError(label);
  }
  if (recognized.kind !== 'table') {
    throw notCsvError(
      label,
      recognized.kind === 'other' ? recognized.name : `a ${recognized.kind} archive inside another`,
    );
  }
}
