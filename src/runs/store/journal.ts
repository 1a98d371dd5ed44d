import { mkdirSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Phase } from '../../base/events.ts';
import { SvcError } from '../../base/lib/errors.ts';
import { EXIT, type ExitCode } from '../../base/lib/exit.ts';
import { type IdentityCheck, identityCheck } from '../../base/os/file-identity.ts';
import { ensurePrivateFolder, PRIVATE_FOLDER, pathExists, writePrivateFile } from '../../base/os/files.ts';
import { openDatabase, readClosed } from '../../base/os/sqlite.ts';
import { storageError } from '../../base/os/storage-error.ts';
import { type Lock, lockRun } from '../lock.ts';
import { existingRunFiles, prepareState, type RunFiles, runFiles } from '../state-folder.ts';
import { countRequests, countSentOverTime, type RunCounts } from './counts.ts';
import type { RequestKind } from './recorded-request.ts';
import { createRequestJournal, type RequestJournal } from './request-journal.ts';
import {
  createMeta,
  type Destination,
  type HeaderChange,
  type RunHeader,
  type RunState,
  readState,
} from './run-header.ts';
import { checkSchema, createSchema } from './schema.ts';

/**
 * The record of one run, in its run.db. Each write is on disk when the method returns. Only `requests.recordOutcome`
 * may sync later.
 */
export interface Journal {
  /** The id of the run. */
  readonly run: string;
  readonly folder: string;
  readonly files: RunFiles;
  /** The open run.db, for tables of other files. */
  readonly db: DatabaseSync;
  /** The header, with all changes so far. */
  readonly header: RunHeader;
  readonly state: RunState;
  readonly requests: RequestJournal;
  /** Returns an error if the files of the run were removed or replaced. Always undefined after viewJournal. */
  readonly problemIfLost: IdentityCheck;
  counts(kind?: RequestKind): RunCounts;
  /** See countSentOverTime. */
  sentOverTime(spans: number): { readonly at: number; readonly rows: number }[];
  /** Stores plain data under a name that the caller chooses. */
  note(key: string, value: unknown): void;
  /** Reads what `note` stored. Undefined if there is nothing. */
  read(key: string): unknown;
  /**
   * Changes the header. Throws if destination or inputs change after a request with rows was recorded, because its key
   * depends on them. The request that creates the audience has no rows.
   */
  amend(change: HeaderChange): void;
  setDestination(destination: Destination): void;
  setPhase(phase: Phase): void;
  /** Records how the run ended. A resumed run is `running` again until its next end. */
  setStatus(status: string, exitCode: ExitCode, endedAt: number): void;
  saveReport(report: object): void;
  /** The saved report. Undefined if there is none. */
  readReport(): unknown;
  /** Closes the database and releases the run's lock. */
  close(): void;
}

/** Creates the folder and the journal of a new run, and takes its lock. The header is on disk on return. */
export function createJournal(stateFolder: string, header: RunHeader): Journal {
  prepareState(stateFolder);
  const files = runFiles(stateFolder, header.run);
  makeFolder(files.folder);
  return lockAndOpen(files, header.run, () => {
    const db = openDatabase(files.db, { create: true });
    return closeOnError(db, () => {
      createSchema(db, () => createMeta(db, OWN_PREFIX).write({ header, status: 'running' }));
      return db;
    });
  });
}

/**
 * Opens the journal of a run to resume: takes its lock and sets its status to `running`. Throws `busy` if another
 * process works on the run. To only read a journal, use viewJournal.
 */
export function resumeJournal(stateFolder: string, run: string): Journal {
  return openLocked(stateFolder, run, (db) =>
    createMeta(db, OWN_PREFIX).write({ status: 'running', exitCode: undefined, endedAt: undefined }),
  );
}

/** Opens the journal of an ended run, to change its record. Takes its lock and keeps its status. */
export function openEndedJournal(stateFolder: string, run: string): Journal {
  return openLocked(stateFolder, run, () => undefined);
}

function openLocked(stateFolder: string, run: string, begin: (db: DatabaseSync) => void): Journal {
  const files = existingRunFiles(stateFolder, run);
  prepareState(stateFolder);
  ensurePrivateFolder(files.folder);
  return lockAndOpen(files, run, () => {
    const db = openExisting(files, run);
    return closeOnError(db, () => {
      begin(db);
      return db;
    });
  });
}

