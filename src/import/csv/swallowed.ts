import { show } from '../record/address.ts';
import type { RowProblem } from '../types.ts';

/**
 * Reports a quoted cell that holds a line like a row of the list: an address and a delimiter. A quote opened there and
 * closed only further down, so it took several people into one cell.
 */
export function swallowedRows(
  cells: readonly string[],
  delimiter: string | undefined,
  header: readonly string[],
): RowProblem | undefined {
  if (delimiter === undefined) {
    return undefined;
  }
  for (const [at, cell] of cells.entries()) {
    const line = LINE_OF_ADDRESS.exec(cell)?.[1];
    if (line?.includes(delimiter) && ADDRESS_FIRST.test(line)) {
      return { reason: 'rows_in_quotes', column: header[at] ?? '', detail: show(line) };
    }
  }
  return undefined;
}

const LINE_OF_ADDRESS = /[\r\n]\s*([^\s@,;|"<>:]+@[^\s@,;|"<>:]+\.[^\s@,;|"<>:]+["\t,;|][^\r\n]*)/u;
const ADDRESS_FIRST = /^[^\s@]+@[^\s@,;|"]+(?:"?[\t,;|])/u;
