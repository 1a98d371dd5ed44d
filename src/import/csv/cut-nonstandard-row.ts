import type { TableColumns } from './irregular-row.ts';
import type { Quoting } from './quoting.ts';
import type { WholeRow } from './row-cut.ts';
import type { RowProblem } from './row-types.ts';
import { nextRowIndex, type TextWindow } from './text-window.ts';

/** A cell that ends at the index `end`. `tail` is text between its closing quote and the delimiter. */
interface Cell {
  readonly value: string;
  readonly end: number;
  readonly tail: string;
}

/** The text from which cells are cut. More text may follow, unless `isFinal` is true. */
interface CellInput {
  readonly text: string;
  readonly isFinal: boolean;
  readonly delimiter: string | undefined;
  readonly quoting: Quoting;
}

/**
 * Cuts the row that begins at `from`, in a table whose quoting differs from RFC 4180. Undefined if the row is
 * incomplete.
 */
export function cutNonstandardRow(
  window: TextWindow,
  from: number,
  columns: TableColumns,
  quoting: Quoting,
): WholeRow | undefined {
  const input: CellInput = { text: window.text(), isFinal: window.final(), delimiter: columns.delimiter, quoting };
  const cells: string[] = [];
  let problem: RowProblem | undefined;
  for (let position = from; ; position++) {
    const cell = input.text[position] === quoting.quote ? quotedCellAt(input, position) : plainCellAt(input, position);
    if (!cell || (cell.end >= input.text.length && !input.isFinal)) {
      return undefined;
    }
    if (cell.tail.trim() !== '') {
      const column = columns.header[cells.length] ?? '';
      problem ??= { reason: 'text_after_closing_quote', column, detail: cell.tail };
    }
    cells.push(cell.value);
    position = cell.end;
    if (position >= input.text.length || input.text[position] !== columns.delimiter) {
      const after = nextRowIndex(window, position);
      return after === undefined ? undefined : { cells, end: position, after, problem };
    }
  }
}

function quotedCellAt(input: CellInput, open: number): Cell | undefined {
  const { text, isFinal, quoting } = input;
  let value = '';
  for (let position = open + 1; position < text.length; ) {
    const character = text[position] as string;
    const next = text[position + 1];
    if (next === undefined && !isFinal) {
      return undefined;
    }
    if (character === quoting.quote && next !== quoting.quote) {
      const end = endOfPlain(text, position + 1, input.delimiter);
      const tail = text.slice(position + 1, end);
      return { value: value + tail, end, tail };
    }
    const found = character === quoting.quote ? { value: character, size: 2 } : characterAt(input, position);
    if (!found) {
      return undefined;
    }
    value += found.value;
    position += found.size;
  }
  return undefined;
}

function plainCellAt(input: CellInput, from: number): Cell | undefined {
  const { text, delimiter } = input;
  let value = '';
  let position = from;
  while (position < text.length && text[position] !== delimiter && text[position] !== '\n' && text[position] !== '\r') {
    const found = characterAt(input, position);
    if (!found) {
      return undefined;
    }
    value += found.value;
    position += found.size;
  }
  // MySQL and PostgreSQL write NULL as `\N`.
  const isNull = input.quoting.escape === '\\' && text.slice(from, position) === '\\N';
  return { value: isNull ? '' : value, end: position, tail: '' };
}

// The character at an index, with escapes resolved, and its size in the text. A backslash escapes a backslash, a quote,
// a delimiter or a line ending. Before a letter it is an ordinary character, as in `C:\names`. But in a table without
// quotes `\n` is a line ending, and `\t` is a tab. Undefined if more text is needed.
function characterAt({ text, isFinal, delimiter, quoting }: CellInput, position: number) {
  const character = text[position] as string;
  if (character !== '\\' || quoting.escape !== '\\') {
    return { value: character, size: 1 };
  }
  const next = text[position + 1];
  if (!isFinal && (next === undefined || (next === '\r' && text[position + 2] === undefined))) {
    return undefined;
  }
  if (next === undefined) {
    return { value: character, size: 1 };
  }
  if (next === '\r' && text[position + 2] === '\n') {
    return { value: '\r\n', size: 3 };
  }
  if (next === '\\' || next === quoting.quote || next === delimiter || next === '\n' || next === '\r') {
    return { value: next, size: 2 };
  }
  const letter = quoting.quote === undefined ? LETTERS[next] : undefined;
  return letter === undefined ? { value: character, size: 1 } : { value: letter, size: 2 };
}

const LETTERS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v', '0': '\0' };

function endOfPlain(text: string, from: number, delimiter: string | undefined): number {
  for (let position = from; position < text.length; position++) {
    if (text[position] === delimiter || text[position] === '\n' || text[position] === '\r') {
      return position;
    }
  }
  return text.length;
}
