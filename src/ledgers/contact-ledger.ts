import type { DatabaseSync } from 'node:sqlite';
import { eachRow, type SqlRow, transaction } from '../base/os/sqlite.ts';
import { createMeta } from '../runs/store/run-header.ts';
import { type AcceptedContent, createAcceptedContent } from './accepted-content.ts';
import { LEDGER_ID, REPLACES_LOST } from './ledger-file.ts';
import type { LedgerCodec } from './ledger-key.ts';
import { createListMembers, FURTHER_LISTS_COLUMN, type ListMembers } from './list-members.ts';

/**
 * Records, for each person of an audience, what the service last accepted from this machine. The ledger stays when runs
 * are deleted. It stores keyed hashes and encrypted addresses, so that a copy of the file shows no person (G1). Call
 * `forgetContent` before a request is sent, and `recordAccepted` once the journal has its response. After a kill
 * between these calls, the next run sends the people of that request again (G2).
 */
export interface ContactLedger
  extends Pick<LedgerCodec, 'hashAddress' | 'hashContent'>,
    AcceptedContent,
    Pick<ListMembers, 'addToList' | 'counts' | 'subscribedCount' | 'moveMembers' | 'removeOtherLists'> {
  /** The random id of the ledger. Undefined in a ledger of an older svc, until `openContactLedger` opens it. */
  readonly id: string | undefined;
  /** True if the ledger took the place of one that could not be used. */
  readonly replacesLost: boolean;
  /** The open database. `readLedgerIndex` reads the people from it. */
  readonly db: DatabaseSync;
  /** The person whose hash begins with these bytes. Undefined if there is none, or if the entry is damaged. */
  find(prefix: Uint8Array): LedgerPerson | undefined;
  /**
   * Records that these people are missing in the last list, and forgets that the service accepted them. If they come
   * back to the list, svc must send them again, because the user may have deleted them from the audience.
   */
  setMissing(emails: Iterable<string>, since: number): void;
  /** Removes people from these lists. Each person must also be in another list. */
  removeFromLists(listIds: readonly number[], emails: Iterable<string>): void;
  /** Records that these people are no longer missing. */
  setNotMissing(emails: Iterable<string>): void;
  /** The people who are missing in the last version of their lists. */
  missingPeople(): Generator<LedgerPerson>;
  /** Records that a look-up found no contact of these missing people. Keeps the time of an earlier such look-up. */
  setNotFound(emails: Iterable<string>, since: number): void;
  /** Deletes people from the ledger. */
  removePeople(emails: Iterable<string>): void;
  /** Records that svc unsubscribed these people, because they were missing. `removePeople` does not forget that. */
  addOptedOut(emails: Iterable<string>): void;
  /** The address hashes, in hex, of the people whom svc unsubscribed because they were missing. */
  optedOut(): Set<string>;
  /** Forgets that svc unsubscribed the people with these address hashes, in hex. */
  removeOptedOut(hashes: readonly string[]): void;
  /**
   * Records that these missing people had left the audience on their own. `removePeople` does not forget that. First
   * deletes these records of all people who are in the ledger, because they are in a list again.
   */
  addLeftBefore(emails: Iterable<string>): void;
  /** The address hashes, in hex, of the people who had left the audience on their own when they were missing. */
  leftBefore(): Set<string>;
  /** What `setLists` stored. Undefined before its first call. */
  readonly lists: unknown;
  setLists(value: unknown): void;
  close(): void;
}

export interface LedgerPerson {
  readonly email: string;
  /** The ids of the lists that have the person. The first one is the list with which svc last sent the person. */
  readonly lists: readonly number[];
  /** Since when the person is missing, in milliseconds since the epoch. Undefined if the person is not missing. */
  readonly missingSince: number | undefined;
  /** The time of the first look-up that found no contact of this missing person. Undefined if there was none. */
  readonly notFoundSince: number | undefined;
}

/** Identifies a ledger. It does not need the account, because an audience belongs to one account. */
export interface LedgerLocation {
  readonly stateFolder: string;
  readonly origin: string;
  readonly audienceId: string;
}

const LISTS = 'lists';

// A look-up from an earlier absence of the person does not count, so `since` must not be before `missing_since`.
const NOT_FOUND_COLUMN = `(SELECT since FROM not_found
  WHERE not_found.person = people.person AND since >= missing_since) AS not_found_since`;
// Finds a person by the first bytes of the hash: the first hash in sort order that is not less than these bytes.
const FIND = `SELECT *, ${FURTHER_LISTS_COLUMN}, ${NOT_FOUND_COLUMN} FROM people WHERE person >= ? ORDER BY person LIMIT 1`;
const MISSING = `SELECT *, ${FURTHER_LISTS_COLUMN}, ${NOT_FOUND_COLUMN} FROM people WHERE missing_since IS NOT NULL`;
const SET_NOT_FOUND = `INSERT INTO not_found (person, since) VALUES (?, ?)
  ON CONFLICT DO UPDATE SET since = excluded.since
  WHERE since < (SELECT missing_since FROM people WHERE people.person = not_found.person)`;

