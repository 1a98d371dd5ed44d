import { MultiBar } from 'cli-progress';
import type { OutputStream } from '../../base/context.ts';
import { displayWidth } from '../text/width.ts';

/** Lines at the foot of the terminal that are drawn again and again. */
export interface Screen {
  draw(): void;
  /** A line that stays above; shown with the next drawing. */
  printAbove(line: string): void;
  /** Takes the redrawn lines away and leaves the cursor where they began. */
  close(): void;
}

/** A screen of two lines, taken anew from `lines` at every drawing; it looks by itself four times a second. */
export function createScreen(stream: OutputStream, lines: () => readonly [string, string]): Screen {
  const frame = createFrame(stream);
  const options = { terminal: frame, fps: 4, forceRedraw: true, clearOnComplete: true, linewrap: null };
  const bars = new MultiBar(options);
  bars.on('update-post', () => {
    frame.flush();
    unrefTimer(bars);
  });
  bars.on('stop', frame.flush);
  bars.create(1, 0, {}, { format: () => lines()[0] });
  bars.create(1, 0, {}, { format: () => lines()[1] });
  unrefTimer(bars);
  return { draw: () => bars.update(), printAbove: (line) => frame.write(`${line}\n`, true), close: () => bars.stop() };
}

// The timer of cli-progress would keep a process alive that has nothing left to do.
function unrefTimer(bars: MultiBar): void {
  const timer: unknown = Reflect.get(bars, 'timer');
  if (timer !== null && typeof timer === 'object' && 'unref' in timer && typeof timer.unref === 'function') {
    timer.unref();
  }
}

/** The terminal as cli-progress draws on it: a few lines that are always drawn together, below everything else. */
interface Frame {
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
function createFrame(stream: OutputStream): Frame {
  let shown: readonly string[] = [];
  let next: string[] = [];
  let above = '';

  const flush = () => {
    if (above === '' && next.join('\n') === shown.join('\n')) {
      return;
    }
    stream.write(`${erase(shown, stream.columns)}${above}${next.join('\n')}`);
    shown = next;
    above = '';
  };
  const ignore = () => undefined;

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
    newline: ignore,
    cursor: ignore,
    cursorTo: ignore,
    clearRight: ignore,
    clearLine: ignore,
    lineWrapping: ignore,
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
