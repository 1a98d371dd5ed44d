import type { OutputStream } from '../../base/context.ts';
import type { Clock } from '../../base/lib/clock.ts';
import { displayWidth } from '../text/width.ts';

const REDRAW_EVERY_MS = 250;

/** The lines at the bottom of the terminal that are redrawn. */
export interface Screen {
  draw(): void;
  /** Prints a line above the redrawn lines, at the next `draw`. */
  printAbove(line: string): void;
  /** Erases the redrawn lines. The next output begins where they were. */
  close(): void;
}

// Erases one line. Other ways break in tmux: after clearing to the right, a narrower window turns blanks into new rows.
// After clearing downwards, old lines stay in its history.
const ERASE_LINE = '\x1b[2K';
const UP = '\x1b[A';

/**
 * A screen with two lines. Each drawing calls `lines` for their text. The clock draws four times a second. It never
 * hides the cursor, because a killed run could not show it again.
 */
export function createScreen(stream: OutputStream, lines: () => readonly [string, string], clock: Clock): Screen {
  let shown: readonly string[] = [];
  let above = '';
  // Writes all changes since the last call at once. Without changes it writes nothing.
  const show = (next: readonly string[]) => {
    if (above !== '' || next.join('\n') !== shown.join('\n')) {
      stream.write(`${erase(shown, stream.columns)}${above}${next.join('\n')}`);
      shown = next;
      above = '';
    }
  };
  const draw = () => show(lines());
  const closed = new AbortController();
  void redraw(draw, clock, closed.signal);
  return {
    draw,
    printAbove: (line) => {
      above += `${line}\n`;
    },
    close: () => {
      closed.abort();
      show([]);
    },
  };
}

/** Draws regularly until `closed` aborts. */
async function redraw(draw: () => void, clock: Clock, closed: AbortSignal): Promise<void> {
  const wait = () =>
    clock.sleep(REDRAW_EVERY_MS, closed, true).then(
      () => true,
      () => false,
    );
  while (await wait()) {
    draw();
  }
}

// The sequence that erases the lines. If the terminal became narrower, it has broken one line into several rows.
function erase(lines: readonly string[], columns = 80): string {
  const rows = lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(bareWidth(line) / columns)), 0);
  return rows === 0 ? '' : `\r${Array(rows).fill(ERASE_LINE).join(UP)}`;
}

function bareWidth(line: string): number {
  return displayWidth(line.replace(/\x1b\[[0-9;]*m/g, ''));
}
