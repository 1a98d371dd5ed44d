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
import { createStateFolder, namesInFolder, stateFolderLayout } from './store/state-folder.ts';

/**
 * Opens the ledger of an audience. Creates an empty one if there is none, or if the file can't be used. With an empty
 * ledger all people are sent again, which does no harm (G3). Records the name of the audience for
 * `findLedgerOfSameName`.
 */
export function openContactLedger(
  location: LedgerLocation & { readonly audienceName?: string | undefined },
  randomHex: (length: number) => string,
): ContactLedger {
  createStateFolder(location.stateFolder);
  const codec = codecOf(location, makeLedgerKey(location.stateFolder, randomHex));
  const path = ledgerPath(location);
  const db = openIfUsable(path, codec) ?? replaceWithEmpty(path, codec);
  if (location.audienceName !== undefined) {
    recordAudience(db, { id: location.audienceId, name: nameHash(location.origin, location.audienceName) });
  }
  return createLedger(db, codec);
}

/** The audience of a ledger. Its name is hashed, because a copied ledger must not show it. */
interface LedgerAudience {
  readonly id: string;
  readonly name: string;
}

const AUDIENCE = 'audience';

function recordAudience(db: DatabaseSync, { id, name }: LedgerAudience): void {
  const meta = createMeta(db, '');
  const recorded = meta.read(AUDIENCE) as LedgerAudience | undefined;
  if (recorded?.name !== name) {
    meta.write({ [AUDIENCE]: { id, name } satisfies LedgerAudience });
  }
}

function nameHash(origin: string, name: string): string {
  return sha256Hex(`${origin}\n${name}`);
}

/**
 * The id of another audience of this name to which this machine sent a list, by its ledger. Unlike a run, a ledger is
 * never pruned. Undefined if there is none.
 */
export function findLedgerOfSameName(
  stateFolder: string,
  { origin, name, id }: { readonly origin: string; readonly name: string; readonly id: string | undefined },
): string | undefined {
  const { ledgers } = stateFolderLayout(stateFolder);
  const paths = namesInFolder(ledgers).filter(isContactLedger);
  return paths
    .map((path) => sentAudienceOf(join(ledgers, path)))
    .find((audience) => audience?.name === nameHash(origin, name) && audience.id !== id)?.id;
}

function isContactLedger(name: string): boolean {
  return /^contacts-[0-9a-f]+\.db$/.test(name);
}

/** The audience of a ledger that has people. Undefined if the ledger is empty or damaged. */
function sentAudienceOf(path: string): LedgerAudience | undefined {
  try {
    const db = openDatabase(path);
    try {
      const hasPeople = db.prepare('SELECT 1 FROM people LIMIT 1').get() !== undefined;
      return hasPeople ? (createMeta(db, '').read(AUDIENCE) as LedgerAudience | undefined) : undefined;
    } finally {
      db.close();
    }
  } catch (cause) {
    throwUnlessDamaged(cause, path);
    return undefined;
  }
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
