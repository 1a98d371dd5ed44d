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

// Events redraw the screen at most every 100 ms. Without events the clock redraws it every 250 ms.
const REDRAW_MS = 100;
const REDRAW_EVERY_MS = 250;

interface TerminalOptions {
  readonly stderr: OutputStream;
  readonly clock: Clock;
  readonly color: boolean;
  readonly verbose: boolean;
  /** Aborts when the user stops the run. The display then says what the run still waits for. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Progress on a terminal: a line for each finished phase. Below them are the bar of the present phase and the reason of
 * a wait. The display depends on nothing but the events and the clock.
 */
export function createTerminalProgress(options: TerminalOptions) {
  const { stderr, clock, color, verbose, signal } = options;
  let state = initialProgress(clock.monotonic());
  let screen: Screen | undefined;
  let paused = false;
  let drawnAt = 0;

  const style = () => createStyle(color, stderr.columns);
  const lines = (): readonly [string, string] => [
    state.currentPhase ? barLine(state.currentPhase, style()) : '',
    signal?.aborted ? stoppingLine(style()) : statusLine(state, clock.monotonic(), style()),
  ];
  const printAbove = (line: string) => (screen ? screen.printAbove(line) : stderr.write(`${line}\n`));
  const endPhase = (next: Phase | undefined) => {
    const { currentPhase } = state;
    if (
      currentPhase &&
      hasEndLine(currentPhase) &&
      (phaseWords(currentPhase.phase).writes || !hasFinished(currentPhase, next))
    ) {
      printAbove(endLine(currentPhase, { now: clock.monotonic(), next }, style()));
    }
  };
  const closeScreen = () => {
    screen?.close();
    screen = undefined;
  };
  const draw = () => {
    if (!state.currentPhase) {
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

/** The lines at the bottom of the terminal that are redrawn. */
export interface Screen {
  draw(): void;
  /** Prints a line above the redrawn lines, at the next `draw`. */
  printAbove(line: string): void;
  /** Erases the redrawn lines. The next output begins where they were. */
  close(): void;
}

/** A screen with two lines. Each drawing gets them from `lines`; the clock draws four times a second. */
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
  /** Adds a line to the frame. A `raw` text ends with a newline and is printed above the frame, where it stays. */
  write(text: string, raw?: boolean): void;
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

// The sequence that erases the lines. If the terminal became narrower, it has broken one line into several rows.
function erase(lines: readonly string[], columns = 80): string {
  const rows = lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(bareWidth(line) / columns)), 0);
  return rows === 0 ? '' : `\r${Array(rows).fill(ERASE_LINE).join(UP)}`;
}

function bareWidth(line: string): number {
  return displayWidth(line.replace(/\x1b\[[0-9;]*m/g, ''));
}
