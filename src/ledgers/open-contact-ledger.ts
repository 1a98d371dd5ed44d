import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { sha256Hex } from '../base/lib/hash.ts';
import { looseNameKey } from '../base/lib/text.ts';
import { pathExists } from '../base/os/files.ts';
import { openDatabase } from '../base/os/sqlite.ts';
import { createMeta } from '../runs/store/run-header.ts';
import { createStateFolder, namesInFolder, stateFolderLayout } from '../runs/store/state-folder.ts';
import { type ContactLedger, createLedger, type LedgerLocation } from './contact-ledger.ts';
import {
  createLedgerFile,
  hasLedgerTables,
  LEDGER_ID,
  type LedgerProblem,
  openLedgerFile,
  throwUnlessDamaged,
} from './ledger-file.ts';
import { createLedgerCodec, type LedgerCodec, makeLedgerKey, readLedgerKey } from './ledger-key.ts';

/**
 * Opens the ledger of an audience. Creates an empty one if there is none. If the file can't be used, or if `damaged`
 * has its id because entries are damaged, sets the file aside and creates an empty ledger too. With an empty ledger all
 * people are sent again (G3). Records the name of the audience for `findLedgerOfSameName`.
 */
export function openContactLedger(
  location: LedgerLocation & { readonly audienceName?: string | undefined },
  randomHex: (length: number) => string,
  damaged?: { readonly id?: string | undefined },
): ContactLedger {
  createStateFolder(location.stateFolder);
  const codec = codecOf(location, makeLedgerKey(location.stateFolder, randomHex));
  const path = ledgerPath(location);
  const db = openUndamaged(path, codec, damaged) ?? createLedgerFile(path, codec, randomHex(ID_DIGITS));
  const meta = createMeta(db, '');
  if (meta.read(LEDGER_ID) === undefined) {
    meta.write({ [LEDGER_ID]: randomHex(ID_DIGITS) });
  }
  if (location.audienceName !== undefined) {
    recordAudience(db, {
      id: location.audienceId,
      name: nameHash(location.origin, looseNameKey(location.audienceName)),
    });
  }
  return createLedger(db, codec);
}

const ID_DIGITS = 16;

function openUndamaged(
  path: string,
  codec: LedgerCodec,
  damaged: { readonly id?: string | undefined } | undefined,
): DatabaseSync | undefined {
  const opened = openLedgerFile(path, codec);
  if (!('db' in opened)) {
    return undefined;
  }
  if (damaged === undefined || createMeta(opened.db, '').read(LEDGER_ID) !== damaged.id) {
    return opened.db;
  }
  opened.db.close();
  return undefined;
}

/**
 * The audience of a ledger. `name` is a hash, because a copied ledger must not show the name. The hash is of the name's
 * `looseNameKey`. An earlier version of svc hashed the exact name.
 */
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

interface AudienceName {
  readonly origin: string;
  readonly name: string;
}

/**
 * The id of another audience to which this machine sent a list, with this name or one that looks like it. Undefined if
 * there is no such audience.
 */
export function findLedgerOfSameName(
  stateFolder: string,
  { id, ...audience }: AudienceName & { readonly id: string | undefined },
): string | undefined {
  return findLedgersOfName(stateFolder, audience).find((other) => other !== id);
}

/**
 * The ids of all audiences to which this machine sent a list, with this name or one that looks like it. svc looks in
 * the ledgers, because a ledger is never pruned, unlike a run.
 */
export function findLedgersOfName(stateFolder: string, { origin, name }: AudienceName): string[] {
  const { ledgers } = stateFolderLayout(stateFolder);
  const paths = namesInFolder(ledgers).filter(isContactLedger);
  const hashes = [looseNameKey(name), name].map((one) => nameHash(origin, one));
  return paths
    .map((path) => sentAudienceOf(join(ledgers, path)))
    .flatMap((audience) => (audience !== undefined && hashes.includes(audience.name) ? [audience.id] : []));
}

function isContactLedger(name: string): boolean {
  return /^contacts-[0-9a-f]+\.db$/.test(name);
}

/** The audience of a ledger that has people. Undefined if the ledger is empty or damaged. */
function sentAudienceOf(path: string): LedgerAudience | undefined {
  try {
    const db = openDatabase(path);
    try {
      const hasPeople = hasLedgerTables(db) && db.prepare('SELECT 1 FROM people LIMIT 1').get() !== undefined;
      return hasPeople ? (createMeta(db, '').read(AUDIENCE) as LedgerAudience | undefined) : undefined;
    } finally {
      db.close();
    }
  } catch (cause) {
    throwUnlessDamaged(cause, path);
    return undefined;
  }
}

/** The ledger of an audience, or why it can't be used. */
export type FoundLedger = { readonly ledger: ContactLedger } | { readonly problem: LedgerProblem };

/** Opens the ledger of an audience. Creates, replaces and deletes none. */
export function lookUpContactLedger(location: LedgerLocation): FoundLedger {
  const path = ledgerPath(location);
  const key = readLedgerKey(location.stateFolder);
  if (key === undefined && pathExists(path)) {
    return { problem: 'no_key' };
  }
  const codec = codecOf(location, key ?? '');
  const opened = openLedgerFile(path, codec);
  return 'db' in opened ? { ledger: createLedger(opened.db, codec) } : opened;
}

/** Like `lookUpContactLedger`, but undefined if there is none, or if the file can't be used. */
export function findContactLedger(location: LedgerLocation): ContactLedger | undefined {
  const found = lookUpContactLedger(location);
  return 'ledger' in found ? found.ledger : undefined;
}

function codecOf({ origin, audienceId }: LedgerLocation, key: string): LedgerCodec {
  return createLedgerCodec(key, `${origin}\n${audienceId}`);
}

function ledgerPath({ stateFolder, origin, audienceId }: LedgerLocation): string {
  const name = sha256Hex(`${origin}\n${audienceId}`).slice(0, 32);
  return join(stateFolderLayout(stateFolder).ledgers, `contacts-${name}.db`);
}
