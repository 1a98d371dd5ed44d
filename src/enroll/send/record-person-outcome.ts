import type { WriteOutcome } from '../../api/retry/key-source.ts';
import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { UNKNOWN_ENROLLMENT } from '../../ledgers/enrollment-entries.ts';
import { EMPTY_RESPONSE, OUTCOME_UNKNOWN, type RecordedResponse } from '../../runs/store/recorded-request.ts';
import {
  noResponseError,
  recordOutcome,
  recordWithoutResponse,
  SUPPRESSED_CODE,
} from '../../sending/record-and-send.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { EnrollmentResult } from '../../wire/shapes.ts';
import {
  type EnrollContext,
  enrollmentRequestOf,
  isDocumentedOutcome,
  NOT_ACTIVE,
  UNSENT,
} from '../records/enrollment-records.ts';
import { recordInLedger, type SentEnrollment } from '../records/ledger-writes.ts';

export type PersonResult =
  | { readonly kind: 'accepted' }
  /** The service refused this person, and the run goes on. `countsAsFailed` is true if the row counts as failed. */
  | { readonly kind: 'refused'; readonly countsAsFailed: boolean }
  | { readonly kind: 'unknown'; readonly cause: SvcError | undefined };

type OutcomeOfKind<K> = Extract<WriteOutcome<EnrollmentResult>, { kind: K }>;
/** A response with status 200. */
export type AcceptedEnrollment = OutcomeOfKind<'accepted'>;

/** Records the outcome of the request for one person, in ledger and journal. Throws if the run must stop. */
export function recordPersonOutcome(
  context: EnrollContext,
  sent: SentEnrollment,
  outcome: WriteOutcome<EnrollmentResult>,
): PersonResult {
  switch (outcome.kind) {
    case 'accepted':
      recordSuccess(context, sent, outcome);
      if (outcome.value.outcome === NOT_ACTIVE) {
        throw notActiveError(context, outcome);
      }
      return { kind: 'accepted' };
    case 'refused':
      return recordRefusal(context, sent, outcome);
    case 'gave_up':
      return recordNoResponse(context, sent, outcome);
    default:
      recordIncomplete(context, sent, outcome.outcomeUnknown);
      throw noResponseError(outcome, context.signal);
  }
}

/** Records the outcome of a response with status 200, in ledger and journal. */
export function recordSuccess(
  context: EnrollContext,
  sent: SentEnrollment,
  { value, status, replayed }: AcceptedEnrollment,
): void {
  const word = value.outcome;
  if (isDocumentedOutcome(word)) {
    recordInLedger(context, sent, word);
  }
  recordOutcomeWord(context, sent.id, { ...EMPTY_RESPONSE, status, replayed, word });
}

/**
 * The error of a run whose automation is not active. `replayed` is true only for the last key version. Then the service
 * repeats this outcome until it forgets the key, even if the automation is active again (I1).
 */
function notActiveError({ clock, journal }: EnrollContext, { replayed }: AcceptedEnrollment): SvcError {
  const resume = `svc runs resume ${journal.header.run}`;
  const time = new Date(clock.now() + LIMITS.idempotencyReplayMs).toISOString();
  const hint = replayed
    ? `The service repeats this for up to 24 hours, also if you publish it again in the app. After ${time}: ${resume}`
    : `Publish it again in the app. Then: ${resume}`;
  const message = "the automation's published version is unusable, so no one can be enrolled";
  return new SvcError(EXIT.stopped, NOT_ACTIVE, message, { hint });
}

/** Records the outcome word of a response. An unknown word may mean that the automation started (O6). */
export function recordOutcomeWord(
  context: EnrollContext,
  id: number | undefined,
  response: RecordedResponse & { word: string },
): void {
  const isKnown = isDocumentedOutcome(response.word) || response.word === SUPPRESSED_CODE;
  recordOutcome(context, id, { state: isKnown ? 'done' : OUTCOME_UNKNOWN, response });
}

/**
 * Records a refusal. A 400 and the refusal of a suppressed address concern only this person, and the run goes on. Any
 * other refusal concerns all people, so it stops the run.
 */
function recordRefusal(
  context: EnrollContext,
  sent: SentEnrollment,
  { error, replayed }: OutcomeOfKind<'refused'>,
): PersonResult {
  const response = { ...EMPTY_RESPONSE, status: error.status, replayed };
  if (error.code === SUPPRESSED_CODE) {
    recordInLedger(context, sent, error.code);
    recordOutcome(context, sent.id, { state: 'done', response: { ...response, word: error.code } });
    return { kind: 'refused', countsAsFailed: false };
  }
  if (error.status === 400) {
    const { source, line } = sent.person;
    const failures = [{ source, line, code: error.code, detail: error.message }];
    recordInLedger(context, sent, UNSENT);
    recordOutcome(context, sent.id, { state: 'done', response: { ...response, failures } });
    return { kind: 'refused', countsAsFailed: true };
  }
  recordInLedger(context, sent, UNSENT);
  recordOutcome(context, sent.id, { state: 'refused', response: { ...response, word: error.code } });
  throw error;
}

function recordNoResponse(
  context: EnrollContext,
  sent: SentEnrollment,
  { cause, outcomeUnknown, retryAfterMs }: OutcomeOfKind<'gave_up'>,
): PersonResult {
  if (retryAfterMs !== undefined) {
    // The service asks for a long wait. Requests for other people would get no outcome either, so the run stops (P4).
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
  const time = new Date(clock.now() + retryAfterMs).toISOString();
  const message = `the service asks svc to wait until ${time}, longer than svc repeats an enrollment: ${cause.message}`;
  const hint = `After ${time}: svc runs resume ${journal.header.run}`;
  return new SvcError(EXIT.later, 'later', message, { hint, cause });
}

/**
 * Records a request that ended without a response. If it may have had an effect, a resume repeats it, unless another
 * machine sent its key too. If it had no effect, the person counts as unsent again.
 */
function recordIncomplete(context: EnrollContext, sent: SentEnrollment, outcomeUnknown: boolean): void {
  if (outcomeUnknown && enrollmentRequestOf(context.journal, sent.person)?.response) {
    return;
  }
  if (!outcomeUnknown) {
    recordInLedger(context, sent, UNSENT);
  }
  recordWithoutResponse(context, sent.id, outcomeUnknown);
}

/**
 * Records an unknown outcome that only the user can resolve. The word `unknown` keeps a resume from sending the request
 * again.
 */
export function recordUnknown(context: EnrollContext, id: number | undefined): void {
  recordOutcome(context, id, {
    state: OUTCOME_UNKNOWN,
    response: { ...EMPTY_RESPONSE, status: 0, word: UNKNOWN_ENROLLMENT },
  });
}
