import { displayWidth } from './width.ts';

/** Margins of a paragraph: what its first line and the others begin with. */
export interface Margin {
  readonly first: string;
  readonly rest: string;
}

/** Breaks a text at blanks so that its lines fit; a word wider than a line stays whole, for it may be a path to copy. */
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
