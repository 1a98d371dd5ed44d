import { mkdirSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { SvcError } from '../../base/lib/errors.ts';
import { createIdentityCheck, type IdentityCheck } from '../../base/os/file-identity.ts';
import { ensurePrivateFolder, PRIVATE_FOLDER } from '../../base/os/files.ts';
import { openDatabase, readClosedDatabase } from '../../base/os/sqlite.ts';
import { isTransient, toStorageError } from '../../base/os/storage-error.ts';
import { JOURNAL_VALUE_PREFIX, type Journal, journalOf } from './journal.ts';
import { type Lock, lockRun } from './lock.ts';
import { createMeta, type RunHeader } from './run-header.ts';
import { checkSchema, createSchema } from './schema.ts';
import { createStateFolder, existingRunFiles, type RunFiles, runFiles } from './state-folder.ts';

/** Creates the folder and the journal of a new run, and takes its lock. The header is on disk when this returns. */
export function createJournal(stateFolder: string, header: RunHeader): Journal {
  createStateFolder(stateFolder);
  const files = runFiles(stateFolder, header.run);
  makeFolder(files.folder);
  return lockAndOpen(files, header.run, () => {
    const db = openDatabase(files.db, { create: true });
    return closeOnError(db, () => {
      createSchema(db, () => createMeta(db, JOURNAL_VALUE_PREFIX).write({ header, status: 'running' }));
      return db;
    });
  });
}

/**
 * Opens the journal of a run to resume: takes its lock and sets its status to `running`. Throws `busy` if another
 * process works on the run. Use `openJournalToRead` to only read it.
 */
export function resumeJournal(stateFolder: string, run: string): Journal {
  return openLocked(stateFolder, run, (db) =>
    createMeta(db, JOURNAL_VALUE_PREFIX).write({ status: 'running', exitCode: undefined, endedAt: undefined }),
  );
}

/** Opens the journal of an ended run to change it. Takes the lock of the run, and keeps its status. */
export function openEndedJournal(stateFolder: string, run: string): Journal {
  return openLocked(stateFolder, run, () => undefined);
}

function openLocked(stateFolder: string, run: string, begin: (db: DatabaseSync) => void): Journal {
  const files = existingRunFiles(stateFolder, run);
  createStateFolder(stateFolder);
  ensurePrivateFolder(files.folder);
  return lockAndOpen(files, run, () => {
    const db = openExisting(files, run);
    return closeOnError(db, () => {
      begin(db);
      return db;
    });
  });
}

/** Opens a journal to read it, even while another process works on the run. Takes no lock. */
export function openJournalToRead(stateFolder: string, run: string): Journal {
  const files = existingRunFiles(stateFolder, run);
  const db = openExisting(files, run);
  return closeOnError(db, () => journalOf(files, db, { problemIfLost: () => undefined, close: () => db.close() }));
}

/**
 * Calls `read` with the journal of a run, then closes the journal. `read` may be called twice, so it must not change
 * anything. A run on which this process works is read by its open journal. If no process works on the run, a faster way
 * to open the file is tried first.
 */
export function readRun<T>(stateFolder: string, run: string, read: (journal: Journal) => T): T {
  const files = runFiles(stateFolder, run);
  const own = OWN.get(files.db);
  if (own?.db.isOpen) {
    return read(own);
  }
  const closed = readClosedDatabase(files.db, (db) => {
    checkSchema(db, run);
    return read(journalOf(files, db, { problemIfLost: () => undefined, close: () => undefined }));
  });
  if (closed) {
    return closed.result;
  }
  const journal = openJournalToRead(stateFolder, run);
  try {
    return read(journal);
  } finally {
    journal.close();
  }
}

// The journals of the runs on which this process works, by the path of run.db. Every command lists the runs several
// times, so svc does not open its own run again each time.
const OWN = new Map<string, Journal>();

function lockAndOpen(files: RunFiles, run: string, open: () => DatabaseSync): Journal {
  const lock = lockRun(files, run);
  try {
    const db = open();
    return closeOnError(db, () => {
      const journal = journalOf(files, db, {
        problemIfLost: identityCheckOf(files, run),
        close: () => closeOwn(journal, lock),
      });
      OWN.set(files.db, journal);
      return journal;
    });
  } catch (error) {
    lock.release();
    throw error;
  }
}

function identityCheckOf({ db, lock }: RunFiles, run: string): IdentityCheck {
  return createIdentityCheck(
    [db, `${db}-wal`, lock],
    `These files record what was sent. Put them back, then: svc runs resume ${run}`,
  );
}

function openExisting(files: RunFiles, run: string): DatabaseSync {
  const db = openDatabase(files.db);
  return closeOnError(db, () => {
    checkSchema(db, run);
    return db;
  });
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: PRIVATE_FOLDER });
  } catch (error) {
    throw toStorageError(error, folder);
  }
}

function closeOnError<T>(db: DatabaseSync, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (db.isOpen) {
      db.close();
    }
    throw error;
  }
}

function closeOwn({ db, files }: Journal, lock: Lock): void {
  OWN.delete(files.db);
  try {
    db.close();
  } finally {
    lock.release();
  }
}

/**
 * Like `readRun`, for decisions that must not overlook a run (D9). Undefined if the run was deleted, or was killed
 * before its first write. Throws if the run can't be read for any other reason.
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

/** True for the error about a run that was killed before its first write. That run has sent nothing. */
export function isWithoutJournal({ code }: SvcError): boolean {
  return code === 'broken_run' || code === 'state_missing';
}

/**
 * Like `readRun`, but undefined if the run was deleted or is damaged. Throws for a temporary problem, such as a full
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
