import { ApiError } from '../api/http/api-error.ts';
import type { SendOptions, WriteOutcome } from '../api/retry/key-source.ts';
import { EXIT, SvcError } from '../base/lib/errors.ts';
import { OUTCOME_UNKNOWN, type RecordedRequest } from '../runs/store/recorded-request.ts';
import {
  type CreationRun,
  endCreation,
  findCreationRequest,
  findOpenRequest,
  isDatedByService,
  keyFirstSentAt,
  learnServiceTime,
  readCreationRecord,
  recordCreationKey,
  recordedKeys,
  recordNewRetryWindow,
  recordResponse,
  wasDatedByService,
} from './creation-record.ts';
import { type NoResponse, noResponseError, recordAndSend } from './record-and-send.ts';

/** One POST that must have its effect at most once. `T` is its response, `R` the part that the journal records. */
interface Creation<T, R> {
  post(sendOptions: SendOptions): Promise<WriteOutcome<T>>;
  /** Returns the part of the response that a resume needs. run.db stores it, so it must hold no secret. */
  record(response: T): R;
  /** True if the caller needs the whole response. Then a resume sends the same key again, to get it. */
  readonly needsResponse?: boolean;
  /**
   * If true, svc may repeat a key with an unknown outcome for 4 min 30 s more. The caller must first check which
   * objects exist (W1).
   */
  readonly newWindow?: boolean;
  /**
   * True if the caller would find and report a second object. Then the local clock may decide how old a key is (I6).
   */
  readonly callerDetectsDuplicate?: boolean;
  /** Called before a new key is used. Throws if another run may still create the same object (I11). */
  refuseOpen?(): void;
  /** Makes the error to throw if the service refuses. By default the error of the service is thrown. */
  explain?(refusal: ApiError): SvcError;
}

/**
 * A creation that had its effect. `replayed`: the service repeated its stored response. `recorded`: an earlier process
 * got the response, and this process sent nothing. With `replayed` and `recorded`, the object may have been deleted
 * since (I7).
 */
export type CreationResult<T, R> =
  | { readonly kind: 'created' | 'replayed'; readonly recorded: R; readonly response: T }
  | { readonly kind: 'recorded'; readonly recorded: R; readonly response?: undefined };

export class CreationOutcomeUnknown extends SvcError {
  /**
   * Why the key can't be repeated: its age, a replayed failure, or another API key. Undefined if it can be repeated.
   */
  readonly expired: 'time' | 'stored' | 'api key' | undefined;

  constructor(cause: SvcError, expired: CreationOutcomeUnknown['expired']) {
    const { exit, code, message, hint, requestId } = cause;
    super(exit, code, message, { hint, cause, requestId });
    this.expired = expired;
  }
}

/**
 * Creates one object, or repeats the request of an earlier process under the same key. The key is on disk before the
 * request is sent (I9). When this returns, the part of the response in `recorded` is on disk too. The caller then
 * stores its result, and ends the creation as `done`. Throws if nothing was created. Throws CreationOutcomeUnknown if
 * the object may have been created.
 */
export async function createIdempotently<T, R>(
  run: CreationRun,
  creation: Creation<T, R>,
): Promise<CreationResult<T, R>> {
  const { post, record, needsResponse = false, explain = (refusal) => refusal } = creation;
  const earlier = readCreationRecord(run);
  const open = findOpenRequest(run);
  if (open && earlier && earlier.keyFingerprint !== run.keyFingerprint) {
    const cause = new SvcError(EXIT.failed, 'in_doubt', 'the request was sent with another API key');
    throw new CreationOutcomeUnknown(cause, 'api key');
  }
  if (earlier?.recorded !== undefined && (earlier.deleted || !needsResponse)) {
    return { kind: 'recorded', recorded: earlier.recorded as R };
  }
  const request = open ? await prepareRepeat(run, open, creation) : await prepareFirst(run, creation);
  const { op, rows, signal } = run;
  const keyForVersion = recordedKeys(run);
  const { outcome } = await recordAndSend<T>(run, { kind: 'creation', name: op, rows, keyForVersion, post }, request);
  switch (outcome.kind) {
    case 'accepted': {
      const recorded = record(outcome.value);
      recordResponse(run, recorded);
      return { kind: outcome.replayed ? 'replayed' : 'created', response: outcome.value, recorded };
    }
    case 'refused':
      endCreation(run, 'refused');
      throw explain(outcome.error);
    default:
      endCreation(run, outcome.outcomeUnknown ? OUTCOME_UNKNOWN : 'refused');
      throw problemOf(outcome, signal);
  }
}

/**
 * Prepares the first request of a creation, and records its key. Returns the request of an earlier attempt, if one is
 * recorded. Throws if the service can't be reached, because then nothing was sent or created.
 */
async function prepareFirst(
  run: CreationRun,
  { refuseOpen }: Pick<Creation<unknown, unknown>, 'refuseOpen'>,
): Promise<RecordedRequest | undefined> {
  const failure = await learnServiceTime(run);
  const problem = (failure instanceof ApiError ? undefined : failure) ?? run.journal.problemIfLost();
  if (problem) {
    throw problem;
  }
  refuseOpen?.();
  const isNewKey = readCreationRecord(run) === undefined;
  recordCreationKey(run);
  const request = findCreationRequest(run);
  // If the run has a recorded request, but no key, the object of that request was deleted since. The run then creates
  // the object again under a new key, from version 0.
  return request && isNewKey ? { ...request, keyVersion: 0 } : request;
}

/**
 * Prepares a request with an unknown outcome for a repeat. It keeps its key version, even in a new window (I2). Throws
 * if only the local clock shows the age of the key, because that clock may have been set back (I6). With `newWindow` or
 * `callerDetectsDuplicate` the local clock is enough.
 */
async function prepareRepeat(
  run: CreationRun,
  request: RecordedRequest,
  {
    newWindow = false,
    callerDetectsDuplicate = false,
  }: Pick<Creation<unknown, unknown>, 'newWindow' | 'callerDetectsDuplicate'>,
): Promise<RecordedRequest> {
  const failure = await learnServiceTime(run);
  if (newWindow) {
    return recordNewRetryWindow(run, request);
  }
  if (!callerDetectsDuplicate && !isDatedByService(run)) {
    throw errorOfUnknownAge(run, failure);
  }
  return { ...request, firstSentAt: keyFirstSentAt(run, request) };
}

/** The error if the age of a key is unknown. `failure` is the error of the read that should have shown the time. */
function errorOfUnknownAge(run: CreationRun, failure: unknown): unknown {
  // If the service can't be reached, or refused without showing its time, a later resume may still repeat the key in
  // time.
  if (failure instanceof ApiError && wasDatedByService(run)) {
    return new CreationOutcomeUnknown(failure, undefined);
  }
  const isUnreachable = failure !== undefined && !(failure instanceof ApiError);
  return isUnreachable ? failure : new CreationOutcomeUnknown(ageUnknown(), 'time');
}

function ageUnknown(): SvcError {
  const message = 'no response arrived, and the service did not show its time, so the request may be too old to repeat';
  return new SvcError(EXIT.failed, 'in_doubt', message);
}

function problemOf(outcome: NoResponse, signal: AbortSignal): SvcError {
  return outcome.kind === 'gave_up' && outcome.outcomeUnknown
    ? new CreationOutcomeUnknown(outcome.cause, outcome.expired)
    : noResponseError(outcome, signal);
}
