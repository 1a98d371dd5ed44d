import type { Table } from '../mapping/table.ts';
import { afterCells } from './csv-text.ts';
import { readRows } from './parse.ts';

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
