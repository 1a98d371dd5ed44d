import type { Enrollee } from '../import/batch/row-outcome.ts';
import type { Ledger, LedgerEntry } from '../runs/enrollment-ledger.ts';
import type { Journal } from '../runs/store/journal.ts';
import type { RecordedRequest } from '../runs/store/recorded-request.ts';
import type { EnrollOptions } from './options.ts';
import { requestName } from './people.ts';

/** Prevents double enrollments: the journal of this run, and the automation's ledger, which outlives all runs. */
export interface EnrollmentRecords {
  readonly journal: Journal;
  readonly ledger: Ledger;
  readonly options: Pick<EnrollOptions, 'reenroll' | 'atMostOnce'>;
}

/** The request may have started the automation, so it is not sent again by accident. */
export const UNKNOWN = 'unknown';
export const ENROLLED = 'enrolled';
/** The request certainly had no effect. */
export const UNSENT = 'unsent';

/** The journal's record of a person's enrollment. */
export function requestOf(journal: Journal, person: Enrollee): RecordedRequest | undefined {
  return journal.requests.find('enrollment', requestName(person));
}

/** True for people whom another run enrolled or may have enrolled. They are skipped (`enrolled_before`). */
export function isEnrolledBefore({ journal, ledger, options }: EnrollmentRecords, person: Enrollee): boolean {
  const entry = options.reenroll ? undefined : ledger.lookup(person.email);
  // An entry of this run without a request comes from a kill before the first byte was sent.
  return (
    entry !== undefined &&
    entry.run !== journal.header.run &&
    blocksEnrollment(entry) &&
    hadNoEffect(requestOf(journal, person))
  );
}

/** True for entries that prevent another enrollment. */
export function blocksEnrollment({ outcome }: LedgerEntry): boolean {
  return outcome === ENROLLED || outcome === UNKNOWN;
}

/** A request of this run without effect doesn't override what another run did since. */
function hadNoEffect(request: RecordedRequest | undefined): boolean {
  return request === undefined || request.state === 'refused';
}

const LAST_REQUEST_OF_PREVIOUS_KEY = 'other_key';

/**
 * A run may resume with another API key. Requests with an unknown outcome under the old key are not repeated, because
 * the service would not recognize them (rule K4). Records the last request of the old key, then the new key.
 */
export function recordKeyChange(journal: Journal, keyFingerprint: string): void {
  if (journal.header.keyFingerprint !== keyFingerprint) {
    const last = journal.db.prepare('SELECT MAX(id) AS id FROM units').get()?.id;
    journal.note(LAST_REQUEST_OF_PREVIOUS_KEY, Number(last ?? 0));
    journal.amend({ keyFingerprint });
  }
}

/** True for a request that was sent before the API key changed. */
export function usedPreviousKey(journal: Journal, { id }: RecordedRequest): boolean {
  const last = journal.read(LAST_REQUEST_OF_PREVIOUS_KEY);
  return typeof last === 'number' && id <= last;
}
