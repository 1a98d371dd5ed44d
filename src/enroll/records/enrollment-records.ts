import { LASTING_OUTCOMES } from '../../api/resources/automations.ts';
import type { Enrollee } from '../../import/batch/reread-list.ts';
import { type LedgerEntry, UNKNOWN_ENROLLMENT } from '../../ledgers/enrollment-entries.ts';
import type { EnrollmentLedger } from '../../ledgers/enrollment-ledger.ts';
import type { WriteContext } from '../../run-lifecycle/data/run-context.ts';
import type { Journal } from '../../runs/store/journal.ts';
import { enrollmentRequestName, OUTCOME_UNKNOWN, type RecordedRequest } from '../../runs/store/recorded-request.ts';
import { SUPPRESSED_CODE } from '../../sending/record-and-send.ts';
import { ENROLLMENT_OUTCOMES, type EnrollmentOutcome } from '../../wire/service-words.ts';

/**
 * The records that prevent a second enrollment: the journal of this run, and the ledger of the automation. The ledger
 * stays when runs are deleted.
 */
export interface EnrollmentRecords {
  readonly journal: Journal;
  readonly ledger: EnrollmentLedger;
  readonly options: { readonly reenroll: boolean; readonly atMostOnce: boolean };
}

/** What svc needs to enroll people in an open run. */
export interface EnrollContext extends WriteContext {
  readonly automationId: string;
  readonly audienceId: string;
  readonly records: EnrollmentRecords;
}

/** The outcome of an enrolled person, in responses, in the journal and in the ledger. */
export const ENROLLED = 'enrolled';
/** The outcome if no enrollment request was sent, or if the request certainly had no effect. */
export const UNSENT = 'unsent';
/** The outcome if the user decided with `runs resolve` that the person was not enrolled. */
export const NOT_ENROLLED = 'not_enrolled';

/** The outcome of the service if the automation is not active. All requests would get it, so the run stops. */
export const NOT_ACTIVE: EnrollmentOutcome = 'automation_not_active';

/** The outcome of a person whom an earlier run enrolled or may have enrolled. This run skips the person. */
export const ENROLLED_BEFORE = 'enrolled_before';

/** The enrollment request of a person in the journal. Undefined before it is sent. */
export function enrollmentRequestOf(journal: Journal, person: Enrollee): RecordedRequest | undefined {
  return journal.requests.find('enrollment', enrollmentRequestName(person));
}

/** What journal and ledger say about the enrollment of a person. */
export type PersonOutcome =
  | { readonly kind: typeof UNSENT | typeof UNKNOWN_ENROLLMENT | typeof ENROLLED_BEFORE }
  /**
   * The service responded 200 with the outcome `word`, which need not be `enrolled`. If `isOpen`, the automation could
   * not run, and the run stopped. A resume sends the person again.
   */
  | { readonly kind: 'accepted'; readonly word: string; readonly isOpen: boolean }
  /** The service refused this person, and the run goes on. */
  | { readonly kind: 'refused'; readonly code: string };

/** Finds the outcome of a person. `request` is the person's request, if the caller has read it already. */
export function personOutcomeOf(
  { journal, ledger, options }: EnrollmentRecords,
  person: Enrollee,
  request = enrollmentRequestOf(journal, person),
): PersonOutcome {
  if (request?.state === 'pending' || request?.state === OUTCOME_UNKNOWN) {
    return { kind: UNKNOWN_ENROLLMENT };
  }
  if (request?.state === 'done') {
    const { word = '', failures = [] } = request.response ?? {};
    const isOpen = () => word === NOT_ACTIVE && !wasEnrolledBefore({ journal, ledger, options }, person);
    return failures[0] ? { kind: 'refused', code: failures[0].code } : { kind: 'accepted', word, isOpen: isOpen() };
  }
  // No request of this run had an effect, so the ledger decides.
  return { kind: wasEnrolledBefore({ journal, ledger, options }, person) ? ENROLLED_BEFORE : UNSENT };
}

