import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { EXIT, errorMessage, SvcError } from '../../base/lib/errors.ts';
import { terminalSafe } from '../../base/lib/text.ts';
import { createFolders } from '../../base/os/files.ts';
import { cachedStatement, tableVersion } from '../../base/os/sqlite.ts';
import { type AddressIndex, createAddressIndex } from './address-index.ts';

/** The database of one emulator. Each SQL text is prepared only once. The calling code names the type of the rows. */
export interface Store {
  get<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined;
  all<Row>(sql: string, ...values: SQLInputValue[]): Row[];
  /** Runs an SQL text that writes. `id` is the row number of the row that was inserted last. */
  run(sql: string, ...values: SQLInputValue[]): { readonly id: number };
  readonly addresses: AddressIndex;
  /** Runs `work` in a transaction. Inside another transaction, it becomes a part of that one. */
  transaction<T>(work: () => T): T;
  close(): void;
}

// With an empty file name, SQLite makes a temporary database: in memory while it is small, later in a file without a
// name.
const TEMPORARY = '';

/** Opens the store in the folder `dataDir`, or a temporary store. Creates a missing folder with mode 0700. */
export function openStore(dataDir: string | undefined): Store {
  try {
    return createStore(openDatabase(dataDir));
  } catch (cause) {
    const reason = isFile(dataDir) ? 'it is not a folder' : errorMessage(cause);
    throw new SvcError(
      EXIT.usage,
      'emulator_data',
      `the emulator can't use the data in ${terminalSafe(dataDir ?? '')}: ${reason}`,
      {
        hint: 'Name another folder with --data, or with --emulator-data.',
        cause,
      },
    );
  }
}

