import type { State } from '../../platforms/lib/states.ts';
import { csvLine, textAfterCells } from '../csv/quoting.ts';
import type { RawRow, RowProblem } from '../csv/row-types.ts';
import { encodeText } from '../encoding/encodings.ts';
import { SVC_COLUMNS, type Table } from '../mapping/table.ts';
import { readRows } from '../rows/read-rows.ts';
import type { TableSource } from '../source/source.ts';

/** A row to give back to the user, the reason, and the state that svc read in it. */
export interface RejectedRow {
  readonly row: RawRow;
  readonly problem: RowProblem;
  readonly state: State;
}

interface RejectsText {
  head(): Buffer;
  row(reject: RejectedRow): Buffer;
}

interface WrittenFormat {
  readonly ending: string;
  readonly header: string | undefined;
}

export function rejectsText(table: Table, { ending, header }: WrittenFormat): RejectsText {
  const { dialect } = table;
  // A table with one column has no delimiter. The added columns need one, and a tab is the least likely in a cell.
  const delimiter = dialect.delimiter ?? '\t';
  const lineOf = (cells: readonly string[]) => csvLine(cells, delimiter, dialect.quoting);
  const bytesOf = (text: string) => encodeText(`${text}${ending}`, dialect);
  return {
    head() {
      const mark = dialect.hasByteOrderMark ? [encodeText('\ufeff', dialect)] : [];
      const separator = dialect.hasSepLine ? [bytesOf(`sep=${delimiter}`)] : [];
      const headerLine = `${lineOf(SVC_COLUMNS)}${delimiter}${header ?? lineOf(ownHeader(table))}`;
      return Buffer.concat([...mark, ...separator, bytesOf(headerLine)]);
    },
    row: (reject) => bytesOf(`${lineOf(svcCells(table, reject))}${delimiter}${ownText(table, reject.row, delimiter)}`),
  };
}

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

/** The first line ending of an input, which its rejects file uses too. `\n` if the input has none. */
export async function detectLineEnding(source: TableSource): Promise<string> {
  for await (const buffer of source.bytes()) {
    // UTF-16 and UTF-32 have zero bytes beside a line ending. Other encodings have none there.
    const bytes = buffer.filter((byte) => byte !== 0);
    const index = bytes.findIndex((byte) => byte === 0x0a || byte === 0x0d);
    if (index >= 0) {
      return bytes[index] === 0x0a ? '\n' : bytes[index + 1] === 0x0a ? '\r\n' : '\r';
    }
  }
  return '\n';
}

function svcCells(table: Table, { row, problem, state }: RejectedRow): string[] {
  const line = table.svcColumns > 0 ? (row.cells[1] ?? '') : String(row.line);
  return [table.name, line, problem.column, problem.reason, problem.detail, state === 'none' ? '' : state];
}

function ownHeader({ header, dialect }: Table): readonly string[] {
  return dialect.headerLine > 0 ? header : header.map((_, index) => String(index + 1));
}

// The row as it is in the input, byte for byte. If the input is itself a rejects file, the columns that svc wrote are
// left out.
function ownText(table: Table, row: RawRow, delimiter: string): string {
  const { quoting } = table.dialect;
  const raw = row.raw ?? csvLine(row.cells, delimiter, quoting);
  return table.svcColumns > 0 ? textAfterCells(raw, table.svcColumns, delimiter, quoting) : raw;
}
