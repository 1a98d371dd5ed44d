import { safe } from '../../base/lib/text.ts';
import type { Style, Tone } from '../text/style.ts';

/** A column; `whole` is never cut short, for what one copies from it (ids). */
export interface Column {
  readonly title: string;
  readonly align?: 'right';
  readonly whole?: boolean;
  /** Is not cut shorter than this. */
  readonly least?: number;
  /** Is cut short before the others are. */
  readonly yields?: boolean;
  /** Is left out where the terminal is too narrow for all columns, the smallest number first. */
  readonly drops?: number;
}

/** A cell whose look differs from its value: `raw` is written where nobody looks at a terminal. */
export interface ShownCell {
  readonly text: string;
  /** What is cut short in place of the text where there is no room for all of it. */
  readonly short?: string | undefined;
  readonly tone?: Tone | undefined;
  readonly raw?: string | number | null | undefined;
}

export type Cell = string | number | boolean | null | undefined | ShownCell;

/** The cell as scripts read it: its value, with nothing where there is none. Control characters are escaped. */
export function rawText(cell: Cell): string {
  if (typeof cell === 'object' && cell !== null) {
    return safe(String(cell.raw === undefined ? cell.text : (cell.raw ?? '')));
  }
  return safe(String(cell ?? ''));
}

/** The cell as people read it: a dash where there is nothing. Control characters are escaped. */
export function shownCell(cell: Cell): ShownCell {
  const { text = '', short, tone } = typeof cell === 'object' && cell !== null ? cell : plainCell(cell);
  return text === '' ? { text: '–', tone: 'dim' } : { text: safe(text), short: short && safe(short), tone };
}

function plainCell(value: string | number | boolean | null | undefined): ShownCell {
  return { text: String(value ?? '') };
}

/** A text in a tone, or as it is. */
export function dress(text: string, tone: Tone | undefined, style: Style): string {
  return tone ? style[tone](text) : text;
}
