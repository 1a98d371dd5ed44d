import type { OutputStream } from '../../base/context.ts';
import type { Emit } from '../../base/events.ts';
import type { Clock } from '../../base/lib/clock.ts';
import { createPlainProgress } from './plain.ts';
import { createTerminalProgress } from './terminal.ts';

/** The progress display of a run. Its functions return at once and never throw. */
export interface ProgressHandle {
  readonly emit: Emit;
  /** Removes the display, so that svc can ask a question or show a page. Events are still counted. */
  pause(): void;
  resume(): void;
  /** How long the display was paused, in milliseconds. In that time svc waited for the user. */
  pausedMs(): number;
  /** Ends the display. What it printed stays on the screen. A second call does nothing. */
  stop(): void;
}

/** The options of the display. `color` is false if NO_COLOR is set. `progress` is false for `--no-progress`. */
export interface ProgressOptions {
  readonly stderr: OutputStream;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly progress: boolean;
  readonly color: boolean;
  readonly clock: Clock;
  /** Aborts when the user stops the run. Then the terminal shows that svc is stopping (D4). */
  readonly signal?: AbortSignal | undefined;
  /** A log file that gets all lines, even those that the terminal does not show. */
  readonly log?: Pick<OutputStream, 'write'> | undefined;
  /** Gets every event, no matter what is shown. */
  readonly onEvent?: Emit | undefined;
}

/**
 * Makes the display: bars on a terminal, otherwise a few plain lines. `--quiet` and `--no-progress` turn the bars off.
 * `--quiet` also turns the plain lines off, and so does `--json`: only the request lines of `--verbose` remain.
 */
export function createProgress(options: ProgressOptions): ProgressHandle {
  const { quiet, json, progress, stderr, onEvent, clock, log } = options;
  const shown =
    !quiet && progress && stderr.isTTY
      ? createTerminalProgress(options)
      : createPlainProgress({ ...options, isSilent: quiet || json });
  const logged = log && createPlainProgress({ stderr: log, clock, verbose: options.verbose, showsEveryPhase: true });
  const emit: Emit = (event) => {
    onEvent?.(event);
    shown.emit(event);
    logged?.emit(event);
  };
  const stop = () => {
    shown.stop();
    logged?.stop();
  };
  let pausedAt: number | undefined;
  let earlierPausesMs = 0;
  const pausedMs = () => earlierPausesMs + (pausedAt === undefined ? 0 : clock.monotonic() - pausedAt);
  return {
    emit,
    stop,
    pause: () => {
      pausedAt = clock.monotonic();
      shown.pause();
    },
    resume: () => {
      shown.resume();
      earlierPausesMs = pausedMs();
      pausedAt = undefined;
    },
    pausedMs,
  };
}
