import type { Table } from '../mapping/table.ts';
import type { RawRow } from '../types.ts';
import { afterCells } from './csv-text.ts';
import { readRows } from './parse.ts';

/** How a read of a table may be watched and ended. */
export interface ReadingWatcher {
  readonly signal?: AbortSignal | undefined;
  /** Adds the exact text of each row. */
  readonly raw?: boolean;
  onBytes?(bytes: number): void;
}

/**
 * One read of a table. Every read of a list takes the same path, so that the plan, the run and its resume meet the same
 * rows: open → detect (dialect) → decode → parse → map (build-table) → judge → normalize → fold → chunk → send.
 *
 * The first read (first-read) judges and counts each row by itself; the second (second-read) gathers into `people` the rows
 * whose address may have come twice; fold-people decides what becomes of them; the last (last-read) turns what is left into
 * contacts, chunk cuts these into batches, and suppression-chunks takes the suppressions out of `people`. All of it is a
 * function of the input's bytes and the user's answers: no clock, network, environment or randomness.
 *
 * Rejects when the signal aborts, with its reason.
 */
export async function* readTable(table: Table, watcher: ReadingWatcher = {}): AsyncGenerator<readonly RawRow[]> {
  for await (const rows of readRows(table.source, table.dialect, watcher)) {
    watcher.signal?.throwIfAborted();
    yield rows;
  }
}

/** The header of a table as its input has it, without the columns that svc wrote; undefined where there is none. */
export async function rawHeader({ source, dialect, svcColumns }: Table): Promise<string | undefined> {
  const { headerLine, delimiter, quoting } = dialect;
  if (headerLine === 0) {
    return undefined;
  }
  // With no header to leave out, the line of the header is the first row.
  const bare = { ...dialect, header: [], headerLine: headerLine - 1 };
  for await (const [row] of readRows(source, bare, { raw: true })) {
    const raw = row?.line === headerLine ? row.raw : undefined;
    return raw !== undefined && svcColumns > 0 ? afterCells(raw, svcColumns, delimiter ?? '\t', quoting) : raw;
  }
  return undefined;
}

/** The rows of a table, as many as its parser gives at a time. */
export interface TableRows {
  readonly table: Table;
  readonly rows: readonly RawRow[];
}

/** One read of all tables, in their order. Rejects as `readTable` does. */
export async function* readTables(tables: readonly Table[], watcher: ReadingWatcher): AsyncGenerator<TableRows> {
  for (const table of tables) {
    for await (const rows of readTable(table, watcher)) {
      yield { table, rows };
    }
  }
}
