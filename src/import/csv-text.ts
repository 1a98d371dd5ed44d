/** A cell as CSV writes it: in quotes where it must be. */
export function csvCell(text: string, delimiter: string): string {
  const plain = !text.includes(delimiter) && !/["\r\n]/.test(text) && text.trim() === text;
  return plain ? text : `"${text.replaceAll('"', '""')}"`;
}

/** Cells as one line, without its ending. */
export function csvLine(cells: readonly string[], delimiter: string): string {
  return cells.map((cell) => csvCell(cell, delimiter)).join(delimiter);
}

/** A cell for people's spreadsheets: text that a spreadsheet would run as a formula is marked as text (rule K5). */
export function guardedCell(text: string): string {
  return csvCell(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text, ',');
}

/** What follows the first `count` cells of a line, exactly as written. */
export function afterCells(line: string, count: number, delimiter: string): string {
  let at = 0;
  for (let cell = 0; cell < count; cell++) {
    at = endOfCell(line, at, delimiter) + delimiter.length;
  }
  return line.slice(at);
}

function endOfCell(line: string, from: number, delimiter: string): number {
  let at = from;
  if (line[at] === '"') {
    for (at++; at < line.length && !(line[at] === '"' && line[at + 1] !== '"'); at++) {
      at += line[at] === '"' ? 1 : 0;
    }
  }
  const end = line.indexOf(delimiter, at);
  return end < 0 ? line.length : end;
}
