import type { RowProblem } from '../../csv/byte-row.ts';
import type { TableColumns } from '../../csv/irregular-row.ts';
import type { RowCut } from '../../csv/row-cut.ts';
import { afterEnding, type TextWindow } from '../../csv/text-window.ts';
import type { Quoting } from './quoting.ts';

/** A cell that ends at the index `end`. `tail` is text between its closing quote and the delimiter. */
interface Cell {
  readonly value: string;
  readonly end: number;
  readonly tail: string;
}

/** The text from which cells are cut. More text may follow unless it is `final`. */
interface Text {
  readonly text: string;
  readonly final: boolean;
  readonly delimiter: string | undefined;
  readonly quoting: Quoting;
}

/** Cuts the row at the index `from` in a table whose quoting differs from RFC 4180. */
export function cutNonstandardRow(window: TextWindow, from: number, columns: TableColumns, quoting: Quoting): RowCut {
  const within: Text = { text: window.text(), final: window.final(), delimiter: columns.delimiter, quoting };
  const cells: string[] = [];
  let problem: RowProblem | undefined;
  for (let at = from; ; at++) {
    const cell = within.text[at] === quoting.quote ? quotedCellAt(within, at) : plainCellAt(within, at);
    if (!cell || (cell.end >= within.text.length && !within.final)) {
      return { kind: 'more' };
    }
    if (cell.tail.trim() !== '') {
      const column = columns.header[cells.length] ?? '';
      problem ??= { reason: 'text_after_closing_quote', column, detail: cell.tail };
    }
    cells.push(cell.value);
    at = cell.end;
    if (at >= within.text.length || within.text[at] !== columns.delimiter) {
      const after = afterEnding(window, at);
      return after === undefined ? { kind: 'more' } : { kind: 'row', cells, end: at, after, problem };
    }
  }
}

function quotedCellAt(within: Text, open: number): Cell | undefined {
  const { text, final, quoting } = within;
  let value = '';
  for (let at = open + 1; at < text.length; ) {
    const character = text[at] as string;
    const next = text[at + 1];
    if (next === undefined && !final) {
      return undefined;
    }
    if (character === quoting.quote && next !== quoting.quote) {
      const end = endOfPlain(text, at + 1, within.delimiter);
      const tail = text.slice(at + 1, end);
      return { value: value + tail, end, tail };
    }
    const taken = character === quoting.quote ? { value: character, size: 2 } : characterAt(within, at);
    if (!taken) {
      return undefined;
    }
    value += taken.value;
    at += taken.size;
  }
  return undefined;
}

function plainCellAt(within: Text, from: number): Cell | undefined {
  const { text, delimiter } = within;
  let value = '';
  let at = from;
  while (at < text.length && text[at] !== delimiter && text[at] !== '\n' && text[at] !== '\r') {
    const taken = characterAt(within, at);
    if (!taken) {
      return undefined;
    }
    value += taken.value;
    at += taken.size;
  }
  // MySQL and PostgreSQL write NULL as `\N`.
  const isNull = within.quoting.escape === '\\' && text.slice(from, at) === '\\N';
  return { value: isNull ? '' : value, end: at, tail: '' };
}

// The character at an index, with escapes resolved. A backslash escapes a quote, a delimiter or a line ending. Before a
// letter it is a plain backslash, as in a Windows path. Only if a table has no quotes, `\n` means a line ending.
// Undefined if more text is needed.
function characterAt({ text, final, delimiter, quoting }: Text, at: number) {
  const character = text[at] as string;
  if (character !== '\\' || quoting.escape !== '\\') {
    return { value: character, size: 1 };
  }
  const next = text[at + 1];
  if (!final && (next === undefined || (next === '\r' && text[at + 2] === undefined))) {
    return undefined;
  }
  if (next === undefined) {
    return { value: character, size: 1 };
  }
  if (next === '\r' && text[at + 2] === '\n') {
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
  for (let at = from; at < text.length; at++) {
    if (text[at] === delimiter || text[at] === '\n' || text[at] === '\r') {
      return at;
    }
  }
  return text.length;
}
