import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Phase } from '../../base/events.ts';
import { EXIT, type ExitCode, SvcError } from '../../base/lib/errors.ts';
import type { IdentityCheck } from '../../base/os/file-identity.ts';
import { pathExists, writePrivateFile } from '../../base/os/files.ts';
import { toStorageError } from '../../base/os/storage-error.ts';
import { countRequestRows, type RunCounts } from './counts.ts';
import type { RequestKind } from './recorded-request.ts';
import { createRequestJournal, type RequestJournal } from './request-journal.ts';
import { createMeta, type HeaderChange, type RunHeader, type RunState, readRunState } from './run-header.ts';
import { checkHeader } from './schema.ts';
import type { RunFiles } from './state-folder.ts';

/**
 * The record of one run, in its run.db. Each write is on disk when its method returns, except that
 * `requests.recordOutcome` may sync later.
 */
export interface Journal {
  readonly run: string;
  readonly files: RunFiles;
  /** The open run.db. Other modules have tables of their own in it. */
  readonly db: DatabaseSync;
  /** The header, with all changes so far. */
  readonly header: RunHeader;
  readonly state: RunState;
  readonly requests: RequestJournal;
  /** Returns an error if the files of the run were removed or replaced. Always undefined after `openJournalToRead`. */
  readonly problemIfLost: IdentityCheck;
  counts(kind?: RequestKind): RunCounts;
  /** Stores plain data under a name that the caller chooses. */
  writeNote(key: string, value: unknown): void;
  /** Reads the value that `writeNote` stored. Undefined if there is no such value. */
  readNote(key: string): unknown;
  /**
   * Changes the header. Throws if destination or inputs change after a request with rows was recorded, because the keys
   * of these requests depend on them. The request that creates the audience has no rows, so it does not count.
   */
  amendHeader(change: HeaderChange): void;
  setPhase(phase: Phase): void;
  /** Records how the run ended. The status of a resumed run is `running` again until it ends. */
  setStatus(status: string, exitCode: ExitCode, endedAt: number): void;
  saveReport(report: object): void;
  /** The saved report. Undefined if there is none. */
  readReport(): unknown;
  /** Closes the database and releases the run's lock. */
  close(): void;
}
const NOTES_PREFIX = 'note.';

export function journalOf(files: RunFiles, db: DatabaseSync, lock: Pick<Journal, 'problemIfLost' | 'close'>): Journal {
  const own = createMeta(db, JOURNAL_VALUE_PREFIX);
  const notes = createMeta(db, NOTES_PREFIX);
  let header: RunHeader | undefined;
  const readHeader = () => {
    header ??= checkHeader(own.read('header'), basename(files.folder));
    return header;
  };
  return {
    run: basename(files.folder),
    files,
    db,
    requests: createRequestJournal(db),
    get header() {
      return readHeader();
    },
    get state() {
      return readRunState(own);
    },
    counts: (kind) => countRequestRows(db, kind),
    writeNote: (key, value) => notes.write({ [key]: value }),
    readNote: (key) => notes.read(key),
    amendHeader(change) {
      refuseLateChange(db, change);
      const changed = { ...readHeader(), ...change };
      own.write({ header: changed });
      header = changed;
    },
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

function readJson(path: string): unknown {
  try {
    return pathExists(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
  } catch (error) {
    throw error instanceof SyntaxError
      ? new SvcError(EXIT.failed, 'state_damaged', `damaged file: ${path}`)
      : toStorageError(error, dirname(path));
  }
}

export const JOURNAL_VALUE_PREFIX = 'svc.';
