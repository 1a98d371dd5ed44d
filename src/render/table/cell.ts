import { formatDuration } from '../../base/lib/duration.ts';
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
export function applyTone(text: string, tone: Tone | undefined, style: Style): string {
  return tone ? style[tone](text) : text;
}

/** A moment: its distance for people, the timestamp itself for scripts. */
export function timeCell(timestamp: string | null | undefined, now: number): ShownCell {
  return { text: ago(timestamp, now), raw: timestamp ?? null };
}

// From these on nobody looks at what is smaller.
const UNITS_MS = [86_400_000, 3_600_000, 60_000];

/** How long ago a timestamp of the service was, or in how long it will be, in one unit: `5 min ago`, `in 3 d`; anything else as it stands. */
export function ago(timestamp: string | null | undefined, now: number): string {
  const at = timestamp ? Date.parse(timestamp) : Number.NaN;
  if (Number.isNaN(at)) {
    return timestamp ?? '';
  }
  const span = Math.abs(now - at);
  const unit = UNITS_MS.find((ms) => span >= ms) ?? 1;
  const shown = formatDuration(Math.floor(span / unit) * unit);
  return at > now ? `in ${shown}` : `${shown} ago`;
}
