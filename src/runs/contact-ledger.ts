import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { SvcError } from '../base/lib/errors.ts';
import { sha256Hex } from '../base/lib/hash.ts';
import { pathExists } from '../base/os/files.ts';
import { eachRow, openDatabase, type SqlRow, transaction, unsyncedTransaction } from '../base/os/sqlite.ts';
import { storageError } from '../base/os/storage-error.ts';
import { createLedgerCodec, type LedgerCodec, makeLedgerKey, readLedgerKey } from './ledger-key.ts';
import { prepareState, stateLayout } from './state-folder.ts';
import { createMeta } from './store/header.ts';

/**
 * What the service last accepted from this machine, for each person of an audience. It outlives runs, and holds keyed
 * hashes and encrypted addresses (G1). Call `forget` before the first byte of a request, and `accept` after its
 * response is in the journal. After a kill in between, the content of these people is unknown, and they are sent again
 * (G2).
 */
export interface ContactLedger extends Pick<LedgerCodec, 'person' | 'content'> {
  /** The open database, from which `readIndex` makes an index. */
  readonly db: DatabaseSync;
  /** Makes the content of these people unknown. With `list`, also records them as people of that list. */
  forget(emails: readonly string[], list: number | undefined): void;
  /** Forgets the content of every person, because the accepted content can't be trusted. */
  forgetAll(): void;
  accept(people: readonly { readonly email: string; readonly json: string }[]): void;
  /** The entry whose hash begins with these bytes. Undefined if it is damaged. */
  find(prefix: Uint8Array): LedgerPerson | undefined;
  /**
   * Records that these people are missing in the last list. Their content becomes unknown: they may be deleted by hand,
   * so they are sent if they come back.
   */
  setMissing(emails: Iterable<string>, since: number): void;
  /** Records that these people are in the last list. */
  setPresent(emails: Iterable<string>): void;
  /** People who are missing in the latest lists. */
  missing(): Generator<LedgerPerson>;
  remove(emails: Iterable<string>): void;
  /** The value that `setLists` stored: plain data about the lists. */
  readonly lists: unknown;
  setLists(value: unknown): void;
  /** The number of people of each list. */
  counts(): ReadonlyMap<number, number>;
  /** Moves the people of the list `from` to the list `to`. */
  move(from: number, to: number): void;
  close(): void;
}

export interface LedgerPerson {
  readonly email: string;
  /** The list that last sent the person. */
  readonly list: number;
  /** When the person was first missing, in milliseconds since the epoch. */
  readonly missingSince: number | undefined;
}

/** The place of a ledger. The audience belongs to one account, so origin and audience name the account too. */
export interface LedgerPlace {
  readonly state: string;
  readonly origin: string;
  readonly audienceId: string;
}

/**
 * Opens the ledger of an audience, and makes one if there is none. A ledger that can't be used is emptied: then every
 * person is sent again, which is safe (G3).
 */
export function openContactLedger(place: LedgerPlace, randomHex: (length: number) => string): ContactLedger {
  prepareState(place.state);
  const codec = codecOf(place, makeLedgerKey(place.state, randomHex));
  const path = ledgerPath(place);
  const db = openUsable(path, codec) ?? createAnew(path, codec);
  return createLedger(db, codec);
}

/** Opens the ledger of an audience only if there is one that can be used. */
export function findContactLedger(place: LedgerPlace): ContactLedger | undefined {
  const path = ledgerPath(place);
  const key = pathExists(path) ? readLedgerKey(place.state) : undefined;
  const codec = key === undefined ? undefined : codecOf(place, key);
  const db = codec && openUsable(path, codec);
  return db && codec && createLedger(db, codec);
}

function codecOf({ origin, audienceId }: LedgerPlace, key: string): LedgerCodec {
  return createLedgerCodec(key, `${origin}\n${audienceId}`);
}

function ledgerPath({ state, origin, audienceId }: LedgerPlace): string {
  const name = sha256Hex(`${origin}\n${audienceId}`).slice(0, 32);
  return join(stateLayout(state).ledgers, `contacts-${name}.db`);
}

const VERSION = 2;
const FINGERPRINT = 'key';
const LISTS = 'lists';

const TABLES = `
  CREATE TABLE people (
    person BLOB PRIMARY KEY,
    address BLOB NOT NULL,
    content BLOB,
    list INTEGER NOT NULL,
    missing_since INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  PRAGMA user_version = ${VERSION}`;

/** Undefined if the file is missing, damaged, of another version, or made with another key. */
function openUsable(path: string, codec: LedgerCodec): DatabaseSync | undefined {
  if (!pathExists(path)) {
    return undefined;
  }
  let db: DatabaseSync | undefined;
  try {
    db = openDatabase(path);
    if (isUsable(db, codec)) {
      return db;
    }
  } catch (cause) {
    const error = storageError(cause, path);
    if (!(error instanceof SvcError) || error.code !== 'state_damaged') {
      db?.close();
      throw error;
    }
  }
  db?.close();
  return undefined;
}

