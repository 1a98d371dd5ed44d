import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { type AddressIndex, createAddressIndex } from './address-index.ts';
import { SCHEMA } from './schema.ts';

/** The database of one emulator: prepared once per text of SQL, rows typed by the caller that wrote the query. */
export interface Store {
  get<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined;
  all<Row>(sql: string, ...values: SQLInputValue[]): Row[];
  /** Runs a write; `id` is the number of the row it inserted. */
  run(sql: string, ...values: SQLInputValue[]): { readonly id: number; readonly changes: number };
  /** Where contacts are found by address. */
  readonly addresses: AddressIndex;
  /** Everything in `work` happens or nothing does. Inside another transaction it joins that one. */
  transaction<T>(work: () => T): T;
  close(): void;
}

// An empty file name is SQLite's temporary database: in memory while small, in a nameless file once it isn't.
const TEMPORARY = '';

/** Opens the store in `dataDir` (made 0700 when missing), or a temporary one that goes when it is closed. */
export function openStore(dataDir: string | undefined): Store {
  try {
    return createStore(openDatabase(dataDir));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'unknown';
    throw new SvcError(EXIT.usage, 'emulator_data', `the emulator's data in ${dataDir} can't be used: ${reason}`, {
      cause,
    });
  }
}

function openDatabase(dataDir: string | undefined): DatabaseSync {
  const db = new DatabaseSync(dataDir === undefined ? TEMPORARY : prepareFile(dataDir), { timeout: 5_000 });
  assertLayout(db);
  // A commit of a temporary database walks all of its changed pages, up to a quarter of the cache: fewer and larger ones.
  db.exec('pragma page_size = 8192');
  db.exec(`pragma journal_mode = ${dataDir === undefined ? 'memory' : 'wal'}`);
  // A killed process loses nothing at NORMAL; only a power cut could take the last commits.
  db.exec('pragma synchronous = normal; pragma cache_size = -16384; pragma wal_autocheckpoint = 4000');
  db.exec(SCHEMA);
  db.exec(`pragma user_version = ${LAYOUT}`);
  return db;
}

/** Number of the layout in schema.ts; a store of another one can't be read. */
const LAYOUT = 1;

function assertLayout(db: DatabaseSync): void {
  const version = db.prepare('pragma user_version').get()?.user_version;
  const filled = db.prepare('select 1 from sqlite_master limit 1').get() !== undefined;
  if (filled && version !== LAYOUT) {
    db.close();
    throw new RangeError('it was made by another version of this program');
  }
}

function prepareFile(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  chmodSync(dataDir, 0o700);
  const file = join(dataDir, 'emulator.db');
  new DatabaseSync(file).close();
  chmodSync(file, 0o600);
  return file;
}

function createStore(db: DatabaseSync): Store {
  const prepared = new Map<string, StatementSync>();
  const statement = (sql: string): StatementSync => {
    const known = prepared.get(sql);
    if (known) {
      return known;
    }
    const made = db.prepare(sql);
    prepared.set(sql, made);
    return made;
  };
  const rows = {
    get: <Row>(sql: string, ...values: SQLInputValue[]) => statement(sql).get(...values) as Row | undefined,
    all: <Row>(sql: string, ...values: SQLInputValue[]) => statement(sql).all(...values) as Row[],
    run(sql: string, ...values: SQLInputValue[]) {
      const { lastInsertRowid, changes } = statement(sql).run(...values);
      return { id: Number(lastInsertRowid), changes: Number(changes) };
    },
  };
  const addresses = createAddressIndex(rows);
  return {
    ...rows,
    addresses,
    transaction: (work) => (db.isTransaction ? work() : inTransaction(db, work, addresses.ended)),
    close() {
      if (db.isOpen) {
        db.close();
      }
    },
  };
}

function inTransaction<T>(db: DatabaseSync, work: () => T, ended: (committed: boolean) => void): T {
  db.exec('begin immediate');
  try {
    const result = work();
    db.exec('commit');
    ended(true);
    return result;
  } catch (error) {
    db.exec('rollback');
    ended(false);
    throw error;
  }
}
