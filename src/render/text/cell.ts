import { formatDuration } from '../../base/lib/duration.ts';
import { terminalSafe } from '../../base/lib/text.ts';
import type { Style, Tone } from './style.ts';

/** A column of a table. `neverCut` is for text that users copy, for example ids. */
export interface Column {
  readonly title: string;
  /** The name of the column in CSV output; by default its title. */
  readonly field?: string;
  readonly align?: 'right';
  readonly neverCut?: boolean;
  /** The column is never narrower than this. */
  readonly minWidth?: number;
  /** On a narrow terminal, this column is shortened before other columns. */
  readonly cutFirst?: boolean;
  /** On a narrow terminal, columns that have this number are left out one by one, the smallest number first. */
  readonly dropOrder?: number;
}

/** A cell with one text for users (`text`) and one for scripts (`raw`), which is written if there is no terminal. */
export interface ShownCell {
  readonly text: string;
  /** The text to use if `text` does not fit. */
  readonly short?: string | undefined;
  /** True to shorten the text in its middle, because its end matters too. */
  readonly cutMiddle?: boolean | undefined;
  readonly tone?: Tone | undefined;
  readonly raw?: string | number | null | undefined;
}

/** A cell of a table: a plain value, or a text for users and another for scripts. */
export type Cell = string | number | boolean | null | undefined | ShownCell;

/** The text of a cell for scripts: its value, or an empty text. Control characters are escaped. */
export function rawText(cell: Cell): string {
  if (typeof cell === 'object' && cell !== null) {
    return terminalSafe(String(cell.raw === undefined ? cell.text : (cell.raw ?? '')));
  }
  return terminalSafe(String(cell ?? ''));
}

/** The cell for users: its text, or a dash if it is empty. Control characters are escaped. */
export function shownCell(cell: Cell): ShownCell {
  const { text = '', short, ...rest } = typeof cell === 'object' && cell !== null ? cell : { text: String(cell ?? '') };
  return text === ''
    ? { text: '–', tone: 'dim' }
    : { ...rest, text: terminalSafe(text), short: short && terminalSafe(short) };
}

export function applyTone(text: string, tone: Tone | undefined, style: Style): string {
  return tone ? style[tone](text) : text;
}

/** A cell with a time. Users see how long ago it was, and scripts get the timestamp. */
export function timeCell(timestamp: string | null | undefined, now: number): ShownCell {
  return { text: timeAgo(timestamp, now), raw: timestamp ?? null };
}

// The milliseconds of a day, an hour and a minute. A time span is shown in the largest of these units that it reaches,
// or else in seconds.
const UNITS_MS = [86_400_000, 3_600_000, 60_000];

/**
 * How long ago a timestamp was, or how long until it, in one unit: `5 min ago`, `in 3 d`. Returns a text that is no
 * timestamp unchanged.
 */
export function timeAgo(timestamp: string | null | undefined, now: number): string {
  const time = timestamp ? Date.parse(timestamp) : Number.NaN;
  if (Number.isNaN(time)) {
    return timestamp ?? '';
  }
  const span = Math.abs(now - time);
  const unit = UNITS_MS.find((ms) => span >= ms) ?? 1;
  const shown = formatDuration(Math.floor(span / unit) * unit);
  return time > now ? `in ${shown}` : `${shown} ago`;
}
