import { safe } from '../base/text.ts';
import type { Style, Tone } from './style.ts';

/** A column; `whole` is never cut short, for what one copies from it (ids). */
export interface Column {
  readonly title: string;
  readonly align?: 'right';
  readonly whole?: boolean;
  /** Is cut short before the others are. */
  readonly yields?: boolean;
}

/** A cell whose look differs from its value: `raw` is written where nobody looks at a terminal. */
export interface ShownCell {
  readonly text: string;
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
  const { text, tone } = typeof cell === 'object' && cell !== null ? cell : { text: String(cell ?? '') };
  return text === '' ? { text: '–', tone: 'dim' } : { text: safe(text), tone };
}

/** A text in a tone, or as it is. */
export function dress(text: string, tone: Tone | undefined, style: Style): string {
  return tone ? style[tone](text) : text;
}