/**
 * True if another run enrolled the person, or may have. Also true if the ledger says that this run did, but the journal
 * does not. Then the user restored an older copy of the run.
 */
function wasEnrolledBefore(records: EnrollmentRecords, { email }: Enrollee): boolean {
  const { ledger, journal } = records;
  const { run } = journal.header;
  const entries = ledger.lookupLookAlikes(email);
  const own = entries.length > 0 ? ledger.lookup(email) : undefined;
  const isOlderJournal = own?.run === run ? blocksEnrollment(own) : own !== undefined && ledger.hasAttempt(email, run);
  return isOlderJournal || entryOfOtherRun(records, entries) !== undefined;
}

/**
 * The first of these entries by which another run enrolled the person, or may have. With --reenroll, an entry counts
 * only if it was made during this run, or by a run that was not finished when the command was given.
 */
export function entryOfOtherRun(
  { journal, options }: EnrollmentRecords,
  entries: readonly LedgerEntry[],
): LedgerEntry | undefined {
  const { run } = journal.header;
  // With --reenroll, an entry that is older than this run does not keep svc from enrolling the person again.
  const isRenewed = (entry: LedgerEntry) =>
    options.reenroll && entry.time <= newestTimeBefore(journal) && !concurrentRuns(journal).includes(entry.run);
  return entries.find((entry) => entry.run !== run && blocksEnrollment(entry) && !isRenewed(entry));
}

/** True if a request must still be sent for a person with this outcome. */
export function isStillToSend(outcome: PersonOutcome): boolean {
  return outcome.kind === UNSENT || (outcome.kind === 'accepted' && outcome.isOpen);
}

const NEWEST_BEFORE_NOTE = 'newest_before';

const CONCURRENT_RUNS_NOTE = 'concurrent_runs';

/**
 * Called when a run with --reenroll begins. Records the time of the newest entry in the ledger, so that all later
 * entries count as made during the run. The comparison does not depend on the clock, which may be set back (P7). Also
 * records the ids of the runs that were not finished when the command was given: the user did not see yet whom they
 * enroll, so this run enrolls none of these people again (I11).
 */
export function recordEarlierEnrollments({ journal, ledger }: EnrollmentRecords, concurrent: readonly string[]): void {
  journal.writeNote(CONCURRENT_RUNS_NOTE, concurrent);
  journal.writeNote(NEWEST_BEFORE_NOTE, ledger.newest());
}

function concurrentRuns({ readNote }: Journal): readonly string[] {
  return (readNote(CONCURRENT_RUNS_NOTE) as readonly string[] | undefined) ?? [];
}

/** The time of the newest ledger entry when the run began. Runs of earlier versions recorded only their start. */
function newestTimeBefore({ readNote, header }: Journal): number {
  return (readNote(NEWEST_BEFORE_NOTE) as number | undefined) ?? header.startedAt;
}

/** True for an outcome word of the service document. Any other word may mean that the automation started (O6). */
export function isDocumentedOutcome(outcome: string): boolean {
  return ENROLLMENT_OUTCOMES.some((documented) => documented === outcome);
}

// Outcomes that do not prevent another enrollment. Earlier versions of svc also recorded words that they did not know.
// Such a word prevents an enrollment, like `unknown`.
const WITHOUT_EFFECT: readonly string[] = [SUPPRESSED_CODE, UNSENT, NOT_ENROLLED];

/**
 * True for an entry that prevents another enrollment. An entry `already_enrolled` prevents it too: the person is in the
 * automation, through a lost request or another machine. Once the automation has ended for this person, another request
 * would start it again (M5).
 */
export function blocksEnrollment({ outcome }: LedgerEntry): boolean {
  return LASTING_OUTCOMES.includes(outcome) || !(isDocumentedOutcome(outcome) || WITHOUT_EFFECT.includes(outcome));
}
