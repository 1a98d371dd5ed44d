import type { OutputStream } from '../../base/context.ts';
import type { Phase, RunEvent } from '../../base/events.ts';
import type { Clock } from '../../base/lib/clock.ts';
import { terminalSafe } from '../../base/lib/text.ts';
import { createStyle } from '../text/style.ts';
import { displayWidth } from '../text/width.ts';
import { markedLines } from '../text/wrap.ts';
import { barLine, endLine, hasEndLine, hasPhaseFinished, statusLine, stoppingLine } from './lines.ts';
import { phaseWords, requestLine } from './progress-words.ts';
import { advanceProgress, initialProgress } from './state.ts';

// Events redraw the screen at most once in this time.
const REDRAW_MS = 100;

interface TerminalOptions {
  readonly stderr: OutputStream;
  readonly clock: Clock;
  readonly color: boolean;
  readonly verbose: boolean;
  /** Aborts when the user stops the run. Then the display shows that svc is stopping (D4). */
  readonly signal?: AbortSignal | undefined;
}

// The clock redraws the screen in this interval, even without events.
const REDRAW_EVERY_MS = 250;

// Erases one line. Other sequences fail in tmux: after "clear to the right", a narrower window shows blanks as new
// rows. After "clear downwards", old lines stay in the history.
const ERASE_LINE = '\x1b[2K';
const UP = '\x1b[A';

/**
 * Progress on a terminal: a line for each ended phase that wrote rows or did not finish. Below these lines are the bar
 * of the present phase and a status line. The display depends only on the events, the clock, `signal` and the width of
 * the terminal.
 */
export function createTerminalProgress(options: TerminalOptions) {
  const { stderr, clock, color, verbose, signal } = options;
  let state = initialProgress(clock.monotonic());
  let screen: ReturnType<typeof createScreen> | undefined;
  let isPaused = false;
  let drawnAt = 0;

  const currentStyle = () => createStyle(color, stderr.columns);
  const moment = () => ({ monotonic: clock.monotonic(), wall: clock.now() });
  const currentLines = (): readonly [string, string] => [
    state.currentPhase ? barLine(state.currentPhase, currentStyle()) : '',
    signal?.aborted ? stoppingLine(currentStyle()) : statusLine(state, moment(), currentStyle()),
  ];
  const printAbove = (line: string) => (screen ? screen.printAbove(line) : stderr.write(`${line}\n`));
  const endPhase = (next: Phase | undefined) => {
    const { currentPhase } = state;
    if (
      currentPhase &&
      hasEndLine(currentPhase) &&
      (phaseWords(currentPhase.phase).writes || !hasPhaseFinished(currentPhase, next))
    ) {
      printAbove(endLine(currentPhase, { now: clock.monotonic(), next }, currentStyle()));
    }
  };
  const closeScreen = () => {
    screen?.close();
    screen = undefined;
  };
  const draw = () => {
    if (!state.currentPhase) {
      closeScreen();
    } else if (!isPaused) {
      screen ??= createScreen(stderr, currentLines, clock);
      screen.draw();
      drawnAt = clock.monotonic();
    }
  };
  const applyEvent = (event: RunEvent) => {
    if (event.type === 'phase') {
      endPhase(event.phase);
    } else if (event.type === 'note') {
      markedLines(currentStyle().magenta('!'), terminalSafe(event.message), currentStyle().columns, '').forEach(
        printAbove,
      );
    } else if (event.type === 'request' && verbose) {
      printAbove(currentStyle().dim(requestLine(event)));
    }
    const isOver = event.type === 'phase' && event.phase === 'done';
    state = isOver ? initialProgress(clock.monotonic()) : advanceProgress(state, event, clock.monotonic());
  };

  return {
    emit: (event: RunEvent) => {
      applyEvent(event);
      if (isUrgent(event) || clock.monotonic() - drawnAt >= REDRAW_MS) {
        draw();
      }
    },
    pause: () => {
      isPaused = true;
      closeScreen();
    },
    resume: () => {
      isPaused = false;
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

/**
 * A screen with two lines. Each redraw calls `lines` for their text. The clock starts a redraw four times a second. The
 * screen never hides the cursor, because a killed run could not show it again.
 */
function createScreen(stream: OutputStream, lines: () => readonly [string, string], clock: Clock) {
  let shown: readonly string[] = [];
  let above = '';
  // Writes all changes since the last call at once, and nothing if there are none.
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
    /** Prints a line above the redrawn lines, at the next `draw`. */
    printAbove: (line: string) => {
      above += `${line}\n`;
    },
    /** Erases the redrawn lines. The next output begins where they were. */
    close: () => {
      closed.abort();
      show([]);
    },
  };
}

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

// The sequence that erases the lines. A terminal that became narrower has broken a line into several rows.
function erase(lines: readonly string[], columns = 80): string {
  const rows = lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(bareWidth(line) / columns)), 0);
  return rows === 0 ? '' : `\r${Array(rows).fill(ERASE_LINE).join(UP)}`;
}

function bareWidth(line: string): number {
  return displayWidth(line.replace(/\x1b\[[0-9;]*m/g, ''));
}
