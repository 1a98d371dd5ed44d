import { displayWidth } from './width.ts';

/** The margins of a paragraph: the start of its first line and of the other lines. */
export interface Margin {
  readonly first: string;
  readonly rest: string;
}

/**
 * Breaks a text at blanks so that its lines fit. A word wider than a line is not broken, because it may be a path to
 * copy.
 */
export function wrap(text: string, columns: number | undefined, margin: Margin = { first: '', rest: '' }): string[] {
  const lines: string[] = [];
  let line = margin.first;
  let empty = true;
  for (const word of text.split(' ')) {
    const longer = empty ? line + word : `${line} ${word}`;
    if (!empty && columns !== undefined && displayWidth(longer) > columns) {
      lines.push(line);
      line = margin.rest + word;
    } else {
      line = longer;
    }
    empty = false;
  }
  return [...lines, line];
}
