import { SvcError } from '../../base/lib/errors.ts';
import { isTransient } from '../../base/os/storage-error.ts';
import { type Journal, viewRun } from './journal.ts';

/** Reads from a run, and closes it. */
export function readRun<T>(state: string, run: string, read: (journal: Journal) => T): T {
  const journal = viewRun(state, run);
  try {
    return read(journal);
  } finally {
    journal.close();
  }
}

/** Reads from a run that another process may delete; undefined if it is deleted or damaged. */
export function tryReadRun<T>(state: string, run: string, read: (journal: Journal) => T): T | undefined {
  try {
    return readRun(state, run, read);
  } catch (error) {
    if (error instanceof SvcError && !isTransient(error)) {
      return undefined;
    }
    throw error;
  }
}