// Each batch changes about a thousand database pages twice, in random order. A larger cache and log are faster.
const MANY_PAGES = 'PRAGMA cache_size = -32768; PRAGMA wal_autocheckpoint = 16384';

export function createLedger(db: DatabaseSync, codec: LedgerCodec): ContactLedger {
  db.exec(MANY_PAGES);
  const meta = createMeta(db, '');
  const members = createListMembers(db);
  const eachPerson = (emails: Iterable<string>, change: (person: Buffer) => void) =>
    transaction(db, () => {
      for (const email of emails) {
        change(codec.hashAddress(email));
      }
    });
  const find = db.prepare(FIND);
  const setMissing = db.prepare(
    'UPDATE people SET missing_since = ?, content = NULL, first_run = NULL WHERE person = ?',
  );
  const setPresent = db.prepare('UPDATE people SET missing_since = NULL WHERE person = ?');
  const addOptedOut = db.prepare('INSERT OR IGNORE INTO opted_out (person) VALUES (?)');
  const addLeftBefore = db.prepare('INSERT OR IGNORE INTO left_before (person) VALUES (?)');
  const removeOptedOut = db.prepare('DELETE FROM opted_out WHERE person = ?');
  const setNotFound = db.prepare(SET_NOT_FOUND);
  const removeNotFound = db.prepare('DELETE FROM not_found WHERE person = ?');
  const remove = db.prepare('DELETE FROM people WHERE person = ?');
  return {
    ...members,
    ...createAcceptedContent(db, codec, members),
    db,
    id: meta.read(LEDGER_ID) as string | undefined,
    replacesLost: meta.read(REPLACES_LOST) === true,
    hashAddress: codec.hashAddress,
    hashContent: codec.hashContent,
    find(prefix) {
      const row = find.get(prefix);
      const isThis = row && prefix.every((byte, index) => (row.person as Uint8Array)[index] === byte);
      return isThis ? personOf(row, codec) : undefined;
    },
    setMissing: (emails, since) => eachPerson(emails, (person) => setMissing.run(since, person)),
    setNotMissing: (emails) => eachPerson(emails, (person) => setPresent.run(person)),
    *missingPeople() {
      for (const row of eachRow(db, MISSING)) {
        const person = personOf(row, codec);
        if (person) {
          yield person;
        }
      }
    },
    setNotFound: (emails, since) => eachPerson(emails, (person) => setNotFound.run(person, since)),
    removePeople: (emails) =>
      eachPerson(emails, (person) => {
        members.removePerson(person);
        removeNotFound.run(person);
        remove.run(person);
      }),
    addOptedOut: (emails) => eachPerson(emails, (person) => addOptedOut.run(person)),
    optedOut: () => new Set(eachRow(db, 'SELECT hex(person) AS person FROM opted_out').map(hashOf)),
    removeOptedOut: (hashes) =>
      transaction(db, () => hashes.forEach((hash) => removeOptedOut.run(Buffer.from(hash, 'hex')))),
    addLeftBefore(emails) {
      db.exec('DELETE FROM left_before WHERE person IN (SELECT person FROM people)');
      eachPerson(emails, (person) => addLeftBefore.run(person));
    },
    leftBefore: () => new Set(eachRow(db, 'SELECT hex(person) AS person FROM left_before').map(hashOf)),
    removeFromLists: (listIds, emails) =>
      members.removeFromLists(listIds, Iterator.from(emails).map(codec.hashAddress)),
    get lists() {
      return meta.read(LISTS);
    },
    setLists: (value) => meta.write({ [LISTS]: value }),
    close: () => db.close(),
  };
}

function personOf(
  { person, address, list, further_lists: further, missing_since: since, not_found_since: notFoundSince }: SqlRow,
  codec: LedgerCodec,
): LedgerPerson | undefined {
  const email = codec.decryptAddress(address as Uint8Array, person as Uint8Array);
  const others = further === null ? [] : String(further).split(',').map(Number);
  const lists = [...new Set([Number(list), ...others])];
  const times = { missingSince: timeOf(since), notFoundSince: timeOf(notFoundSince) };
  return email === undefined ? undefined : { email, lists, ...times };
}

/** The lower-case hex digits of a hash. SQLite writes upper-case ones. */
function hashOf({ person }: SqlRow): string {
  return String(person).toLowerCase();
}

function timeOf(value: SqlRow[string] | undefined): number | undefined {
  return value === null || value === undefined ? undefined : Number(value);
}
