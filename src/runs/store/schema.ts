import type { DatabaseSync } from 'node:sqlite';
import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { isRecord } from '../../base/lib/json.ts';
import { tableVersion, transaction } from '../../base/os/sqlite.ts';
import { STATE_DAMAGED_CODE } from '../../base/os/storage-error.ts';
import { HEADER_VERSION, type RunHeader } from './run-header.ts';

/** The version of the tables. run.db stores it as `user_version`. */
const SCHEMA_VERSION = 1;

const TABLES = `
  CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE units (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    key TEXT NOT NULL,
    generation INTEGER NOT NULL,
    rows INTEGER NOT NULL,
    first_sent_at INTEGER NOT NULL,
    state TEXT NOT NULL,
    answer TEXT,
    UNIQUE (kind, name)
  ) STRICT;
  CREATE INDEX units_unknown ON units (rows) WHERE state IN ('pending', 'doubt');
  CREATE TABLE failures (
    unit INTEGER NOT NULL REFERENCES units (id),
    source INTEGER NOT NULL,
    line INTEGER NOT NULL,
    code TEXT NOT NULL,
    detail TEXT
  ) STRICT;
  CREATE INDEX failures_by_unit ON failures (unit);
  CREATE INDEX failures_by_place ON failures (source, line);
`;

/** Creates the tables of a new run, and calls `writeFirst` to fill them, in one transaction. */
export function createSchema(db: DatabaseSync, writeFirst: () => void): void {
  transaction(db, () => {
    db.exec(TABLES);
    writeFirst();
    db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
  });
}

/** Throws for a run of a newer svc, and for a run that was killed before its first write. */
export function checkSchema(db: DatabaseSync, run: string): void {
  const version = tableVersion(db);
  if (version > SCHEMA_VERSION) {
    throw newerRunError(run, `journal version ${version}`);
  }
  if (version < SCHEMA_VERSION) {
    throw new SvcError(
      EXIT.usage,
      'broken_run',
      `${run} has no journal. It sent nothing, unless a file of it was deleted`,
      {
        hint: `svc runs delete ${run} --confirm ${run}`,
      },
    );
  }
}

/**
 * Throws for a damaged header. Also throws for the header of a newer svc, because its options may have another meaning.
 */
export function checkHeader(header: unknown, run: string): RunHeader {
  const version = isRecord(header) ? header.version : undefined;
  if (typeof version !== 'number') {
    throw new SvcError(EXIT.failed, STATE_DAMAGED_CODE, `the record of ${run} is damaged`, {
      hint: 'svc runs ls shows which runs can still be read',
    });
  }
  if (version > HEADER_VERSION) {
    throw newerRunError(run, `header version ${version}`);
  }
  // The cast is safe, because svc itself wrote a header of this version.
  return header as unknown as RunHeader;
}

function newerRunError(run: string, version: string): SvcError {
  return new SvcError(EXIT.usage, 'newer_run', `${run} was written by a newer svc (${version})`, {
    hint: 'Update svc, then run the command again',
  });
}
