import { SvcError } from '../../base/lib/errors.ts';
import { isTransient } from '../../base/os/storage-error.ts';
import { type Journal, readRun } from './journal.ts';

/**
 * Like `readRun`, but undefined if the run was deleted, or was killed before its first write. Throws if the run can't
 * be read for another reason. For decisions that must not overlook a run (D9).
 */
export function readListedRun<T>(stateFolder: string, run: string, read: (journal: Journal) => T): T | undefined {
  try {
    return readRun(stateFolder, run, read);
  } catch (error) {
    if (error instanceof SvcError && (error.code === 'run_not_found' || isWithoutJournal(error))) {
      return undefined;
    }
    throw error;
  }
}

/** True for the error of a run that was killed before its first write. Such a run has sent nothing. */
export function isWithoutJournal({ code }: SvcError): boolean {
  return code === 'broken_run' || code === 'state_missing';
}

/**
 * Like `readRun`, but undefined if the run was deleted or is damaged. Throws for a passing problem, such as a full
 * disk.
 */
export function tryReadRun<T>(stateFolder: string, run: string, read: (journal: Journal) => T): T | undefined {
  try {
    return readRun(stateFolder, run, read);
  } catch (error) {
    if (error instanceof SvcError && !isTransient(error)) {
      return undefined;
    }
    throw error;
  }
}
