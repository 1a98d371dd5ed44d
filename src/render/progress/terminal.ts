import type { Phase, RunEvent } from '../../base/events.ts';
import { safe } from '../../base/lib/text.ts';
import { createStyle } from '../text/style.ts';
import { wrap } from '../text/wrap.ts';
import type { ProgressHandle, ProgressOptions } from './handle.ts';
import { barLine, endLine, hasEndLine, hasFinished, statusLine, stoppingLine } from './lines.ts';
import { createScreen, type Screen } from './screen.ts';
import { advance, initialProgress } from './state.ts';
import { phaseWords, requestLine } from './words.ts';

const REDRAW_MS = 100;

/**
 * Progress for a terminal: a line for each finished phase, and below them the present phase with its bar and the reason
 * of a wait. The display depends only on the events and the clock. The timer of the screen only redraws it.
 */
export function createTerminalProgress(
  options: Pick<ProgressOptions, 'stderr' | 'clock' | 'color' | 'verbose' | 'signal'>,
): ProgressHandle {
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
      screen ??= createScreen(stderr, lines);
      screen.draw();
      drawnAt = clock.monotonic();
    }
  };
  const applyEvent = (event: RunEvent) => {
    if (event.type === 'phase') {
      endPhase(event.phase);
    } else if (event.type === 'note') {
      wrap(safe(event.message), style().columns, { first: '  ', rest: '  ' })
        .map((line, index) => (index === 0 ? `${style().magenta('!')} ${line.slice(2)}` : line))
        .forEach(printAbove);
    } else if (event.type === 'request' && verbose) {
      printAbove(style().dim(requestLine(event)));
    }
    const isOver = event.type === 'phase' && event.phase === 'done';
    state = isOver ? initialProgress(clock.monotonic()) : advance(state, event, clock.monotonic());
  };

  return {
    emit: (event) => {
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
