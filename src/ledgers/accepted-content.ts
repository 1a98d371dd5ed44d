import type { DatabaseSync } from 'node:sqlite';
import { sha256Hex } from '../base/lib/hash.ts';
import { transaction, unsyncedTransaction } from '../base/os/sqlite.ts';
import type { LedgerCodec } from './ledger-key.ts';
import type { ListMembers } from './list-members.ts';

/** In the column `first_run`: an earlier svc recorded that the service accepted the person, but not in which run. */
const UNKNOWN_RUN = 0;
/** In the column `first_run`: the service accepted the person, but may not have written this person (G8). */
export const UNPROVEN = -1;

/**
 * A column of `people`: the run in which the service first accepted the person, as a number. NULL if no acceptance
 * counts: the service accepted nothing of the person yet, the list lacked the person since, or the address is
 * suppressed. Ledgers of earlier versions lack the column.
 */
export const FIRST_RUN_COLUMN = 'first_run INTEGER';

/** Fills the column in an older ledger, which does not show whether people without content were really written. */
export const SET_FIRST_RUNS = `UPDATE people SET first_run = ${UNPROVEN}
  WHERE content IS NULL AND opts_out IS NOT NULL AND missing_since IS NULL`;

/** What the service last accepted of each person. */
export interface AcceptedContent {
  /** Deletes the content hash of these people. With `listId`, also records them as people of that list. */
  forgetContent(emails: readonly string[], listId: number | undefined): void;
  /**
   * Deletes the content hash of all people. Called if contacts differ when svc reads them back (G8). `run` is the id of
   * the run that found this. People whom this run sent for the first time become unproven, because the service may not
   * have written them.
   */
  forgetAllContent(run: string): void;
  /** Records for each person the contact that the service accepted in this run, given as JSON. */
  recordAccepted(people: readonly AcceptedPerson[], run: string): void;
  /** Records that these people are suppressed. Then no earlier acceptance of them counts (`FIRST_RUN_COLUMN`). */
  recordSuppressed(emails: readonly string[]): void;
}

interface AcceptedPerson {
  readonly email: string;
  readonly json: string;
  readonly optsOut: boolean;
}

// A person with content was accepted, even if an earlier svc did not record the run.
const KEEP_FIRST_RUN = `first_run = coalesce(first_run, CASE WHEN content IS NOT NULL THEN ${UNKNOWN_RUN} END)`;
const ADD_OR_FORGET = `INSERT INTO people (person, address, list) VALUES (?, ?, ?)
  ON CONFLICT DO UPDATE SET content = NULL, list = excluded.list, ${KEEP_FIRST_RUN}`;
const FORGET = `UPDATE people SET content = NULL, ${KEEP_FIRST_RUN} WHERE person = ?`;
const FORGET_ALL = `UPDATE people SET content = NULL, first_run = CASE WHEN first_run = ? THEN ${UNPROVEN}
  WHEN content IS NOT NULL THEN coalesce(first_run, ${UNKNOWN_RUN}) ELSE first_run END`;
const ACCEPT = `UPDATE people SET content = ?, opts_out = ?,
  first_run = CASE WHEN first_run >= ${UNKNOWN_RUN} THEN first_run ELSE ? END WHERE person = ?`;

export function createAcceptedContent(db: DatabaseSync, codec: LedgerCodec, members: ListMembers): AcceptedContent {
  const addOrForget = db.prepare(ADD_OR_FORGET);
  const forget = db.prepare(FORGET);
  const accept = db.prepare(ACCEPT);
  const suppress = db.prepare('UPDATE people SET first_run = NULL WHERE person = ?');
  return {
    forgetContent: (emails, listId) =>
      transaction(db, () => {
        for (const email of emails) {
          const person = codec.hashAddress(email);
          if (listId === undefined) {
            forget.run(person);
          } else {
            members.keepInLastList(person, listId);
            addOrForget.run(person, codec.encryptAddress(email, person), listId);
          }
        }
      }),
    forgetAllContent: (run) => transaction(db, () => db.prepare(FORGET_ALL).run(numberOf(run))),
    // `recordAccepted` does not sync its write to disk. If a power cut loses the write, svc only sends the people
    // again.
    recordAccepted(people, run) {
      const firstRun = numberOf(run);
      unsyncedTransaction(db, () =>
        people.forEach(({ email, json, optsOut }) =>
          accept.run(codec.hashContent(json), Number(optsOut), firstRun, codec.hashAddress(email)),
        ),
      );
    },
    recordSuppressed: (emails) =>
      unsyncedTransaction(db, () => emails.forEach((email) => suppress.run(codec.hashAddress(email)))),
  };
}

const HEX_DIGITS = 8;

/** A number above 0 for the id of a run. It is short, because the ledger has it for each person. */
function numberOf(run: string): number {
  return 1 + Number.parseInt(sha256Hex(run).slice(0, HEX_DIGITS), 16);
}
