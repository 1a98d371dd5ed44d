import { join } from 'node:path';
import { sha256Hex } from '../base/lib/hash.ts';
import { createIdentityCheck, type IdentityCheck } from '../base/os/file-identity.ts';
import { pathExists } from '../base/os/files.ts';
import { openDatabase } from '../base/os/sqlite.ts';
import { createStateFolder, stateFolderLayout } from '../runs/store/state-folder.ts';
import { looseKey, personKey } from '../wire/person-key.ts';
import {
  createAttempts,
  createEntries,
  createLookAlikes,
  createMarks,
  type LedgerEntry,
  prepareTables,
} from './enrollment-entries.ts';
import { ledgerFileName, recordPlace } from './enrollment-places.ts';

/**
 * Records whom the runs on this machine enrolled in one automation. The ledger stays when runs are deleted, and stores
 * hashes instead of addresses. Record `unknown` before a request is sent, once the journal has its key. After the
 * response, record the outcome here first, then in the journal. So if the ledger has a request of a run that the
 * journal of this run lacks, that journal is an older copy.
 */
export interface EnrollmentLedger {
  /** The entry of a person, or undefined. */
  lookup(email: string): LedgerEntry | undefined;
  /**
   * The entries of the person, and of people whose addresses look alike: the service may take them for one person (F8).
   */
  lookupLookAlikes(email: string): LedgerEntry[];
  /** Replaces the entry. It is on disk when this returns. */
  record(email: string, entry: LedgerEntry): void;
  /** Like `record`, but gives the entry a later time than any other entry of the ledger. */
  recordAsNewest(email: string, entry: LedgerEntry): void;
  /**
   * Records that this run may have sent a request for the person, without replacing the entry of an earlier run. The
   * record is on disk when this returns.
   */
  recordAttempt(email: string, run: string): void;
  /** Deletes what `recordAttempt` recorded. Called once it is certain that the request did not enroll the person. */
  forgetAttempt(email: string, run: string): void;
  hasAttempt(email: string, run: string): boolean;
  /** Another run that may have sent a request for the person. Undefined if there is none. */
  otherAttempt(email: string, run: string): string | undefined;
  /** The latest time of all entries. 0 if there is none. */
  newest(): number;
  /** The newest mark that this run left here. 0 if there is none. */
  markOf(run: string): number;
  /** Leaves a mark of a run. It is on disk when this returns. */
  writeMark(run: string, mark: number): void;
  /** Returns an error if the ledger's files were removed or replaced. */
  readonly problemIfLost: IdentityCheck;
  close(): void;
}

/** Opens or creates the ledger of an automation at an origin. Its methods take addresses trimmed and in lower case. */
export function openEnrollmentLedger(stateFolder: string, origin: string, automationId: string): EnrollmentLedger {
  const path = join(createStateFolder(stateFolder).ledgers, ledgerFileName({ origin, automationId }));
  const db = openDatabase(path, { create: true });
  prepareTables(db, automationId);
  recordPlace(db, { origin, automationId });
  const hashes = createHashes(`${origin}\n${automationId}`);
  const { find, put, newest } = createEntries(db);
  const lookAlikes = createLookAlikes(db);
  const attempts = createAttempts(db);
  const marks = createMarks(db);
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
        // Earlier versions of svc recorded no look-alikes, so this person may not be recorded yet.
        lookAlikes.add(loose, person);
      }
      const isOwn = (other: string) => other === person || other === hashes.asWritten(email);
      const others = [loose, ...lookAlikes.of(loose)].filter((other) => !isOwn(other));
      return [own, ...others.map(find)].filter((entry) => entry !== undefined);
    },
    record,
    recordAsNewest: (email, entry) => record(email, { ...entry, time: Math.max(entry.time, newest() + 1) }),
    recordAttempt: (email, run) => attempts.add(hashes.person(email), run),
    forgetAttempt: (email, run) => attempts.remove(hashes.person(email), run),
    hasAttempt: (email, run) => attempts.has(hashes.person(email), run),
    otherAttempt: (email, run) => attempts.other(hashes.person(email), run),
    newest,
    markOf: marks.of,
    writeMark: marks.put,
    problemIfLost: createIdentityCheck([path, `${path}-wal`]),
    close: () => db.close(),
  };
}

/** True if a ledger of this automation exists. */
export function hasEnrollmentLedger(stateFolder: string, origin: string, automationId: string): boolean {
  return pathExists(join(stateFolderLayout(stateFolder).ledgers, ledgerFileName({ origin, automationId })));
}

/**
 * Makes the hashes of addresses. They depend on origin and automation, so that two ledgers do not show who is in both.
 */
function createHashes(destination: string) {
  const hash = (key: string) => sha256Hex(`${destination}\n${key}`);
  return {
    person: (email: string) => hash(personKey(email)),
    // Earlier versions of svc did not normalize combining accents before the @, so svc also looks for this hash.
    asWritten: hash,
    loose: (email: string) => hash(personKey(looseKey(email))),
  };
}
