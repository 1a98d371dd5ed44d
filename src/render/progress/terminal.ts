import { MultiBar } from 'cli-progress';
import type { OutputStream } from '../../base/context.ts';
import type { Phase, RunEvent } from '../../base/events.ts';
import type { Clock } from '../../base/lib/clock.ts';
import { safe } from '../../base/lib/text.ts';
import { createStyle } from '../text/style.ts';
import { displayWidth } from '../text/width.ts';
import { markedLines } from '../text/wrap.ts';
import { barLine, endLine, hasEndLine, hasFinished, statusLine, stoppingLine } from './lines.ts';
import { phaseWords, requestLine } from './progress-words.ts';
import { advance, initialProgress } from './state.ts';

// Events draw at most this often, and the time alone this often.
const REDRAW_MS = 100;
const REDRAW_EVERY_MS = 250;

interface TerminalOptions {
  readonly stderr: OutputStream;
  readonly clock: Clock;
  readonly color: boolean;
  readonly verbose: boolean;
  /** Aborts when the user stops the run. The display says then what the run still waits for. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Progress for a terminal: a line for each finished phase, and below them the present phase with its bar and the reason
 * of a wait. The display depends only on the events and the clock.
 */
export function createTerminalProgress(options: TerminalOptions) {
  const { stderr, clock, color, verbose, signal } = options;
  let state = initialProgress(clock.monotonic());
  let screen: Screen | undefined;
  let paused = false;
  let drawnAt = 0;

  const style = () => createStyle(color, stderr.columns);
  const lines = (): readonly [string, string] => [
    state.current ? barLine(state.current, style()) : '',
    signal?.aborted ? stoppingLine(style()) : statusLine(state, clock.monotonic(), style()),
  ];
  const printAbove = (line: string) => (screen ? screen.printAbove(line) : stderr.write(`${line}\n`));
  const endPhase = (next: Phase | undefined) => {
    const { current } = state;
    if (current && hasEndLine(current) && (phaseWords(current.phase).writes || !hasFinished(current, next))) {
      printAbove(endLine(current, { now: clock.monotonic(), next }, style()));
    }
  };
  const closeScreen = () => {
    screen?.close();
    screen = undefined;
  };
  const draw = () => {
    if (!state.current) {
      closeScreen();
    } else if (!paused) {
      screen ??= createScreen(stderr, lines, clock);
      screen.draw();
      drawnAt = clock.monotonic();
    }
  };
  const applyEvent = (event: RunEvent) => {
    if (event.type === 'phase') {
      endPhase(event.phase);
    } else if (event.type === 'note') {
      markedLines(style().magenta('!'), safe(event.message), style().columns, '').forEach(printAbove);
    } else if (event.type === 'request' && verbose) {
      printAbove(style().dim(requestLine(event)));
    }
    const isOver = event.type === 'phase' && event.phase === 'done';
    state = isOver ? initialProgress(clock.monotonic()) : advance(state, event, clock.monotonic());
  };

  return {
    emit: (event: RunEvent) => {
      applyEvent(event);
      if (isUrgent(event) || clock.monotonic() - drawnAt >= REDRAW_MS) {
        draw();
      }
    },
    pause: () => {
      paused = true;
      closeScreen();
    },
    resume: () => {
      paused = false;
      state = { ...state, lastEventAt: clock.monotonic() };
      draw();
    },
    stop: () => {
      endPhase(undefined);
      state = initialProgress(clock.monotonic());
      closeScreen();
    },
  };
}

function isUrgent(event: RunEvent): boolean {
  return event.type === 'phase' || event.type === 'wait' || event.type === 'note';
}

/** Lines at the bottom of the terminal that are redrawn. */
export interface Screen {
  draw(): void;
  /** Prints a line above the redrawn lines, with the next drawing. */
  printAbove(line: string): void;
  /** Removes the redrawn lines and leaves the cursor at their start. */
  close(): void;
}

/** A screen of two lines. Every drawing reads them from `lines`, and the clock draws four times a second. */
function createScreen(stream: OutputStream, lines: () => readonly [string, string], clock: Clock): Screen {
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

/** The timer of cli-progress does not use the clock of the program, and keeps a finished process alive. */
function stopTimer(bars: MultiBar): void {
  clearTimeout(Reflect.get(bars, 'timer'));
}

/** Redraws the screen until it is closed. */
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

/** The terminal interface that cli-progress draws on: a few lines at the bottom, always drawn together. */
interface Frame {
  isTTY(): boolean;
  getWidth(): number;
  /** Adds a line to the frame. With `raw`, the text ends with a newline, and stays above the redrawn lines. */
  write(text: string, raw?: boolean): void;
  newline(): void;
  cursorRelativeReset(): void;
  clearBottom(): void;
  cursor(): void;
  cursorTo(): void;
  clearRight(): void;
  clearLine(): void;
  lineWrapping(): void;
  /** Writes the changes since the last call to the screen in one write. Writes nothing if there are none. */
  flush(): void;
}

// Erases line by line. After clearing to the right, tmux breaks the blank cells into new rows when it is made narrower.
// After clearing downwards from the top, it keeps the cleared lines in its history.
const ERASE_LINE = '\x1b[2K';
const UP = '\x1b[A';

/** A frame at the bottom of a terminal of any width. It never hides the cursor: a killed run could not show it. */
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

// A narrower terminal breaks lines again, so one row may be two now.
function erase(lines: readonly string[], columns = 80): string {
  const rows = lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(bareWidth(line) / columns)), 0);
  return rows === 0 ? '' : `\r${Array(rows).fill(ERASE_LINE).join(UP)}`;
}

function bareWidth(line: string): number {
  return displayWidth(line.replace(/\x1b\[[0-9;]*m/g, ''));
}