function isUsable(db: DatabaseSync, codec: LedgerCodec): boolean {
  const version = Number(db.prepare('PRAGMA user_version').get()?.user_version);
  const whole = Object.values(db.prepare('PRAGMA quick_check(1)').get() ?? {})[0] === 'ok';
  return version === VERSION && whole && createMeta(db, '').read(FINGERPRINT) === codec.fingerprint;
}

function createAnew(path: string, codec: LedgerCodec): DatabaseSync {
  try {
    for (const file of [path, `${path}-wal`, `${path}-shm`]) {
      rmSync(file, { force: true });
    }
  } catch (error) {
    throw storageError(error, path);
  }
  const db = openDatabase(path, { create: true });
  transaction(db, () => {
    db.exec(TABLES);
    createMeta(db, '').write({ [FINGERPRINT]: codec.fingerprint });
  });
  return db;
}

const ADD_OR_FORGET = `INSERT INTO people (person, address, list) VALUES (?, ?, ?)
  ON CONFLICT DO UPDATE SET content = NULL, list = excluded.list`;
const FORGET = 'UPDATE people SET content = NULL WHERE person = ?';
// A prefix sorts before all hashes that begin with it.
const FIND = 'SELECT * FROM people WHERE person >= ? ORDER BY person LIMIT 1';

// Each batch changes about a thousand random pages twice. So SQLite keeps more pages than usual in memory and in the
// log.
const MANY_PAGES = 'PRAGMA cache_size = -32768; PRAGMA wal_autocheckpoint = 16384';

function createLedger(db: DatabaseSync, codec: LedgerCodec): ContactLedger {
  db.exec(MANY_PAGES);
  const meta = createMeta(db, '');
  const eachPerson = (emails: Iterable<string>, change: (person: Buffer) => void) =>
    transaction(db, () => {
      for (const email of emails) {
        change(codec.person(email));
      }
    });
  const addOrForget = db.prepare(ADD_OR_FORGET);
  const forget = db.prepare(FORGET);
  const accept = db.prepare('UPDATE people SET content = ? WHERE person = ?');
  const find = db.prepare(FIND);
  const setMissing = db.prepare('UPDATE people SET missing_since = ?, content = NULL WHERE person = ?');
  const setPresent = db.prepare('UPDATE people SET missing_since = NULL WHERE person = ?');
  const remove = db.prepare('DELETE FROM people WHERE person = ?');
  return {
    db,
    person: codec.person,
    content: codec.content,
    forget: (emails, list) =>
      transaction(db, () => {
        for (const email of emails) {
          const person = codec.person(email);
          list === undefined ? forget.run(person) : addOrForget.run(person, codec.seal(email, person), list);
        }
      }),
    forgetAll: () => transaction(db, () => db.exec('UPDATE people SET content = NULL')),
    // Not synced: if a power cut undoes it, the content is unknown, and the people are sent again.
    accept: (people) =>
      unsyncedTransaction(db, () => {
        people.forEach(({ email, json }) => accept.run(codec.content(json), codec.person(email)));
      }),
    find(prefix) {
      const row = find.get(prefix);
      const isThis = row && prefix.every((byte, at) => (row.person as Uint8Array)[at] === byte);
      return isThis ? personOf(row, codec) : undefined;
    },
    setMissing: (emails, since) => eachPerson(emails, (person) => setMissing.run(since, person)),
    setPresent: (emails) => eachPerson(emails, (person) => setPresent.run(person)),
    *missing() {
      for (const row of eachRow(db, 'SELECT * FROM people WHERE missing_since IS NOT NULL')) {
        const person = personOf(row, codec);
        if (person) {
          yield person;
        }
      }
    },
    remove: (emails) => eachPerson(emails, (person) => remove.run(person)),
    get lists() {
      return meta.read(LISTS);
    },
    setLists: (value) => meta.write({ [LISTS]: value }),
    counts: () => {
      const rows = db.prepare('SELECT list, count(*) AS n FROM people GROUP BY list').all();
      return new Map(rows.map(({ list, n }) => [Number(list), Number(n)]));
    },
    move: (from, to) => transaction(db, () => db.prepare('UPDATE people SET list = ? WHERE list = ?').run(to, from)),
    close: () => db.close(),
  };
}

function personOf(
  { person, address, list, missing_since: since }: SqlRow,
  codec: LedgerCodec,
): LedgerPerson | undefined {
  const email = codec.unseal(address as Uint8Array, person as Uint8Array);
  const missingSince = since === null ? undefined : Number(since);
  return email === undefined ? undefined : { email, list: Number(list), missingSince };
}
