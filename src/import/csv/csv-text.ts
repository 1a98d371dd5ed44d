import { csvCell } from '../../base/lib/text.ts';
import { type Quoting, quotedCell, STANDARD_QUOTING } from '../dialect/quoting/quoting.ts';

/** Joins cells to a line without line ending, quoted like the table. */
export function csvLine(cells: readonly string[], delimiter: string, quoting?: Quoting): string {
  return cells
    .map((cell) => (quoting ? quotedCell(cell, delimiter, quoting) : csvCell(cell, delimiter)))
    .join(delimiter);
}

/** The rest of a line after its first `count` cells, unchanged: `Bo,"Berg"` for `1,2,Bo,"Berg"` and a count of 2. */
export function textAfterCells(
  line: string,
  count: number,
  delimiter: string,
  quoting: Quoting = STANDARD_QUOTING,
): string {
  let position = 0;
  for (let cell = 0; cell < count; cell++) {
    position = endOfCell(line, position, delimiter, quoting) + delimiter.length;
  }
  return line.slice(position);
}

function endOfCell(line: string, from: number, delimiter: string, quoting: Quoting): number {
  const { quote } = quoting;
  let isInQuotes = quote !== undefined && line[from] === quote;
  for (let position = isInQuotes ? from + 1 : from; position < line.length; position++) {
    const isPair = isInQuotes && line[position] === quote && line[position + 1] === quote;
    if (isPair || (quoting.escape === '\\' && line[position] === '\\')) {
      position++;
    } else if (isInQuotes && line[position] === quote) {
      isInQuotes = false;
    } else if (!isInQuotes && line[position] === delimiter) {
      return position;
    }
  }
  return line.length;
}
