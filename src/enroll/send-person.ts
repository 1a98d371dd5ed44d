import { type Enrollment, enroll, enrollmentKey } from '../api/resources/automations.ts';
import type { WriteOutcome } from '../api/retry/write-request.ts';
import { SvcError } from '../base/lib/errors.ts';
import { EXIT } from '../base/lib/exit.ts';
import type { Enrollee } from '../import/batch/reread-list.ts';
import {
  EXPECTED_FAILURE,
  failureOf,
  recordOutcome,
  recordWithoutResponse,
  sendRequest,
} from '../migrate/write/record-and-send.ts';
import { readDifferentlyError } from '../migrate/write/send-and-bisect.ts';
import { type LedgerEntry, UNKNOWN } from '../runs/enrollment-ledger.ts';
import {
  EMPTY_RESPONSE,
  OUTCOME_UNKNOWN,
  type RecordedRequest,
  type RecordedResponse,
} from '../runs/store/recorded-request.ts';
import { otherSpellings } from '../wire/person-key.ts';
import type { EnrollmentResult } from '../wire/shapes.ts';
import { requestName } from './enrollment-list.ts';
import {
  type EnrollContext,
  isDocumented,
  outcomeOf,
  recordAttempt,
  recordInLedger,
  requestOf,
  type SentEnrollment,
  UNSENT,
  wasSentWithPreviousKey,
} from './enrollment-records.ts';

export type PersonResult =
  | { readonly kind: 'accepted' }
  /** The service refused this person, and the run goes on. `failed` is true if the row counts as failed. */
  | { readonly kind: 'refused'; readonly failed: boolean }
  | { readonly kind: 'unknown'; readonly cause: SvcError | undefined };

/** The outcome if the automation can't run. All further requests would get it too, so the run stops. */
const NOT_ACTIVE = 'automation_not_active';

/**
 * Enrolls one person, unless the journal already has the response. The ledger gets `unknown` before the first byte is
 * sent, and the outcome before the journal gets it. So after a kill a request without a response is repeated with the
 * same key only. Throws if the run must stop.
 */
export async function sendPerson(context: EnrollContext, person: Enrollee): Promise<PersonResult> {
  const earlier = requestOf(context.journal, person);
  const attempt = { person, earlier, before: context.records.ledger.lookup(person.email) };
  const outcome = outcomeOf(context.records, person, earlier);
  switch (outcome.kind) {
    case 'accepted':
      return { kind: 'accepted' };
    case 'refused':
      return { kind: 'refused', failed: false };
    case UNKNOWN:
      return resultWithoutSending(context, attempt) ?? (await send(context, attempt));
    default:
      return send(context, attempt);
  }
}

/** Records `not_subscribed` in the journal for a person who opted out under another spelling. No request is sent. */
export function recordNotSubscribed(
  context: EnrollContext,
  person: Enrollee,
  earlier: RecordedRequest | undefined,
): void {
  const { client, journal, clock } = context;
  const key = enrollmentKey(client, enrollmentOf(context, person))(0);
  const intent = { kind: 'enrollment', name: requestName(person), rows: 1, key, keyVersion: 0 } as const;
  const id = earlier?.id ?? journal.requests.recordIntent({ ...intent, firstSentAt: clock.now() });
  journal.requests.recordOutcome(id, 'done', { ...EMPTY_RESPONSE, status: 0, word: 'not_subscribed' });
}

/**
 * The spelling that an earlier process sent: another one has another key, which could enroll the person twice. Throws
 * if no spelling has the recorded key. Then another version of svc read another person in this row.
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
  readonly earlier: RecordedRequest | undefined;
  readonly before: LedgerEntry | undefined;
}

/** The result for a person with an unknown outcome. Undefined if the request may be sent again with the same key. */
function resultWithoutSending(
  context: EnrollContext,
  { earlier, before }: EnrollmentAttempt,
): PersonResult | undefined {
  if (earlier && before?.run === context.journal.header.run && before.outcome !== UNKNOWN) {
    // An earlier process was killed after it wrote the outcome to the ledger, before it wrote it to the journal.
    recordWord(context, earlier.id, { ...EMPTY_RESPONSE, status: 200, word: before.outcome });
    return { kind: 'accepted' };
  }
  if (earlier?.response) {
    return { kind: 'unknown', cause: undefined };
  }
  if (earlier && (context.records.options.atMostOnce || wasSentWithPreviousKey(context.journal, earlier))) {
    recordUnknown(context, earlier.id);
    return { kind: 'unknown', cause: undefined };
  }
  return undefined;
}

async function send(context: EnrollContext, { person, earlier, before }: EnrollmentAttempt): Promise<PersonResult> {
  const enrollment = enrollmentOf(context, person);
  const { id, outcome } = await sendRequest<EnrollmentResult>(
    context,
    {
      kind: 'enrollment',
      name: requestName(person),
      rows: [person],
      keyForVersion: enrollmentKey(context.client, enrollment),
      post: ({ keySource, signal }) => {
        const beforeKey: typeof keySource.beforeKey = (intent) => {
          recordAttempt(context, person, before);
          keySource.beforeKey(intent);
        };
        return enroll(context.client, enrollment, { keySource: { ...keySource, beforeKey }, signal });
      },
      // On disk before the next attempt: another machine sent this key, and a resume can't tell when. So it must not
      // repeat the request (I4).
      noteSentElsewhere: (recorded) => recordUnknown(context, recorded),
    },
    earlier,
  );
  return record(context, { id, person, before }, outcome);
}

