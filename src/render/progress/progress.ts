import type { OutputStream } from '../../base/context.ts';
import type { Emit } from '../../base/events.ts';
import type { Clock } from '../../base/lib/clock.ts';
import { createPlainProgress } from './plain.ts';
import { createTerminalProgress } from './terminal.ts';

/** The progress display of a run. All calls return at once and never throw. */
export interface ProgressHandle {
  readonly emit: Emit;
  /** Clears the screen for a prompt or a page of text. Events are still counted. */
  pause(): void;
  resume(): void;
  /** Ends the display and leaves a readable screen. May be called more than once. */
  stop(): void;
}

/** The options of the display. `color` already respects NO_COLOR; `progress` is false for --no-progress. */
export interface ProgressOptions {
  readonly stderr: OutputStream;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly progress: boolean;
  readonly color: boolean;
  readonly clock: Clock;
  /** Aborts when the user stops the run. The display says then what the run still waits for. */
  readonly signal?: AbortSignal | undefined;
  /** A log file that gets every line, whatever the terminal shows. */
  readonly log?: Pick<OutputStream, 'write'> | undefined;
  readonly onEvent?: Emit | undefined;
}

/**
 * Bars on a terminal, else an occasional plain line. With --quiet, or if a program reads JSON errors from stderr, only
 * the request lines of --verbose. `onEvent` receives every event in any case.
 */
export function createProgress(options: ProgressOptions): ProgressHandle {
  const { quiet, json, progress, stderr, onEvent, clock, log } = options;
  const shown =
    !quiet && progress && stderr.isTTY
      ? createTerminalProgress(options)
      : createPlainProgress({ ...options, silent: quiet || json });
  const logged = log && createPlainProgress({ stderr: log, clock, verbose: options.verbose, everyPhase: true });
  const emit: Emit = (event) => {
    onEvent?.(event);
    shown.emit(event);
    logged?.emit(event);
  };
  const stop = () => {
    shown.stop();
    logged?.stop();
  };
  return { ...shown, emit, stop };
}
