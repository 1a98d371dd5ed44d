import { type Enrollment, enrollmentKey, LASTING_OUTCOMES, postEnrollment } from '../../api/resources/automations.ts';
import { LAST_KEY_VERSION } from '../../api/retry/decide-retry.ts';
import { transaction } from '../../base/os/sqlite.ts';
import type { Enrollee } from '../../import/batch/reread-list.ts';
import { type LedgerEntry, UNKNOWN_ENROLLMENT } from '../../ledgers/enrollment-entries.ts';
import { readDifferentlyError } from '../../migrate/write/send-and-bisect.ts';
import { EMPTY_RESPONSE, enrollmentRequestName, type RecordedRequest } from '../../runs/store/recorded-request.ts';
import { recordAndSend, recordWithoutResponse } from '../../sending/record-and-send.ts';
import { otherSpellings } from '../../wire/person-key.ts';
import type { EnrollmentResult } from '../../wire/shapes.ts';
import {
  type EnrollContext,
  enrollmentRequestOf,
  entryOfOtherRun,
  NOT_ACTIVE,
  NOT_ENROLLED,
  personOutcomeOf,
  UNSENT,
} from '../records/enrollment-records.ts';
import { wasSentWithPreviousKey } from '../records/key-change.ts';
import { recordAttempt } from '../records/ledger-writes.ts';
import {
  type AcceptedEnrollment,
  type PersonResult,
  recordOutcomeWord,
  recordPersonOutcome,
  recordSuccess,
  recordUnknown,
} from './record-person-outcome.ts';

/**
 * Enrolls one person, unless the journal already has the response. Before the first byte is sent, the journal gets the
 * key, and then the ledger gets `unknown`. After the response, the ledger gets the outcome, and then the journal. So
 * after a kill without a response, a resume repeats the request only with the same key. Throws if the run must stop.
 */
export async function sendPerson(context: EnrollContext, person: Enrollee): Promise<PersonResult> {
  const earlier = enrollmentRequestOf(context.journal, person);
  const attempt = { person, earlierRequest: earlier, earlierEntry: context.records.ledger.lookup(person.email) };
  const outcome = personOutcomeOf(context.records, person, earlier);
  switch (outcome.kind) {
    case 'accepted':
      return outcome.isOpen ? send(context, attempt) : { kind: 'accepted' };
    case 'refused':
      return { kind: 'refused', countsAsFailed: false };
    case UNKNOWN_ENROLLMENT:
      return resultWithoutSending(context, attempt) ?? (await repeat(context, attempt));
    default:
      return send(context, attempt);
  }
}

/** Records an outcome without sending a request, if another contact or another row decides about this person. */
export function recordWithoutSending(
  context: EnrollContext,
  person: Enrollee,
  { earlier, word }: { readonly earlier: RecordedRequest | undefined; readonly word: string },
): void {
  const { client, journal, clock } = context;
  const key = enrollmentKey(client, enrollmentOf(context, person))(0);
  const intent = { kind: 'enrollment', name: enrollmentRequestName(person), rows: 1, key, keyVersion: 0 } as const;
  // One transaction writes both, because a resume would repeat a recorded request without an outcome.
  transaction(journal.db, () => {
    const id = earlier?.id ?? journal.requests.recordIntent({ ...intent, firstSentAt: clock.now() });
    recordOutcomeWord(context, id, { ...EMPTY_RESPONSE, status: 0, word });
  });
}

/**
 * The spelling that an earlier process sent. Another spelling has another key, and could enroll the person twice.
 * Throws if no spelling has the recorded key, because then another version of svc read this row differently.
 */
export function sentSpelling(context: EnrollContext, person: Enrollee, recorded: RecordedRequest): string {
  const isRecorded = (email: string) =>
    enrollmentKey(context.client, enrollmentOf(context, { ...person, email }))(recorded.keyVersion) === recorded.key;
  const spelling = [person.email, ...otherSpellings(person.email)].find(isRecorded);
  if (spelling === undefined) {
    throw readDifferentlyError(context);
  }
  return spelling;
}

function enrollmentOf({ automationId, keySuffix, records }: EnrollContext, { email }: Enrollee): Enrollment {
  return { automationId, email, keySuffix, atMostOnce: records.options.atMostOnce };
}

interface EnrollmentAttempt {
  readonly person: Enrollee;
  readonly earlierRequest: RecordedRequest | undefined;
  readonly earlierEntry: LedgerEntry | undefined;
}

