const SHORTEST_FIGURES = 4;
const [BLANK, COLON, SEMICOLON] = [0x20, 0x3a, 0x3b];

/**
 * True for telephone numbers, identifiers and times. Such cells are frequent, so a few characters rule them out
 * quickly.
 */
export function isFigures(cell: string): boolean {
  const end = cell.length;
  return (
    end > SHORTEST_FIGURES &&
    isFigure(cell.charCodeAt(end - 1)) &&
    isFigure(cell.charCodeAt(end - 2)) &&
    isFigure(cell.charCodeAt(0)) &&
    isFigure(cell.charCodeAt(end >> 1)) &&
    isFigure(cell.charCodeAt(end >> 2))
  );
}

/**
 * The same for bytes, and stricter. A letter beyond ASCII has several bytes and a quote may be doubled. So an index in
 * the bytes may differ from the index in the text.
 */
export function areFigures(bytes: Uint8Array, start: number, end: number): boolean {
  let at = end - start > 2 * SHORTEST_FIGURES ? start : end + 1;
  while (at < end && isFigure(bytes[at] as number)) {
    at++;
  }
  return at === end;
}

// A digit, a blank, or a sign such as a plus, a dash or a colon.
function isFigure(code: number): boolean {
  return code >= BLANK && code <= COLON && code !== SEMICOLON;
}
