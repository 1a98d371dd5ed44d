import { closeSync, openSync } from 'node:fs';
import { SvcError } from '../lib/errors.ts';
import { EXIT } from '../lib/exit.ts';

/**
 * Makes sure that so many more files can be open at once, before anything is sent: a run that meets the limit half-way can't
 * record what it did (rules D2, D9). Throws SvcError `too_many_files`.
 */
export function requireOpenFiles(count: number): void {
  const handles: number[] = [];
  try {
    while (handles.length < count) {
      handles.push(openSync('/dev/null', 'r'));
    }
  } catch (error) {
    if (isLimit(error)) {
      const message = `this program may open only ${handles.length} more files and needs ${count}; nothing was sent`;
      throw new SvcError(EXIT.failed, 'too_many_files', message, {
        hint: 'Raise the limit and run the same command again: ulimit -n 1024',
        cause: error,
      });
    }
  } finally {
    handles.forEach((handle) => closeSync(handle));
  }
}

function isLimit(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE');
}
