import type { OutputStream } from '../../base/context.ts';
import type { Phase, RunEvent } from '../../base/events.ts';
import type { Clock } from '../../base/lib/clock.ts';
import { terminalSafe } from '../../base/lib/text.ts';
import { createStyle } from '../text/style.ts';
import { markedLines } from '../text/wrap.ts';
import { barLine, endLine, hasEndLine, hasPhaseFinished, statusLine, stoppingLine } from './lines.ts';
import { phaseWords, requestLine } from './progress-words.ts';
import { createScreen, type Screen } from './screen.ts';
import { advanceProgress, initialProgress } from './state.ts';

// Events redraw the screen at most every 100 ms. Without events the clock redraws it every 250 ms.
const REDRAW_MS = 100;

interface TerminalOptions {
  readonly stderr: OutputStream;
  readonly clock: Clock;
  readonly color: boolean;
  readonly verbose: boolean;
  /** Aborts when the user stops the run. The display then says what the run still waits for. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Progress on a terminal: a line for each ended phase that wrote rows or did not finish. Below them are the bar of the
 * present phase and the reason of a wait. The display depends on nothing but the events and the clock.
 */
export function createTerminalProgress(options: TerminalOptions) {
  const { stderr, clock, color, verbose, signal } = options;
  let state = initialProgress(clock.monotonic());
  let screen: Screen | undefined;
  let isPaused = false;
  let drawnAt = 0;

  const currentStyle = () => createStyle(color, stderr.columns);
  const currentLines = (): readonly [string, string] => [
    state.currentPhase ? barLine(state.currentPhase, currentStyle()) : '',
    signal?.aborted ? stoppingLine(currentStyle()) : statusLine(state, clock.monotonic(), currentStyle()),
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
