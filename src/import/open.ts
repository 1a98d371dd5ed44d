import { realpathSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { SvcError } from '../base/errors.ts';
import { EXIT } from '../base/exit.ts';
import { listArchive } from './archive.ts';
import { type DiskFile, fileBytes, firstBytes, firstOf, gunzipped } from './disk.ts';
import { labelOf } from './label.ts';
import { emptyFile, notCsv } from './not-csv.ts';
import { sniff } from './sniff.ts';
import { passesOnce, spooled } from './spool.ts';
import type { Source } from './types.ts';
import { inputUnreadable } from './unreadable.ts';

/** Where relative paths start, and what `-` stands for. `spoolFolder` takes what can't be read twice as files. */
export interface OpenOptions {
  readonly cwd: string;
  readonly stdin: AsyncIterable<Buffer>;
  readonly spoolFolder: string | undefined;
}

/**
 * The tables behind the paths a user gave, in their order: files, gzip files, every table of an archive, standard input.
 * What a file is, its first bytes say and not its name. Throws SvcError `input_unreadable`, `empty_file`, `not_csv`,
 * `bad_archive` or `duplicate_input`.
 */
export async function openInputs(paths: readonly string[], options: OpenOptions): Promise<Source[]> {
  const seen = new Set<string>();
  const tables: OpenedTable[] = [];
  for (const path of paths) {
    const file = await locate(path, options);
    const start = await firstBytes(file);
    refuseTwice(seen, path, realpathSync(file.place));
    tables.push(...(await openFile(path, file, start)));
  }
  return tables.map((table, index) => ({ index, ...table }));
}

type OpenedTable = Omit<Source, 'index'>;

async function locate(path: string, { cwd, stdin, spoolFolder }: OpenOptions): Promise<DiskFile> {
  const label = labelOf({ path, entry: undefined });
  if (spoolFolder !== undefined) {
    return { place: await spooled(path, { cwd, stdin, folder: spoolFolder }), label };
  }
  if (passesOnce(path, cwd)) {
    throw inputUnreadable(label, "can't be kept here", { hint: 'Give the list as a file' });
  }
  return { place: resolve(cwd, path), label };
}

function refuseTwice(seen: Set<string>, path: string, place: string): void {
  if (seen.has(place)) {
    throw new SvcError(EXIT.usage, 'duplicate_input', `${path} is given twice`, { hint: 'Name every input once' });
  }
  seen.add(place);
}

async function openFile(path: string, file: DiskFile, start: Buffer): Promise<OpenedTable[]> {
  const { kind } = sniff(start);
  if (kind === 'zip') {
    return openArchive(path, file);
  }
  const bytes = kind === 'gzip' ? () => gunzipped(file) : () => fileBytes(file);
  refuseOther(kind === 'gzip' ? await firstOf(bytes()) : start, file.label);
  const size = kind === 'gzip' ? undefined : statSync(file.place).size;
  const name = path === '-' ? 'stdin' : basename(path).replace(/\.gz$/i, '');
  return [{ path, entry: undefined, name, size, bytes }];
}

async function openArchive(path: string, file: DiskFile): Promise<OpenedTable[]> {
  const tables = await listArchive(file);
  for (const { entry, bytes } of tables) {
    refuseOther(await firstOf(bytes()), labelOf({ path, entry }));
  }
  return tables.map((table) => ({ path, name: basename(table.entry), ...table }));
}

function refuseOther(start: Buffer, label: string): void {
  const found = sniff(start);
  if (found.kind === 'empty') {
    throw emptyFile(label);
  }
  if (found.kind !== 'table') {
    throw notCsv(label, found.kind === 'other' ? found.name : `a ${found.kind} archive inside another`);
  }
}