function isFile(path: string | undefined): boolean {
  return path !== undefined && statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function openDatabase(dataDir: string | undefined): DatabaseSync {
  const db = new DatabaseSync(dataDir === undefined ? TEMPORARY : prepareFile(dataDir), { timeout: 5_000 });
  assertLayout(db);
  // A commit of a temporary database goes through all pages that changed. Larger pages are fewer, so the commit is
  // faster.
  db.exec('pragma page_size = 8192');
  // A write-ahead log would write each new contact twice.
  db.exec(`pragma journal_mode = ${dataDir === undefined ? 'memory' : 'truncate'}`);
  // SQLite does not wait for the disk. A kill still loses nothing. Only a power cut could damage the store.
  db.exec('pragma synchronous = off; pragma cache_size = -16384');
  db.exec(SCHEMA);
  db.exec(`pragma user_version = ${LAYOUT_VERSION}`);
  return db;
}

/** The version of the tables below. svc refuses a store with another version. */
const LAYOUT_VERSION = 3;

function assertLayout(db: DatabaseSync): void {
  const isFilled = db.prepare('select 1 from sqlite_master limit 1').get() !== undefined;
  if (isFilled && tableVersion(db) !== LAYOUT_VERSION) {
    db.close();
    throw new RangeError('it was made by another version of this program');
  }
}

/** The file of the store in a data folder. */
export function storeFile(dataDir: string): string {
  return join(dataDir, 'emulator.db');
}

function prepareFile(dataDir: string): string {
  createFolders(dataDir);
  chmodSync(dataDir, 0o700);
  const file = storeFile(dataDir);
  new DatabaseSync(file).close();
  chmodSync(file, 0o600);
  return file;
}

function createStore(db: DatabaseSync): Store {
  const rows = {
    get: <Row>(sql: string, ...values: SQLInputValue[]) => cachedStatement(db, sql).get(...values) as Row | undefined,
    all: <Row>(sql: string, ...values: SQLInputValue[]) => cachedStatement(db, sql).all(...values) as Row[],
    run: (sql: string, ...values: SQLInputValue[]) => ({
      id: Number(cachedStatement(db, sql).run(...values).lastInsertRowid),
    }),
  };
  const addresses = createAddressIndex(rows);
  return {
    ...rows,
    addresses,
    transaction: (work) => (db.isTransaction ? work() : inTransaction(db, work, addresses.onTransactionEnd)),
    close() {
      if (db.isOpen) {
        db.close();
      }
    },
  };
}

function inTransaction<T>(db: DatabaseSync, work: () => T, onTransactionEnd: (isCommitted: boolean) => void): T {
  db.exec('begin immediate');
  try {
    const result = work();
    db.exec('commit');
    onTransactionEnd(true);
    return result;
  } catch (error) {
    db.exec('rollback');
    onTransactionEnd(false);
    throw error;
  }
}

/**
 * The tables of the emulated service. AUTOINCREMENT never uses a number again, so an id is unique, and a larger `seq`
 * is always newer. Times are in milliseconds since the epoch. JSON columns are text.
 */
const SCHEMA = `
create table if not exists meta (name text primary key, value text not null) without rowid;
create table if not exists organizations (
  seq integer primary key autoincrement, plan text not null, members text not null default '[]', domains text not null default '["*"]',
  sending_disabled integer not null default 0, forbidden integer not null default 0, allowance integer);
create table if not exists sent_emails (
  organization integer not null, month text not null, count integer not null, primary key (organization, month)) without rowid;
create table if not exists keys (
  seq integer primary key autoincrement, organization integer not null, hash text not null unique, scopes text not null, revoked integer not null default 0);
create table if not exists audiences (
  seq integer primary key autoincrement, organization integer not null, name text not null, subscribed integer not null default 0,
  unsubscribed integer not null default 0, total integer not null default 0, created_at integer not null, updated_at integer not null);
create table if not exists contacts (
  seq integer primary key autoincrement, audience integer not null, email text not null, first_name text, last_name text, status text not null,
  unsubscribed_at integer, attributes text not null default '{}', topics text not null default '{}', created_at integer not null, updated_at integer not null);
create table if not exists contact_series (last integer primary key, first integer not null, audience integer not null, tags blob not null);
create unique index if not exists contact_series_audience on contact_series (audience, first);
create table if not exists fields (audience integer not null, key text not null, created_at integer not null, primary key (audience, key)) without rowid;
create table if not exists suppressions (
  seq integer primary key autoincrement, organization integer not null, email text not null, reason text not null, created_at integer not null);
create unique index if not exists suppressions_email on suppressions (organization, email);
create table if not exists automations (
  seq integer primary key autoincrement, organization integer not null, audience integer not null, name text not null, status text not null, trigger text not null,
  live_version integer, sandbox integer not null default 0, reentry text not null, entry_filter text, unusable integer not null default 0,
  created_at integer not null, updated_at integer not null);
create table if not exists enrollments (
  seq integer primary key autoincrement, automation integer not null, email text not null, state text not null, source text not null, created_at integer not null);
create index if not exists enrollments_person on enrollments (automation, email);
create table if not exists claims (
  seq integer primary key autoincrement, scope text not null, key text not null, fingerprint blob not null, state text not null,
  status integer, body blob, claimed_at integer not null, created_at integer not null);
create unique index if not exists claims_key on claims (scope, key);
create table if not exists emails (
  seq integer primary key autoincrement, organization integer not null, recipients text not null, subject text not null, status text not null,
  provider_message_id text not null, created_at integer not null);
create table if not exists campaigns (
  seq integer primary key autoincrement, organization integer not null, audience integer not null, status text not null, subject text not null, sender text not null,
  html text, text text, send_at integer, recipients integer, created_at integer not null, updated_at integer not null);
create table if not exists webhooks (
  seq integer primary key autoincrement, organization integer not null, url text not null, description text not null, events text not null, status text not null,
  secret text not null, consecutive_failures integer not null default 0, last_success_at integer, last_failure_at integer, last_error text, created_at integer not null);
create table if not exists events (
  seq integer primary key autoincrement, organization integer not null, type text not null, payload text not null, created_at integer not null);
create table if not exists deliveries (
  seq integer primary key autoincrement, webhook integer not null, event integer not null, event_type text not null, status text not null, attempt integer not null,
  response_status integer, error text, duration_ms integer, next_attempt_at integer, delivered_at integer, created_at integer not null);
create index if not exists deliveries_webhook on deliveries (webhook, seq);
create index if not exists deliveries_due on deliveries (next_attempt_at) where next_attempt_at is not null;
create index if not exists deliveries_queue on deliveries (webhook, next_attempt_at) where next_attempt_at is not null;
create index if not exists deliveries_event on deliveries (event);
create table if not exists jobs (seq integer primary key autoincrement, due_at integer not null, kind text not null, payload text not null);
create index if not exists jobs_due on jobs (due_at);
`;
