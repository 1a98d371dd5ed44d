import type { Clock } from '../base/clock.ts';
import type { OutputStream } from '../base/context.ts';
import { createPlainProgress } from './plain-progress.ts';
import type { ProgressHandle } from './progress-handle.ts';
import { createTerminalProgress } from './terminal-progress.ts';

/** What decides how a run is shown. `color` has NO_COLOR in it already; `progress` is false for --no-progress. */
export interface ProgressOptions {
  readonly stderr: OutputStream;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly progress: boolean;
  readonly color: boolean;
  readonly clock: Clock;
}

/**
 * Bars on a terminal, else a plain line now and then; with --quiet, or where a program reads JSON errors from stderr,
 * nothing but the request lines that --verbose asks for.
 */
export function createProgress(options: ProgressOptions): ProgressHandle {
  const { quiet, json, progress, stderr } = options;
  if (!quiet && progress && stderr.isTTY) {
    return createTerminalProgress(options);
  }
  return createPlainProgress({ ...options, silent: quiet || json });
}
