// NUL padding and the end-of-file mark of DOS (0x1A) hold nothing either.
const NOTHING = /^[\s\0\u001a\ufeff]*$/;

/** True for a row in which nothing is written: an empty line, a spreadsheet's row of delimiters, padding. */
export function isBlank(cells: readonly string[]): boolean {
  return cells.every(
    (cell) => cell === '' || ((cell.charCodeAt(0) <= 32 || cell.charCodeAt(0) > 127) && NOTHING.test(cell)),
  );
}
