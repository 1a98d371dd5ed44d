import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { rewordError, type SvcError } from '../base/lib/errors.ts';
import { sha256Hex } from '../base/lib/hash.ts';
import { pathExists } from '../base/os/files.ts';
import { openDatabase, readClosedDatabase, transaction } from '../base/os/sqlite.ts';
import { STATE_DAMAGED_CODE, toSvcError } from '../base/os/storage-error.ts';
import { namesInFolder, stateFolderLayout } from '../runs/store/state-folder.ts';

/** What an enrollment ledger is about: an automation, and the origin under which svc reached it. */
export interface EnrollmentPlace {
  readonly origin: string;
  readonly automationId: string;
}

/** A ledger that holds people: the origin that it is about, and the path of its file. */
export interface LedgerElsewhere {
  readonly origin: string;
  readonly path: string;
}

const PLACE_TABLE = 'CREATE TABLE IF NOT EXISTS place (origin TEXT PRIMARY KEY, automation TEXT NOT NULL) STRICT';

/** The name of the ledger file. It is a hash, so only the content of the ledger shows which automation it is about. */
export function ledgerFileName({ origin, automationId }: EnrollmentPlace): string {
  return `${sha256Hex(`${origin}\n${automationId}`).slice(0, 32)}.db`;
}

/** Records in a ledger what it is about, so that svc finds it under another origin too. */
export function recordPlace(db: DatabaseSync, { origin, automationId }: EnrollmentPlace): void {
  if (readPlace(db) === undefined) {
    transaction(db, () => {
      db.exec(PLACE_TABLE);
      db.prepare('INSERT OR IGNORE INTO place (origin, automation) VALUES (?, ?)').run(origin, automationId);
    });
  }
}

function readPlace(db: DatabaseSync): EnrollmentPlace | undefined {
  if (!hasTable(db, 'place')) {
    return undefined;
  }
  const row = db.prepare('SELECT origin, automation FROM place').get();
  return row && { origin: String(row.origin), automationId: String(row.automation) };
}

function hasTable(db: DatabaseSync, name: string): boolean {
  return db.prepare(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`).get(name) !== undefined;
}

/** Places that the recorded runs show. A ledger of an earlier version does not record its own place. */
interface KnownPlaces {
  readonly origins: readonly string[];
  /** The places of recorded enrollments. */
  readonly enrollments: readonly EnrollmentPlace[];
}

/**
 * The ledgers of this automation under other origins, if they hold people. A ledger of an earlier version does not say
 * what it is about. svc finds it by its file name, if its origin is known or is another name of this machine. Throws
 * for a damaged ledger, unless its file name or its own record shows that it is about another automation.
 */
export function findLedgersElsewhere(
  stateFolder: string,
  place: EnrollmentPlace,
  { origins: knownOrigins, enrollments }: KnownPlaces,
): LedgerElsewhere[] {
  const { ledgers } = stateFolderLayout(stateFolder);
  const { automationId } = place;
  const ofOthers = enrollments.filter((one) => one.automationId !== automationId).map(ledgerFileName);
  const skipped = new Set([ledgerFileName(place), ...ofOthers]);
  const origins = [...knownOrigins, ...[place.origin, ...knownOrigins].flatMap(namesOfThisMachine)];
  const byName = new Map(origins.map((origin) => [ledgerFileName({ origin, automationId }), origin]));
  return namesInFolder(ledgers)
    .filter((name) => /^[0-9a-f]{32}\.db$/.test(name) && !skipped.has(name))
    .flatMap((name) => {
      const path = join(ledgers, name);
      const { about, hasPeople } = readLedger(path, automationId);
      const origin = about?.automationId === automationId ? about.origin : byName.get(name);
      return origin === undefined || !hasPeople ? [] : [{ origin, path }];
    });
}

/** True if this place has a ledger that holds people. */
export function hasLedgerWithPeople(stateFolder: string, place: EnrollmentPlace): boolean {
  const path = join(stateFolderLayout(stateFolder).ledgers, ledgerFileName(place));
  return pathExists(path) && readLedger(path, place.automationId).hasPeople;
}

/** Reads what a ledger is about, and whether it holds people. Reads no people of another automation. */
function readLedger(path: string, automationId: string) {
  const read = (db: DatabaseSync) => {
    const about = readPlace(db);
    const isOther = about !== undefined && about.automationId !== automationId;
    return { about, hasPeople: !isOther && holdsPeople(db) };
  };
  try {
    const closed = readClosedDatabase(path, read);
    return closed ? closed.result : readOpenLedger(path, read);
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

function readOpenLedger<T>(path: string, read: (db: DatabaseSync) => T): T {
  const db = openDatabase(path);
  try {
    return read(db);
  } finally {
    db.close();
  }
}

/** The error for a ledger that can't be read. It may be about this automation, so nothing may be sent (D9). */
function unreadable(path: string, cause: unknown): SvcError {
  const problem = toSvcError(cause);
  const message = `nothing was sent: the record of enrolled people in ${path} can't be read: ${problem.message}`;
  const restore = `Run the same command again. If this error comes back, restore ${path} from a backup.`;
  return rewordError(problem, { message, hint: problem.code === STATE_DAMAGED_CODE ? restore : problem.hint });
}

function holdsPeople(db: DatabaseSync): boolean {
  const hasRows = (table: string) =>
    hasTable(db, table) && db.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() !== undefined;
  return hasRows('entries') || hasRows('attempts');
}

const THIS_MACHINE = ['localhost', '127.0.0.1', '[::1]'];

/** The same base URL under the other names of this machine. Empty if the base URL is on another machine. */
function namesOfThisMachine(origin: string): string[] {
  const url = URL.parse(origin);
  return url && THIS_MACHINE.includes(url.hostname)
    ? THIS_MACHINE.map((name) => origin.replace(`//${url.hostname}`, `//${name}`))
    : [];
}
