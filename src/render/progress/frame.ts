import type { OutputStream } from '../../base/context.ts';
import { displayWidth } from '../text/width.ts';

/** The terminal as cli-progress draws on it: a few lines that are always drawn together, below everything else. */
export interface Frame {
  isTTY(): boolean;
  getWidth(): number;
  /** A line of the frame, or with `raw` a finished text, ending in a newline, that stays above the frame for good. */
  write(text: string, raw?: boolean): void;
  newline(): void;
  cursorRelativeReset(): void;
  clearBottom(): void;
  cursor(): void;
  cursorTo(): void;
  clearRight(): void;
  clearLine(): void;
  lineWrapping(): void;
  /** Puts on the screen, in one write, what was drawn since the last time; nothing when it is there already. */
  flush(): void;
}

// Whole lines, one by one: clearing to the right leaves cells that tmux breaks into new rows when it is made narrower,
// and clearing downwards from the top of the screen makes it keep the cleared lines in its history.
const ERASE_LINE = '\x1b[2K';
const UP = '\x1b[A';

/** A frame at the foot of a terminal. It survives a change of the terminal's width, and hides no cursor that a kill would lose. */
export function createFrame(stream: OutputStream): Frame {
  let onScreen: readonly string[] = [];
  let next: string[] = [];
  let above = '';

  const flush = () => {
    if (above === '' && next.join('\n') === onScreen.join('\n')) {
      return;
    }
    stream.write(`${erase(onScreen, stream.columns)}${above}${next.join('\n')}`);
    onScreen = next;
    above = '';
  };
  const nothing = () => undefined;

  return {
    isTTY: () => true,
    getWidth: () => stream.columns ?? 80,
    write: (text, raw = false) => {
      if (raw) {
        above += text;
      } else {
        next = [...next, text];
      }
    },
    cursorRelativeReset: () => {
      next = [];
    },
    clearBottom: () => {
      next = [];
    },
    flush,
    newline: nothing,
    cursor: nothing,
    cursorTo: nothing,
    clearRight: nothing,
    clearLine: nothing,
    lineWrapping: nothing,
  };
}

// Terminals break a line anew when they become narrower, so what was one row may be two now.
function erase(lines: readonly string[], columns = 80): string {
  const rows = lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(bareWidth(line) / columns)), 0);
  return rows === 0 ? '' : `\r${Array(rows).fill(ERASE_LINE).join(UP)}`;
}

function bareWidth(line: string): number {
  return displayWidth(line.replace(/\x1b\[[0-9;]*m/g, ''));
}
