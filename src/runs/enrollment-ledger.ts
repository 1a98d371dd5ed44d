import { join } from 'node:path';
import { sha256Hex } from '../base/lib/hash.ts';
import { createIdentityCheck, type IdentityCheck } from '../base/os/file-identity.ts';
import { openDatabase } from '../base/os/sqlite.ts';
import { looseKey, personKey } from '../wire/person-key.ts';
import { createEntries, createLookAlikes, type LedgerEntry, prepareTables } from './enrollment-entries.ts';
import { createStateFolder } from './state-folder.ts';
import type { Journal } from './store/journal.ts';
import { tryReadRun } from './store/open-journal.ts';

/**
 * Records whom the runs on this machine enrolled in one automation. The ledger stays when runs are deleted. It holds
 * hashes instead of addresses. Record `unknown` before a request is sent, and the outcome after the response. After a
 * kill between these two writes, the entry stays `unknown`.
 */
export interface EnrollmentLedger {
  /**
   * The entry of a person, or undefined. Ignores an entry `unknown` if nothing was sent for it, because the process was
   * killed before the first byte (M5).
   */
  lookup(email: string): LedgerEntry | undefined;
  /** The entries of the person and of all people whose addresses look alike: the service may take them for one (F8). */
  lookupLookAlikes(email: string): LedgerEntry[];
  /** Replaces the entry. It is on disk when this returns. */
  record(email: string, entry: LedgerEntry): void;
  /** Like `record`, but gives the entry a later time than all entries in the ledger. */
  recordAsNewest(email: string, entry: LedgerEntry): void;
  /** The latest time of all entries. 0 if there is none. */
  newest(): number;
  /** Removes the entries with the outcome `unknown` of a run. */
  removeUnknown(run: string): void;
  /** Returns an error if the files of the ledger were removed or replaced. */
  readonly problemIfLost: IdentityCheck;
  close(): void;
}

/** Opens or creates the ledger of an automation at an origin. Its methods take addresses trimmed and in lower case. */
export function openEnrollmentLedger(stateFolder: string, origin: string, automationId: string): EnrollmentLedger {
  const destination = `${origin}\n${automationId}`;
  const path = join(createStateFolder(stateFolder).ledgers, `${sha256Hex(destination).slice(0, 32)}.db`);
  const db = openDatabase(path, { create: true });
  prepareTables(db, automationId);
  const hashes = createHashes(destination);
  const { find, put, newest, removeUnknown } = createEntries(db, createCompletionCheck(stateFolder));
  const lookAlikes = createLookAlikes(db);
  const lookup = (email: string) => find(hashes.person(email)) ?? find(hashes.asWritten(email));
  const record = (email: string, entry: LedgerEntry) => {
    lookAlikes.add(hashes.loose(email), hashes.person(email));
    put(hashes.person(email), entry);
  };
  return {
    lookup,
    lookupLookAlikes(email) {
      const [own, person, loose] = [lookup(email), hashes.person(email), hashes.loose(email)];
      if (own) {
        // Earlier versions of svc recorded no look-alikes.
        lookAlikes.add(loose, person);
      }
      const isOwn = (other: string) => other === person || other === hashes.asWritten(email);
      const others = [loose, ...lookAlikes.of(loose)].filter((other) => !isOwn(other));
      return [own, ...others.map(find)].filter((entry) => entry !== undefined);
    },
    record,
    recordAsNewest: (email, entry) => record(email, { ...entry, time: Math.max(entry.time, newest() + 1) }),
    newest,
    removeUnknown,
    problemIfLost: createIdentityCheck([path, `${path}-wal`]),
    close: () => db.close(),
  };
}

/**
 * Makes the hashes of addresses. They include origin and automation, so two ledgers do not show that a person is in
 * both.
 */
function createHashes(destination: string) {
  const hash = (key: string) => sha256Hex(`${destination}\n${key}`);
  return {
    person: (email: string) => hash(personKey(email)),
    // Earlier versions of svc hashed an address with combining accents before the @ as it was written.
    asWritten: hash,
    loose: (email: string) => hash(personKey(looseKey(email))),
  };
}

/** Returns a function that is true for a run if each of its requests has an outcome. It reads each run once. */
function createCompletionCheck(stateFolder: string): (run: string) => boolean {
  const complete = new Map<string, boolean>();
  return (run) => {
    const isComplete = complete.get(run) ?? tryReadRun(stateFolder, run, hasAllOutcomes) ?? false;
    complete.set(run, isComplete);
    return isComplete;
  };
}

/**
 * Removes the `unknown` entries of a run for which nothing was sent. Called before the folder of the run is deleted:
 * afterwards nothing shows that these people were not enrolled (M5).
 */
export function removeUnsentEntries(stateFolder: string, run: string): void {
  const ended = tryReadRun(stateFolder, run, (journal) => {
    const { destination, origin } = journal.header;
    return destination?.kind === 'automation' && hasAllOutcomes(journal) ? { origin, id: destination.id } : undefined;
  });
  if (ended) {
    const ledger = openEnrollmentLedger(stateFolder, ended.origin, ended.id);
    try {
      ledger.removeUnknown(run);
    } finally {
      ledger.close();
    }
  }
}

/**
 * True if each request of the run has an outcome. If an entry is still `unknown` then, its request was never sent: the
 * process was killed before the first byte. False with `--reenroll`, because there an `unknown` entry may have replaced
 * the entry of an earlier enrollment.
 */
function hasAllOutcomes(journal: Journal): boolean {
  const requests = journal.counts('enrollment');
  return requests.pending + requests.doubt === 0 && journal.header.options.reenroll !== true;
}
