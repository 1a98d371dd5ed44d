import { textAfterCells } from '../dialect/quoting/quoting.ts';
import type { Table } from '../mapping/table.ts';
import type { RawRow } from './raw-rows.ts';
import { type ReadOptions, readRows } from './read-rows.ts';

/**
 * The text of a table's header as in the input, without the columns that svc added. Undefined if there is no header.
 */
export async function readRawHeader({ source, dialect, svcColumns }: Table): Promise<string | undefined> {
  const { headerLine, delimiter, quoting } = dialect;
  if (headerLine === 0) {
    return undefined;
  }
  // `readRows` drops repeated headers. With an empty header here it drops none, so the real header is read as the first
  // row.
  const bare = { ...dialect, header: [], headerLine: headerLine - 1 };
  for await (const [row] of readRows(source, bare, { keepsRaw: true })) {
    const raw = row?.line === headerLine ? row.raw : undefined;
    return raw !== undefined && svcColumns > 0 ? textAfterCells(raw, svcColumns, delimiter ?? '\t', quoting) : raw;
  }
  return undefined;
}

interface TableRows {
  readonly table: Table;
  readonly rows: readonly RawRow[];
}

/**
 * Yields the rows of all tables as text, in order. The survey and the batches use `readByteRows`, which gives the
 * same rows, so plan, run and resume agree. The result depends only on the bytes of the input and the options of the
 * user. docs/architecture.md describes the path of a row. Rejects with the reason of the signal if it aborts.
 */
export async function* readTables(tables: readonly Table[], options: ReadOptions): AsyncGenerator<TableRows> {
  for (const table of tables) {
    for await (const rows of readRows(table.source, table.dialect, options)) {
      yield { table, rows };
    }
  }
}
