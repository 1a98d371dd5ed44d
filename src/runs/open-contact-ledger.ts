import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { SvcError } from '../base/lib/errors.ts';
import { sha256Hex } from '../base/lib/hash.ts';
import { pathExists } from '../base/os/files.ts';
import { openDatabase, tableVersion, transaction } from '../base/os/sqlite.ts';
import { toStorageError } from '../base/os/storage-error.ts';
import { type ContactLedger, createLedger, type LedgerLocation } from './contact-ledger.ts';
import { createLedgerCodec, type LedgerCodec, makeLedgerKey, readLedgerKey } from './ledger-key.ts';
import { LIST_MEMBERS_TABLE } from './list-members.ts';
import { createMeta } from './store/run-header.ts';
import { createStateFolder, stateFolderLayout } from './store/state-folder.ts';

/**
 * Opens the ledger of an audience. Creates an empty one if there is none, or if the file can't be used. With an empty
 * ledger all people are sent again, which does no harm (G3).
 */
export function openContactLedger(location: LedgerLocation, randomHex: (length: number) => string): ContactLedger {
  createStateFolder(location.stateFolder);
  const codec = codecOf(location, makeLedgerKey(location.stateFolder, randomHex));
  const path = ledgerPath(location);
  const db = openIfUsable(path, codec) ?? replaceWithEmpty(path, codec);
  return createLedger(db, codec);
}

/** Opens the ledger of an audience, and creates none. Undefined if there is none, or if the file can't be used. */
export function findContactLedger(location: LedgerLocation): ContactLedger | undefined {
  const path = ledgerPath(location);
  const key = pathExists(path) ? readLedgerKey(location.stateFolder) : undefined;
  const codec = key === undefined ? undefined : codecOf(location, key);
  const db = codec && openIfUsable(path, codec);
  return db && codec && createLedger(db, codec);
}

function codecOf({ origin, audienceId }: LedgerLocation, key: string): LedgerCodec {
  return createLedgerCodec(key, `${origin}\n${audienceId}`);
}

function ledgerPath({ stateFolder, origin, audienceId }: LedgerLocation): string {
  const name = sha256Hex(`${origin}\n${audienceId}`).slice(0, 32);
  return join(stateFolderLayout(stateFolder).ledgers, `contacts-${name}.db`);
}

const LEDGER_VERSION = 2;
const FINGERPRINT = 'key';

const TABLES = `
  CREATE TABLE people (
    person BLOB PRIMARY KEY,
    address BLOB NOT NULL,
    content BLOB,
    list INTEGER NOT NULL,
    missing_since INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  ${LIST_MEMBERS_TABLE};
  PRAGMA user_version = ${LEDGER_VERSION}`;

/** Opens a ledger file. Undefined if it is missing, damaged, of another version, or made with another key. */
function openIfUsable(path: string, codec: LedgerCodec): DatabaseSync | undefined {
  if (!pathExists(path)) {
    return undefined;
  }
  let db: DatabaseSync | undefined;
  try {
    db = openDatabase(path);
    if (isUsable(db, codec)) {
      db.exec(LIST_MEMBERS_TABLE);
      return db;
    }
  } catch (cause) {
    db?.close();
    throwUnlessDamaged(cause, path);
    return undefined;
  }
  db.close();
  return undefined;
}

/** Throws the error, except for a damaged ledger, which an empty one replaces (G3). */
function throwUnlessDamaged(cause: unknown, path: string): void {
  const error = toStorageError(cause, path);
  if (!(error instanceof SvcError) || error.code !== 'state_damaged') {
    throw error;
  }
}

function isUsable(db: DatabaseSync, codec: LedgerCodec): boolean {
  const isWhole = Object.values(db.prepare('PRAGMA quick_check(1)').get() ?? {})[0] === 'ok';
  return tableVersion(db) === LEDGER_VERSION && isWhole && createMeta(db, '').read(FINGERPRINT) === codec.fingerprint;
}

function replaceWithEmpty(path: string, codec: LedgerCodec): DatabaseSync {
  try {
    for (const file of [path, `${path}-wal`, `${path}-shm`]) {
      rmSync(file, { force: true });
    }
  } catch (error) {
    throw toStorageError(error, path);
  }
  const db = openDatabase(path, { create: true });
  transaction(db, () => {
    db.exec(TABLES);
    createMeta(db, '').write({ [FINGERPRINT]: codec.fingerprint });
  });
  return db;
}