/** Opens a journal to read it, also while another process works on the run. Takes no lock. */
export function viewJournal(stateFolder: string, run: string): Journal {
  const files = existingRunFiles(stateFolder, run);
  const db = openExisting(files, run);
  return closeOnError(db, () => journalOf(files, db, { problemIfLost: () => undefined, close: () => db.close() }));
}

/**
 * Calls `read` with the journal of a run, and closes it. `read` only reads, and may be called twice: a run on which no
 * process works is read in a faster way first.
 */
export function readRun<T>(stateFolder: string, run: string, read: (journal: Journal) => T): T {
  const files = runFiles(stateFolder, run);
  const closed = readClosed(files.db, (db) => {
    checkSchema(db, run);
    return read(journalOf(files, db, { problemIfLost: () => undefined, close: () => undefined }));
  });
  if (closed) {
    return closed.result;
  }
  const journal = viewJournal(stateFolder, run);
  try {
    return read(journal);
  } finally {
    journal.close();
  }
}

const OWN_PREFIX = 'svc.';
const NOTES_PREFIX = 'note.';

function lockAndOpen(files: RunFiles, run: string, open: () => DatabaseSync): Journal {
  const lock = lockRun(files, run);
  try {
    const db = open();
    return closeOnError(db, () =>
      journalOf(files, db, { problemIfLost: identityCheckOf(files, run), close: () => closeBoth(db, lock) }),
    );
  } catch (error) {
    lock.release();
    throw error;
  }
}

function identityCheckOf({ db, lock }: RunFiles, run: string): IdentityCheck {
  return identityCheck(
    [db, `${db}-wal`, lock],
    `These files record what was sent. Put them back, then: svc runs resume ${run}`,
  );
}

function journalOf(files: RunFiles, db: DatabaseSync, lock: Pick<Journal, 'problemIfLost' | 'close'>): Journal {
  const own = createMeta(db, OWN_PREFIX);
  const notes = createMeta(db, NOTES_PREFIX);
  let header: RunHeader | undefined;
  const readHeader = () => {
    header ??= own.read('header') as RunHeader;
    return header;
  };
  const amend = (change: HeaderChange) => {
    refuseLateChange(db, change);
    const changed = { ...readHeader(), ...change };
    own.write({ header: changed });
    header = changed;
  };
  return {
    run: basename(files.folder),
    folder: files.folder,
    files,
    db,
    requests: createRequestJournal(db),
    get header() {
      return readHeader();
    },
    get state() {
      return readState(own);
    },
    counts: (kind) => countRequests(db, kind),
    sentOverTime: (spans) => countSentOverTime(db, spans),
    note: (key, value) => notes.write({ [key]: value }),
    read: (key) => notes.read(key),
    amend,
    setDestination: (destination) => amend({ destination }),
    setPhase: (phase) => own.write({ phase }),
    setStatus: (status, exitCode, endedAt) => own.write({ status, exitCode, endedAt }),
    saveReport: (report) => writePrivateFile(files.report, `${JSON.stringify(report, null, 2)}\n`),
    readReport: () => readJson(files.report),
    ...lock,
  };
}

function refuseLateChange(db: DatabaseSync, change: HeaderChange): void {
  const changesKeys = 'destination' in change || 'inputs' in change;
  if (changesKeys && db.prepare(`SELECT 1 FROM units WHERE kind <> 'creation' LIMIT 1`).get()) {
    throw new Error('the destination and the inputs of a run cannot change once something was sent');
  }
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
    throw storageError(error, folder);
  }
}

function closeOnError<T>(db: DatabaseSync, fn: () => T): T {
  try {
    return fn();
  } catch (error) {
    if (db.isOpen) {
      db.close();
    }
    throw error;
  }
}

function closeBoth(db: DatabaseSync, lock: Lock): void {
  try {
    db.close();
  } finally {
    lock.release();
  }
}

function readJson(path: string): unknown {
  try {
    return pathExists(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
  } catch (error) {
    throw error instanceof SyntaxError
      ? new SvcError(EXIT.failed, 'state_damaged', `damaged file: ${path}`)
      : storageError(error, dirname(path));
  }
}
