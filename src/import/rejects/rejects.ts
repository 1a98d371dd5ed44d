import { rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensurePrivateFolder, openPrivateWriter, pathExists } from '../../base/os/files.ts';
import type { People } from '../../runs/store/people.ts';
import { type RowOutcome, rowOutcome } from '../batch/last-read.ts';
import { rawHeader, readTable } from '../csv/pipeline.ts';
import type { Table } from '../mapping/table.ts';
import { parseRecord } from '../record/parse-record.ts';
import { createFileNames } from '../source/file-names.ts';
import type { Reading } from '../survey/reading.ts';
import type { RawRow } from '../types.ts';
import { createRejectsFile, lineEnding, type Reject, type RejectsFile } from './rejects-file.ts';

/** A row that the service refused. */
export interface FailedRow {
  readonly source: number;
  readonly line: number;
  readonly code: string;
  readonly detail?: string | undefined;
}

interface RejectsOptions {
  /** Made if there is anything to write. */
  readonly folder: string;
  readonly failures: Iterable<FailedRow>;
  readonly signal?: AbortSignal;
}

/**
 * Writes one file per input that has rejected or failed rows, named as the input, in one further read; resolves to their
 * paths. Mended and given back to the same command they just work (cli, "Rejects").
 */
export async function writeRejects(reading: Reading, people: People, options: RejectsOptions): Promise<string[]> {
  const failures = bySource(options.failures);
  const places = placesOf(reading, options.folder);
  const paths: string[] = [];
  for (const [at, table] of reading.tables.entries()) {
    const failed = failures.get(table.source.index) ?? new Map<number, FailedRow>();
    if (failed.size === 0 && !reading.faulty.has(table.source.index)) {
      continue;
    }
    ensurePrivateFolder(options.folder);
    const path = places[at]!;
    const file = createRejectsFile(path, table, {
      ending: await lineEnding(table.source),
      header: await rawHeader(table),
    });
    await writeTable(file, { reading, people, table, failed, signal: options.signal });
    if (file.rows > 0) {
      paths.push(path);
    }
  }
  return paths;
}

/**
 * Makes the files and takes them away again, so that what keeps them from being written shows before anything is sent and not
 * after. Files of an earlier part of the run are left as they are.
 */
export function tryRejects(reading: Pick<Reading, 'tables'>, folder: string): void {
  const isNew = !pathExists(folder);
  ensurePrivateFolder(folder);
  for (const path of placesOf(reading, folder)) {
    const wasThere = pathExists(path);
    openPrivateWriter(path, { append: true }).close();
    if (!wasThere) {
      rmSync(path, { force: true });
    }
  }
  if (isNew) {
    rmdirSync(folder);
  }
}

/** The files of the tables, in their order: which of them have anything to write changes no name. */
function placesOf({ tables }: Pick<Reading, 'tables'>, folder: string): readonly string[] {
  const nameOf = createFileNames();
  return tables.map(({ name }) => join(folder, nameOf(name)));
}

interface TableWork {
  readonly reading: Reading;
  readonly people: People;
  readonly table: Table;
  readonly failed: ReadonlyMap<number, FailedRow>;
  readonly signal: AbortSignal | undefined;
}

async function writeTable(file: RejectsFile, { reading, people, table, failed, signal }: TableWork): Promise<void> {
  try {
    for await (const rows of readTable(table, { signal, raw: true })) {
      for (const row of rows) {
        const reject = rejectOf(row, rowOutcome({ reading, people }, parseRecord(table, row)), failed.get(row.line));
        if (reject) {
          file.write(reject);
        }
      }
    }
  } finally {
    file.close();
  }
}

function rejectOf(row: RawRow, fate: RowOutcome, failure: FailedRow | undefined): Reject | undefined {
  if (fate.kind === 'rejected') {
    return { row, problem: fate.problem, state: fate.state };
  }
  if (fate.kind !== 'person' || !failure) {
    return undefined;
  }
  return { row, problem: { reason: failure.code, column: '', detail: failure.detail ?? '' }, state: fate.state };
}

function bySource(failures: Iterable<FailedRow>): Map<number, Map<number, FailedRow>> {
  const lists = new Map<number, Map<number, FailedRow>>();
  for (const failure of failures) {
    const list = lists.get(failure.source) ?? new Map<number, FailedRow>();
    lists.set(failure.source, list.set(failure.line, failure));
  }
  return lists;
}
