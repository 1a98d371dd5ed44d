import type { Enrollee } from '../import/batch/last-read.ts';
import type { Ledger, LedgerEntry } from '../runs/enrollment-ledger.ts';
import type { Journal } from '../runs/store/journal.ts';
import type { Unit } from '../runs/store/recorded-request.ts';
import type { EnrollOptions } from './options.ts';
import { requestName } from './people.ts';

/** Where an enrolment remembers: its own run, and the ledger of the automation, which outlives all runs. */
export interface DedupeStore {
  readonly journal: Journal;
  readonly ledger: Ledger;
  readonly options: Pick<EnrollOptions, 'reenroll' | 'atMostOnce'>;
}

/** A request that may have started the flow, so that nobody asks again by accident. */
export const UNKNOWN = 'unknown';
export const ENROLLED = 'enrolled';
/** Asked for, and surely nothing came of it. */
export const UNSENT = 'unsent';

/** What the journal knows of a person. */
export function requestOf(journal: Journal, person: Enrollee): Unit | undefined {
  return journal.units.find('enrollment', requestName(person));
}

/** True for people whom another run enrolled, or may have: they are skipped (`enrolled_before`). */
export function isEnrolledBefore({ journal, ledger, options }: DedupeStore, person: Enrollee): boolean {
  const entry = options.reenroll ? undefined : ledger.lookup(person.email);
  // An entry of this run without a unit is of a run killed before the first byte of the request.
  return (
    entry !== undefined &&
    entry.run !== journal.header.run &&
    blocksEnrollment(entry) &&
    hadNoEffect(requestOf(journal, person))
  );
}

/** True for entries that keep a person from being enrolled again. */
export function blocksEnrollment({ outcome }: LedgerEntry): boolean {
  return outcome === ENROLLED || outcome === UNKNOWN;
}

/** What surely had no effect in this run says nothing against what another one did since. */
function hadNoEffect(unit: Unit | undefined): boolean {
  return unit === undefined || unit.state === 'refused';
}

const LAST_REQUEST_OF_PREVIOUS_KEY = 'other_key';

/**
 * A run may go on with another key, but what is in doubt under the old one is not repeated: the service can't tell that
 * it is the same request (rule K4). Notes up to which unit that holds, then takes the new key.
 */
export function recordKeyChange(journal: Journal, keyFingerprint: string): void {
  if (journal.header.keyFingerprint !== keyFingerprint) {
    const last = journal.db.prepare('SELECT MAX(id) AS id FROM units').get()?.id;
    journal.note(LAST_REQUEST_OF_PREVIOUS_KEY, Number(last ?? 0));
    journal.amend({ keyFingerprint });
  }
}

/** True for a unit that was begun before the key was changed. */
export function usedPreviousKey(journal: Journal, { id }: Unit): boolean {
  const last = journal.read(LAST_REQUEST_OF_PREVIOUS_KEY);
  return typeof last === 'number' && id <= last;
}
