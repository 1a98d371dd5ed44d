import type { ProgressHandle, ProgressOptions } from './handle.ts';
import { createPlainProgress } from './plain.ts';
import { createTerminalProgress } from './terminal.ts';

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
  const emit: ProgressHandle['emit'] = (event) => {
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
