import { createPlainProgress } from './plain-progress.ts';
import type { ProgressHandle, ProgressOptions } from './progress-handle.ts';
import { createTerminalProgress } from './terminal-progress.ts';

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
