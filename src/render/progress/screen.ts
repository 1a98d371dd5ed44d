import { MultiBar } from 'cli-progress';
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

/** A screen with two lines. Each drawing calls `lines` for their text. The clock draws four times a second. */
export function createScreen(stream: OutputStream, lines: () => readonly [string, string], clock: Clock): Screen {
  const frame = createFrame(stream);
  const options = { terminal: frame, forceRedraw: true, clearOnComplete: true, linewrap: null };
  const bars = new MultiBar(options);
  bars.on('update-post', () => {
    frame.flush();
    stopTimer(bars);
  });
  bars.on('stop', frame.flush);
  bars.create(1, 0, {}, { format: () => lines()[0] });
  bars.create(1, 0, {}, { format: () => lines()[1] });
  stopTimer(bars);
  const closed = new AbortController();
  void redraw(bars, clock, closed.signal);
  return {
    draw: () => bars.update(),
    printAbove: (line) => frame.write(`${line}\n`, true),
    close: () => {
      closed.abort();
      bars.stop();
    },
  };
}

/** Stops the timer of cli-progress: it ignores the program's clock, and keeps the process from ending. */
function stopTimer(bars: MultiBar): void {
  clearTimeout(Reflect.get(bars, 'timer'));
}

/** Redraws the screen regularly until `closed` aborts. */
async function redraw(bars: MultiBar, clock: Clock, closed: AbortSignal): Promise<void> {
  const wait = () =>
    clock.sleep(REDRAW_EVERY_MS, closed, true).then(
      () => true,
      () => false,
    );
  while (await wait()) {
    bars.update();
  }
}

/** The terminal as cli-progress needs it. Here it is a few lines at the bottom that are written together. */
interface Frame {
  isTTY(): boolean;
  getWidth(): number;
  /**
   * Adds a line to the frame. With `isRaw`, the text ends with a newline and is printed above the frame, where it
   * stays.
   */
  write(text: string, isRaw?: boolean): void;
  newline(): void;
  cursorRelativeReset(): void;
  clearBottom(): void;
  cursor(): void;
  cursorTo(): void;
  clearRight(): void;
  clearLine(): void;
  lineWrapping(): void;
  /** Writes all changes since the last call at once. Without changes it writes nothing. */
  flush(): void;
}

// Erases one line. Other ways break in tmux: after clearing to the right, a narrower window turns blanks into new rows.
// After clearing downwards, old lines stay in its history.
const ERASE_LINE = '\x1b[2K';
const UP = '\x1b[A';

/** A frame at the bottom of a terminal. It never hides the cursor, because a killed run could not show it again. */
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
    write: (text, isRaw = false) => {
      if (isRaw) {
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

// The sequence that erases the lines. If the terminal became narrower, it has broken one line into several rows.
function erase(lines: readonly string[], columns = 80): string {
  const rows = lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(bareWidth(line) / columns)), 0);
  return rows === 0 ? '' : `\r${Array(rows).fill(ERASE_LINE).join(UP)}`;
}

function bareWidth(line: string): number {
  return displayWidth(line.replace(/\x1b\[[0-9;]*m/g, ''));
}