/** The result for a person whose request has an unknown outcome. Undefined if the same key may be sent again. */
function resultWithoutSending(
  context: EnrollContext,
  attempt: EnrollmentAttempt,
): PersonResult | Promise<PersonResult> | undefined {
  const { earlierRequest, earlierEntry } = attempt;
  if (!earlierRequest) {
    return undefined;
  }
  if (earlierEntry?.run === context.journal.header.run && earlierEntry.outcome !== UNKNOWN_ENROLLMENT) {
    return resultOfLedger(context, attempt.person, earlierRequest, earlierEntry);
  }
  if (earlierRequest.response) {
    return { kind: 'unknown', cause: undefined };
  }
  const other = entryOfOtherRun(context.records, context.records.ledger.lookupLookAlikes(attempt.person.email));
  if (other) {
    // The ledger has no entry of this run, so an earlier process was killed before it sent a byte.
    const word = LASTING_OUTCOMES.includes(other.outcome) ? 'already_enrolled' : UNKNOWN_ENROLLMENT;
    recordWithoutSending(context, attempt.person, { earlier: earlierRequest, word });
    return { kind: 'refused', countsAsFailed: false };
  }
  if (
    context.records.options.atMostOnce ||
    context.journal.readNote(UNDATED_KEYS_NOTE) === true ||
    wasSentWithPreviousKey(context.journal, earlierRequest)
  ) {
    recordUnknown(context, earlierRequest.id);
    return { kind: 'unknown', cause: undefined };
  }
  return undefined;
}

/** The result if an earlier process wrote the outcome to the ledger, and was killed before it wrote the journal. */
function resultOfLedger(
  context: EnrollContext,
  person: Enrollee,
  { id }: RecordedRequest,
  { outcome }: LedgerEntry,
): PersonResult | Promise<PersonResult> {
  if (outcome === UNSENT) {
    recordWithoutResponse(context, id, false);
    return sendPerson(context, person);
  }
  recordOutcomeWord(context, id, { ...EMPTY_RESPONSE, status: 200, word: outcome });
  return outcome === NOT_ACTIVE ? sendPerson(context, person) : { kind: 'accepted' };
}

// The name of a note in run.db: true if a key was sent before the service had shown its time. The age of that key
// depends on the clock of this machine, which may be wrong. So no resume repeats a request of this run (P7).
const UNDATED_KEYS_NOTE = 'undated_keys';

function noteUndatedKey({ client, journal }: EnrollContext): void {
  if (!client.knowsServerTime() && journal.readNote(UNDATED_KEYS_NOTE) !== true) {
    journal.writeNote(UNDATED_KEYS_NOTE, true);
  }
}

/** Sends the request of an earlier process again. First records it in the ledger, as that process may not have done. */
function repeat(context: EnrollContext, attempt: EnrollmentAttempt): Promise<PersonResult> {
  recordAttempt(context, attempt.person, attempt.earlierEntry);
  return send(context, attempt);
}

async function send(
  context: EnrollContext,
  { person, earlierRequest, earlierEntry }: EnrollmentAttempt,
): Promise<PersonResult> {
  const isStoredErrorHarmless = earlierEntry?.outcome === NOT_ENROLLED;
  const enrollment = { ...enrollmentOf(context, person), isStoredErrorHarmless };
  const { id, outcome } = await recordAndSend<EnrollmentResult>(
    context,
    {
      kind: 'enrollment',
      name: enrollmentRequestName(person),
      rows: [person],
      keyForVersion: enrollmentKey(context.client, enrollment),
      post: ({ keySource, signal }) => {
        const beforeNewKey: typeof keySource.beforeNewKey = (intent) => {
          noteUndatedKey(context);
          keySource.beforeNewKey(intent);
          recordAttempt(context, person, earlierEntry);
        };
        return postEnrollment(context.client, enrollment, { keySource: { ...keySource, beforeNewKey }, signal });
      },
      // The unknown outcome is recorded before the next attempt. Another machine sent this key too, and a resume can't
      // know when. So a resume must not repeat the request (I4).
      noteSentElsewhere: (recorded) => recordUnknown(context, recorded),
    },
    earlierRequest,
  );
  const sent = { id, person, earlierEntry };
  if (outcome.kind === 'accepted' && isStoredNotActive(outcome)) {
    recordSuccess(context, sent, outcome);
    return sendPerson(context, person);
  }
  return recordPersonOutcome(context, sent, outcome);
}

/**
 * True if the service replays `automation_not_active`, and the key version can still grow. The user may have published
 * the automation since, so svc sends the next key version (I1).
 */
function isStoredNotActive({ value, replayed, keyVersion }: AcceptedEnrollment): boolean {
  return value.outcome === NOT_ACTIVE && replayed && keyVersion < LAST_KEY_VERSION;
}
