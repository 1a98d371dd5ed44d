import { LASTING_OUTCOMES } from '../../api/resources/automations.ts';
import type { Enrollee } from '../../import/batch/reread-list.ts';
import { type LedgerEntry, UNKNOWN_ENROLLMENT, unknownEntryOf } from '../../ledgers/enrollment-entries.ts';
import { blocksEnrollment, ENROLLED, type EnrollContext } from './enrollment-records.ts';

/**
 * Records `unknown` in the ledger before the first byte is sent. If another run certainly enrolled the person, the
 * entry of that run stays, and the ledger records this attempt beside it. If another run may have enrolled the person,
 * its entry is replaced, and the ledger records the attempt of that run beside the new entry.
 */
export function recordAttempt(context: EnrollContext, person: Enrollee, before: LedgerEntry | undefined): void {
  const other = entryOfAnotherRun(context, before);
  if (other && LASTING_OUTCOMES.includes(other.outcome)) {
    context.records.ledger.recordAttempt(person.email, context.journal.header.run);
  } else {
    if (other) {
      context.records.ledger.recordAttempt(person.email, other.run);
    }
    recordOwnOutcome(context, person, UNKNOWN_ENROLLMENT);
  }
}

/**
 * Records the outcome of a request in the ledger. Does nothing if no request was sent. If this request did not enroll
 * the person, restores the entry of another run that enrolled the person, or may have. To be called before the journal
 * gets the outcome: after a kill between the two writes, a resume finds the outcome in the ledger.
 */
export function recordInLedger(context: EnrollContext, sent: SentEnrollment, outcome: string): void {
  const { id, person, earlierEntry } = sent;
  if (id === undefined) {
    return;
  }
  const { ledger, journal } = context.records;
  const older = entryOfAnotherRun(context, earlierEntry);
  // After a kill, `earlierEntry` is the entry of this run. Then only the recorded attempt names the other run.
  const other = LASTING_OUTCOMES.includes(outcome) ? undefined : ledger.otherAttempt(person.email, journal.header.run);
  if (outcome !== ENROLLED && older) {
    ledger.record(person.email, older);
    ledger.forgetAttempt(person.email, journal.header.run);
  } else if (other !== undefined) {
    ledger.record(person.email, unknownEntryOf(other));
  } else {
    recordOwnOutcome(context, person, outcome);
  }
}

/** A request for a person: `id` is its number in the journal. `earlierEntry` is the ledger entry before the request. */
export interface SentEnrollment {
  readonly id: number | undefined;
  readonly person: Enrollee;
  readonly earlierEntry: LedgerEntry | undefined;
}

/** The entry `before`, if it says that another run enrolled the person or may have. Otherwise undefined. */
function entryOfAnotherRun({ journal }: EnrollContext, before: LedgerEntry | undefined): LedgerEntry | undefined {
  return before && before.run !== journal.header.run && blocksEnrollment(before) ? before : undefined;
}

function recordOwnOutcome({ records, journal, clock }: EnrollContext, { email }: Enrollee, outcome: string): void {
  records.ledger.recordAsNewest(email, { outcome, run: journal.header.run, time: clock.now() });
}