type OutcomeOfKind<K> = Extract<WriteOutcome<EnrollmentResult>, { kind: K }>;

function record(context: EnrollContext, sent: SentEnrollment, outcome: WriteOutcome<EnrollmentResult>): PersonResult {
  switch (outcome.kind) {
    case 'accepted':
      return recordResponse(context, sent, outcome);
    case 'refused':
      return recordRefusal(context, sent, outcome);
    case 'gave_up':
      return recordNoResponse(context, sent, outcome);
    default:
      recordIncomplete(context, sent, outcome.outcomeUnknown);
      throw failureOf(outcome, context.signal);
  }
}

function recordResponse(
  context: EnrollContext,
  sent: SentEnrollment,
  { value, status, replayed }: OutcomeOfKind<'accepted'>,
): PersonResult {
  const word = value.outcome;
  if (isDocumented(word)) {
    recordInLedger(context, sent, word);
  }
  recordWord(context, sent.id, { ...EMPTY_RESPONSE, status, replayed, word });
  if (word === NOT_ACTIVE) {
    throw new SvcError(
      EXIT.stopped,
      NOT_ACTIVE,
      "the automation's published version is unusable, so no one can be enrolled",
      { hint: `Publish it again in the app. Then: svc runs resume ${context.journal.header.run}` },
    );
  }
  return { kind: 'accepted' };
}

/** Records the outcome word of a response. An unknown word may mean that the automation started (O6). */
function recordWord(
  context: EnrollContext,
  id: number | undefined,
  response: RecordedResponse & { word: string },
): void {
  const isKnown = isDocumented(response.word) || response.word === EXPECTED_FAILURE;
  recordOutcome(context, id, { state: isKnown ? 'done' : OUTCOME_UNKNOWN, response });
}

/** A suppressed address or a 400 concerns this person only. Any other refusal concerns all, so it stops the run. */
function recordRefusal(
  context: EnrollContext,
  sent: SentEnrollment,
  { error, replayed }: OutcomeOfKind<'refused'>,
): PersonResult {
  const response = { ...EMPTY_RESPONSE, status: error.status, replayed };
  if (error.code === EXPECTED_FAILURE) {
    recordInLedger(context, sent, error.code);
    recordOutcome(context, sent.id, { state: 'done', response: { ...response, word: error.code } });
    return { kind: 'refused', failed: false };
  }
  if (error.status === 400) {
    const { source, line } = sent.person;
    const failures = [{ source, line, code: error.code, detail: error.message }];
    recordOutcome(context, sent.id, { state: 'done', response: { ...response, failures } });
    recordInLedger(context, sent, UNSENT);
    return { kind: 'refused', failed: true };
  }
  recordOutcome(context, sent.id, { state: 'refused', response: { ...response, word: error.code } });
  recordInLedger(context, sent, UNSENT);
  throw error;
}

function recordNoResponse(
  context: EnrollContext,
  sent: SentEnrollment,
  { cause, outcomeUnknown, retryAfterMs }: OutcomeOfKind<'gave_up'>,
): PersonResult {
  if (retryAfterMs !== undefined) {
    // The service asks for a long wait. Requests for other people would also end without an outcome, so the run stops
    // (P4).
    recordIncomplete(context, sent, outcomeUnknown);
    throw retryLaterError(context, retryAfterMs, cause);
  }
  const stops = !outcomeUnknown || cause.exit === EXIT.auth || cause.code === 'too_many_retries';
  if (stops) {
    recordIncomplete(context, sent, outcomeUnknown);
    throw cause;
  }
  recordUnknown(context, sent.id);
  return { kind: 'unknown', cause };
}

function retryLaterError({ clock, journal }: EnrollContext, retryAfterMs: number, cause: SvcError): SvcError {
  const at = new Date(clock.now() + retryAfterMs).toISOString();
  const message = `the service asks to come back after ${at}, too late to repeat an enrollment: ${cause.message}`;
  const hint = `After ${at}: svc runs resume ${journal.header.run}`;
  return new SvcError(EXIT.later, 'later', message, { hint, cause });
}

/**
 * Records a request that ended without a response. If it may have had an effect, a resume repeats it, unless another
 * machine sent its key. If it had no effect, the person is unsent again.
 */
function recordIncomplete(context: EnrollContext, sent: SentEnrollment, outcomeUnknown: boolean): void {
  if (outcomeUnknown && requestOf(context.journal, sent.person)?.response) {
    return;
  }
  recordWithoutResponse(context, sent.id, outcomeUnknown);
  if (!outcomeUnknown) {
    recordInLedger(context, sent, UNSENT);
  }
}

/** Records an outcome that only the user can resolve: the word `unknown` keeps a resume from sending again. */
function recordUnknown(context: EnrollContext, id: number | undefined): void {
  recordOutcome(context, id, { state: OUTCOME_UNKNOWN, response: { ...EMPTY_RESPONSE, status: 0, word: UNKNOWN } });
}
