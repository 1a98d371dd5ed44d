import type { Enrollee } from '../import/batch/reread-list.ts';
import type { WriteContext } from '../migrate/run-context.ts';
import { EXPECTED_FAILURE } from '../migrate/write/record-and-send.ts';
import { type EnrollmentLedger, type LedgerEntry, UNKNOWN } from '../runs/enrollment-ledger.ts';
import type { Journal } from '../runs/store/journal.ts';
import type { RecordedRequest } from '../runs/store/recorded-request.ts';
import { ENROLLMENT_OUTCOMES } from '../wire/service-words.ts';
import { requestName } from './enrollment-list.ts';
import type { EnrollOptions } from './options.ts';

/** Prevents second enrollments: the journal of this run, and the automation's ledger, which outlives all runs. */
export interface EnrollmentRecords {
  readonly journal: Journal;
  readonly ledger: EnrollmentLedger;
  readonly options: Pick<EnrollOptions, 'reenroll' | 'atMostOnce'>;
}

/** The run context, plus the automation and the records of its enrollments. */
export interface EnrollContext extends WriteContext {
  readonly automationId: string;
  /** The audience of the automation. */
  readonly audienceId: string;
  readonly records: EnrollmentRecords;
}

export const ENROLLED = 'enrolled';
/** The request certainly had no effect. */
export const UNSENT = 'unsent';
/** The user's decision about an unknown outcome. */
export const NOT_ENROLLED = 'not_enrolled';

/** Another run enrolled the person, or may have. The person is skipped. */
export const ENROLLED_BEFORE = 'enrolled_before';

/** The journal's record of a person's enrollment. */
export function requestOf(journal: Journal, person: Enrollee): RecordedRequest | undefined {
  return journal.requests.find('enrollment', requestName(person));
}

/** The outcome of a person, as journal and ledger know it. */
export type PersonOutcome =
  | { readonly kind: typeof UNSENT | typeof UNKNOWN | typeof ENROLLED_BEFORE }
  /** `word`: the outcome in the response. */
  | { readonly kind: 'accepted'; readonly word: string }
  /** Only this person was refused. */
  | { readonly kind: 'refused'; readonly code: string };

/** The outcome of a person. The caller may pass the person's request if it has read it. */
export function outcomeOf(
  { journal, ledger, options }: EnrollmentRecords,
  person: Enrollee,
  request = requestOf(journal, person),
): PersonOutcome {
  if (request?.state === 'pending' || request?.state === 'doubt') {
    return { kind: UNKNOWN };
  }
  if (request?.state === 'done') {
    const { word = '', failures = [] } = request.answer ?? {};
    return failures[0] ? { kind: 'refused', code: failures[0].code } : { kind: 'accepted', word };
  }
  // A refused request had no effect, so a later entry of another run counts.
  const entry = ledger.lookup(person.email);
  // If this run has an entry and no open request, it was killed before the first byte was sent.
  const isBefore = entry !== undefined && entry.run !== journal.header.run && blocksEnrollment(entry);
  // --reenroll means the enrollments before this run began, not those of another run since.
  const isRenewed = options.reenroll && isBefore && entry.at <= newestBefore(journal);
  return { kind: isBefore && !isRenewed ? ENROLLED_BEFORE : UNSENT };
}

const NEWEST_BEFORE = 'newest_before';

/** Records the newest entry of the ledger when a run begins, so that no clock decides what was before the run (P7). */
export function recordNewestBefore({ journal, ledger }: EnrollmentRecords): void {
  journal.note(NEWEST_BEFORE, ledger.newest());
}

/** Runs of earlier versions recorded only the time at which they began. */
function newestBefore({ read, header }: Journal): number {
  return (read(NEWEST_BEFORE) as number | undefined) ?? header.startedAt;
}

/** True for an outcome of the service document. Any other word may have started the automation (O6). */
export function isDocumented(outcome: string): boolean {
  return ENROLLMENT_OUTCOMES.some((documented) => documented === outcome);
}

// Earlier versions recorded unrecognized outcomes in the ledger. They count as unknown outcomes, as `unknown` does.
const WITHOUT_EFFECT: readonly string[] = [EXPECTED_FAILURE, UNSENT, NOT_ENROLLED];

/** True for entries that prevent another enrollment. */
function blocksEnrollment({ outcome }: LedgerEntry): boolean {
  return outcome === ENROLLED || !(isDocumented(outcome) || WITHOUT_EFFECT.includes(outcome));
}

/** Records `unknown` before the first byte is sent. A certain earlier enrollment stays recorded. */
export function recordAttempt(context: EnrollContext, person: Enrollee, before: LedgerEntry | undefined): void {
  if (entryOfAnotherRun(context, before)?.outcome !== ENROLLED) {
    recordOwn(context, person, UNKNOWN);
  }
}

/**
 * Records the outcome of a request in the ledger; does nothing if none was sent. If the request had no effect, the
 * entry of another run is restored. Callers record an outcome here before they record it in the journal, so that a
 * resume finds it. They record `unsent` here after the journal, so that a resume sends again.
 */
export function recordInLedger(context: EnrollContext, sent: SentEnrollment, outcome: string): void {
  const { id, person, before } = sent;
  if (id === undefined) {
    return;
  }
  const older = entryOfAnotherRun(context, before);
  if (outcome !== ENROLLED && older) {
    context.records.ledger.record(person.email, older);
  } else {
    recordOwn(context, person, outcome);
  }
}

/** The request of a person, and what the ledger held before it. */
export interface SentEnrollment {
  /** Undefined if nothing was sent. */
  readonly id: number | undefined;
  readonly person: Enrollee;
  readonly before: LedgerEntry | undefined;
}

/** The ledger's entry if another run enrolled the person or may have. */
function entryOfAnotherRun({ journal }: EnrollContext, before: LedgerEntry | undefined): LedgerEntry | undefined {
  return before && before.run !== journal.header.run && blocksEnrollment(before) ? before : undefined;
}

function recordOwn({ records, journal, clock }: EnrollContext, { email }: Enrollee, outcome: string): void {
  records.ledger.recordNow(email, { outcome, run: journal.header.run, at: clock.now() });
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
