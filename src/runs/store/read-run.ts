import { SvcError } from '../../base/lib/errors.ts';
import { isTransient } from '../../base/os/storage-error.ts';
import { type Journal, viewJournal } from './journal.ts';

/** Reads from a run, and closes it. */
export function readRun<T>(state: string, run: string, read: (journal: Journal) => T): T {
  const journal = viewJournal(state, run);
  try {
    return read(journal);
  } finally {
    journal.close();
  }
}

/**
 * Reads from a run for a decision. Undefined if it is deleted, or was killed before its first commit. Any other failure
 * is an error, because the run may be the one in question (D9).
 */
export function readListedRun<T>(state: string, run: string, read: (journal: Journal) => T): T | undefined {
  try {
    return readRun(state, run, read);
  } catch (error) {
    if (error instanceof SvcError && (error.code === 'run_not_found' || isWithoutJournal(error))) {
      return undefined;
    }
    throw error;
  }
}

/** True if the run was killed before its first commit. It sent nothing, because the journal comes first. */
export function isWithoutJournal({ code }: SvcError): boolean {
  return code === 'broken_run' || code === 'state_missing';
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
