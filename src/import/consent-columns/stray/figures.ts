const SHORTEST_NUMBER = 4;
const [BLANK, COLON, SEMICOLON] = [0x20, 0x3a, 0x3b];

/**
 * True for telephone numbers, identifiers and times. Such cells are frequent, so a few characters rule them out
 * quickly.
 */
export function isNumberLike(cell: string): boolean {
  const end = cell.length;
  return (
    end > SHORTEST_NUMBER &&
    isNumberCharacter(cell.charCodeAt(end - 1)) &&
    isNumberCharacter(cell.charCodeAt(end - 2)) &&
    isNumberCharacter(cell.charCodeAt(0)) &&
    isNumberCharacter(cell.charCodeAt(end >> 1)) &&
    isNumberCharacter(cell.charCodeAt(end >> 2))
  );
}

/**
 * The same for bytes, and stricter. A letter beyond ASCII has several bytes and a quote may be doubled. So an index in
 * the bytes may differ from the index in the text.
 */
export function areNumberBytes(bytes: Uint8Array, start: number, end: number): boolean {
  let at = end - start > 2 * SHORTEST_NUMBER ? start : end + 1;
  while (at < end && isNumberCharacter(bytes[at] as number)) {
    at++;
  }
  return at === end;
}

// A digit, a blank, or a sign such as a plus, a dash or a colon.
function isNumberCharacter(code: number): boolean {
  return code >= BLANK && code <= COLON && code !== SEMICOLON;
}
