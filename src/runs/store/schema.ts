import type { DatabaseSync } from 'node:sqlite';
import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { transaction } from '../../base/os/sqlite.ts';

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

/** Creates the tables of a new run, and calls `first` to fill them, in one transaction. */
export function createSchema(db: DatabaseSync, first: () => void): void {
  transaction(db, () => {
    db.exec(TABLES);
    first();
    db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
  });
}

/** Throws for a run of a newer svc, and for a run that was killed before its first write. */
export function checkSchema(db: DatabaseSync, run: string): void {
  const version = Number(db.prepare('PRAGMA user_version').get()?.user_version);
  if (version > SCHEMA_VERSION) {
    throw new SvcError(EXIT.usage, 'newer_run', `${run} was written by a newer svc (journal version ${version})`, {
      hint: 'Update svc, then run the command again',
    });
  }
  if (version < SCHEMA_VERSION) {
    throw new SvcError(EXIT.usage, 'broken_run', `${run} has no journal; nothing was sent`, {
      hint: `svc runs delete ${run} --confirm ${run}`,
    });
  }
}
