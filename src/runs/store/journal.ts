import { mkdirSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Phase } from '../../base/events.ts';
import { SvcError } from '../../base/lib/errors.ts';
import { EXIT, type ExitCode } from '../../base/lib/exit.ts';
import { type Anchor, anchor } from '../../base/os/file-identity.ts';
import { ensurePrivateFolder, isThere, PRIVATE_FOLDER, writePrivateFile } from '../../base/os/files.ts';
import { openDatabase } from '../../base/os/sqlite.ts';
import { isPassing, storageError } from '../../base/os/storage-error.ts';
import { type Lock, lockRun } from '../lock.ts';
import { prepareState, type RunFiles, runFiles } from '../state-folder.ts';
import { countRequests, type Tally } from './counts.ts';
import { createMeta, type HeaderChange, type RunHeader, type RunState, readState } from './header.ts';
import type { UnitKind } from './recorded-request.ts';
import { checkSchema, createSchema } from './schema.ts';
import { createWriteRequests, type WriteRequests } from './write-requests.ts';

/** One run's memory. Whatever a method writes is synced to disk before it returns. */
export interface Journal {
  /** The id of the run, known without a look at the disk. */
  readonly run: string;
  readonly folder: string;
  readonly files: RunFiles;
  /** The open run.db, for tables of other parts of the program. */
  readonly db: DatabaseSync;
  /** As it is now, after every change. */
  readonly header: RunHeader;
  readonly state: RunState;
  readonly units: WriteRequests;
  /** The problem when the files of the run are gone from their place; always undefined for a run that is only looked at. */
  readonly lost: Anchor;
  /** Counts of all units, or of one kind. */
  tally(kind?: UnitKind): Tally;
  /** Keeps plain data under a name of the caller's. */
  note(key: string, value: unknown): void;
  read(key: string): unknown;
  /** Refused for destination and inputs once a unit was begun: its key was made for them. A creation makes the destination. */
  amend(change: HeaderChange): void;
  setDestination(destination: NonNullable<RunHeader['destination']>): void;
  setPhase(phase: Phase): void;
  /** Records how the run ended; a resumed run is `running` again until it ends once more. */
  setStatus(status: string, exitCode: ExitCode, endedAt: number): void;
  saveReport(report: object): void;
  /** Undefined where none was saved. */
  readReport(): unknown;
  /** Lets go of the database and of the run's lock. */
  close(): void;
}

/** Makes the folder of a new run and takes its lock. On return the header is on disk and nothing else is. */
export function createRun(state: string, header: RunHeader): Journal {
  prepareState(state);
  const files = runFiles(state, header.run);
  makeFolder(files.folder);
  return locked(files, header.run, () => {
    const db = openDatabase(files.db, { create: true });
    return closeOnError(db, () => {
      createSchema(db, () => createMeta(db, OWN).write({ header, status: 'running' }));
      return db;
    });
  });
}

/**
 * Opens a run to go on with it: takes its lock (`busy` while another process works on it) and marks it running.
 * To look at a run, use viewRun.
 */
export function openRun(state: string, run: string): Journal {
  return openLocked(state, run, (db) =>
    createMeta(db, OWN).write({ status: 'running', exitCode: undefined, endedAt: undefined }),
  );
}

/** Opens a run that has ended to change what it says of itself: takes its lock, and leaves how it ended as it is. */
export function openEndedRun(state: string, run: string): Journal {
  return openLocked(state, run, () => undefined);
}

function openLocked(state: string, run: string, begin: (db: DatabaseSync) => void): Journal {
  const files = findFiles(state, run);
  prepareState(state);
  ensurePrivateFolder(files.folder);
  return locked(files, run, () => {
    const db = openExisting(files, run);
    return closeOnError(db, () => {
      begin(db);
      return db;
    });
  });
}

/** Opens a run to look at it, also while another process works on it; takes no lock and changes nothing. */
export function viewRun(state: string, run: string): Journal {
  const files = findFiles(state, run);
  const db = openExisting(files, run);
  return closeOnError(db, () => createJournal(files, db, { lost: () => undefined, close: () => db.close() }));
}

/** Reads something of a run that may be deleted at the same moment; undefined where it is gone or damaged. */
export function peekRun<T>(state: string, run: string, read: (journal: Journal) => T): T | undefined {
  try {
    const journal = viewRun(state, run);
    try {
      return read(journal);
    } finally {
      journal.close();
    }
  } catch (error) {
    if (error instanceof SvcError && !isPassing(error)) {
      return undefined;
    }
    throw error;
  }
}

const OWN = 'svc.';
const NOTES = 'note.';

function locked(files: RunFiles, run: string, open: () => DatabaseSync): Journal {
  const lock = lockRun(files, run);
  try {
    const db = open();
    return closeOnError(db, () =>
      createJournal(files, db, { lost: anchorOf(files, run), close: () => closeBoth(db, lock) }),
    );
  } catch (error) {
    lock.release();
    throw error;
  }
}

function anchorOf({ db, lock }: RunFiles, run: string): Anchor {
  return anchor(
    [db, `${db}-wal`, lock],
    `What was sent is recorded in the files that stood there. Put them back, then: svc runs resume ${run}`,
  );
}

function createJournal(files: RunFiles, db: DatabaseSync, hold: Pick<Journal, 'lost' | 'close'>): Journal {
  const own = createMeta(db, OWN);
  const notes = createMeta(db, NOTES);
  const header = () => own.read('header') as RunHeader;
  const amend = (change: HeaderChange) => {
    refuseLateChange(db, change);
    own.write({ header: { ...header(), ...change } });
  };
  return {
    run: basename(files.folder),
    folder: files.folder,
    files,
    db,
    units: createWriteRequests(db),
    get header() {
      return header();
    },
    get state() {
      return readState(own);
    },
    tally: (kind) => countRequests(db, kind),
    note: (key, value) => notes.write({ [key]: value }),
    read: (key) => notes.read(key),
    amend,
    setDestination: (destination) => amend({ destination }),
    setPhase: (phase) => own.write({ phase }),
    setStatus: (status, exitCode, endedAt) => own.write({ status, exitCode, endedAt }),
    saveReport: (report) => writePrivateFile(files.report, `${JSON.stringify(report, null, 2)}\n`),
    readReport: () => readJson(files.report),
    ...hold,
  };
}

function refuseLateChange(db: DatabaseSync, change: HeaderChange): void {
  const changesPlace = 'destination' in change || 'inputs' in change;
  if (changesPlace && db.prepare(`SELECT 1 FROM units WHERE kind <> 'creation' LIMIT 1`).get()) {
    throw new Error('the destination and the inputs of a run are fixed once something was sent');
  }
}

function findFiles(state: string, run: string): RunFiles {
  const files = runFiles(state, run);
  if (!isThere(files.folder)) {
    throw new SvcError(EXIT.usage, 'run_not_found', `no run ${run} in ${state}`, { hint: 'svc runs ls' });
  }
  return files;
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
    return isThere(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
  } catch (error) {
    throw error instanceof SyntaxError
      ? new SvcError(EXIT.failed, 'state_damaged', `damaged file: ${path}`)
      : storageError(error, dirname(path));
  }
}
