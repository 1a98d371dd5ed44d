import { EXIT, type SvcError } from '../../base/lib/errors.ts';
import { ApiError } from '../http/api-error.ts';
import { type AttemptResult, type Fault, incompleteResponse, type ResponseMeta } from '../http/read-response.ts';
import type { RetryWait } from '../http/service-connection.ts';
import type { WriteOutcome, WriteRequest } from './key-source.ts';
import { exceedsRetryTime, type FailedAttempts, MAX_POLLING_MS, pollDelay, retryDelay } from './retry-policy.ts';

/** What svc knows about one idempotency key between two attempts: its outcome, and how often and how long svc tried. */
export interface KeyState extends FailedAttempts {
  readonly keyVersion: number;
  /**
   * What svc knows about the outcome. `none`: no attempt had an effect. `unknown`: an attempt of svc may have had one.
   * Then only a replayed server error may change the key version (I2). `in flight`: another process sent the key, and
   * no attempt of this process reached the service.
   */
  readonly outcome: 'none' | 'unknown' | 'in flight';
  /** The number of all attempts of the request, including those with earlier keys. */
  readonly attempts: number;
  /** When the service first said that the key is in flight, on the monotonic clock. */
  readonly inFlightSince?: number | undefined;
}

/**
 * The state of a key before this process sends it. `isUnknown`: an attempt of an earlier process may have had an
 * effect.
 */
export function startKeyVersion(keyVersion: number, isUnknown: boolean, attempts = 0): KeyState {
  return { keyVersion, outcome: isUnknown ? 'unknown' : 'none', attempts, failures: 0, spentMs: 0 };
}

/** What a decision depends on, besides the result of the attempt. `now` is a time of the monotonic clock. */
export interface RetryInput {
  readonly now: number;
  /** How long the attempt took, in milliseconds. */
  readonly tookMs: number;
  /** A random number from 0 to below 1, for the jitter. */
  readonly random: number;
  /** True if the run is being interrupted. */
  readonly isAborted: boolean;
}

/** Send the same key again after a wait. After a 429 the rate limiter waits. */
export interface SameKeyRetry {
  readonly kind: 'retry';
  readonly attempt: KeyState;
  readonly wait: RetryWait;
}

/** What to do after an attempt. With `next_key`, svc goes on with the next key version. */
export type RetryDecision<T> =
  | WriteOutcome<T>
  | { readonly kind: 'next_key'; readonly attempt: KeyState }
  | SameKeyRetry;

/** The last version of a key. svc sends no later one. */
export const LAST_KEY_VERSION = 9;

/** Decides after an attempt whether a write request is finished or is repeated, and under which key. */
export function decideRetry<T>(
  request: WriteRequest<T>,
  before: KeyState,
  result: AttemptResult,
  moment: RetryInput,
): RetryDecision<T> {
  const attempt = { ...before, attempts: before.attempts + 1 };
  switch (result.kind) {
    case 'success': {
      const value = request.parseResponse(result.json, result.meta.replayed);
      return value === undefined
        ? afterFault(request, attempt, incompleteResponse(result.meta), moment)
        : afterSuccess(request, attempt, { value, status: result.status, replayed: result.meta.replayed }, moment);
    }
    case 'refused':
      return afterRefusal(request, attempt, result, moment);
    case 'limited':
      return afterLimit(request, attempt, result, moment);
    case 'in_flight':
      return afterConflict(request, attempt, result.error, moment);
    default:
      return afterFault(request, attempt, result satisfies Fault, moment);
  }
}

/** Ends the request without a result. Its outcome is unknown if an attempt may have had an effect. */
export function giveUp({ keyVersion, outcome }: KeyState, cause: SvcError) {
  return { kind: 'gave_up', cause, keyVersion, outcomeUnknown: outcome !== 'none' } as const;
}

function nextKey({ keyVersion, outcome, attempts }: KeyState, { isAborted }: RetryInput): RetryDecision<never> {
  const outcomeUnknown = outcome === 'unknown';
  return isAborted
    ? { kind: 'interrupted', keyVersion, outcomeUnknown }
    : { kind: 'next_key', attempt: startKeyVersion(keyVersion + 1, outcomeUnknown, attempts) };
}

function afterFault<T>(request: WriteRequest<T>, before: KeyState, fault: Fault, moment: RetryInput): RetryDecision<T> {
  const { error, meta, mayHaveReachedService, isRetryable } = fault;
  const attempt: KeyState = mayHaveReachedService ? { ...before, outcome: 'unknown' } : before;
  const isStoredError = meta.replayed && meta.status !== undefined && meta.status >= 500;
  // A stored error is harmless only if no attempt since the user's decision can have caused it.
  const isHarmless = request.isStoredErrorHarmless === true && before.outcome === 'none';
  if (isStoredError && isHarmless && before.keyVersion < LAST_KEY_VERSION) {
    return nextKey(before, moment);
  }
  if (mayHaveReachedService && request.atMostOnce) {
    return { ...giveUp(attempt, error), ...longWaitAskedFor(request, before, fault, moment) };
  }
  if (isStoredError) {
    return request.policy === 'repeatable' && attempt.keyVersion < LAST_KEY_VERSION
      ? nextKey(attempt, moment)
      : { ...giveUp(attempt, error), expired: 'stored' };
  }
  const failures = attempt.failures + 1;
  const spentMs = attempt.spentMs + moment.tookMs;
  const jitter = { random: moment.random, atLeastMs: meta.retryAfterMs };
  const ms = isRetryable ? retryDelay(request.policy, { failures, spentMs }, jitter) : undefined;
  return ms === undefined
    ? { ...giveUp(attempt, error), ...longWaitAskedFor(request, before, fault, moment) }
    : {
        kind: 'retry',
        attempt: { ...attempt, failures, spentMs: spentMs + ms },
        wait: { reason: 'retry', ms, cause: error },
      };
}

/**
 * Has `retryAfterMs` only if the service asks for a wait that is longer than all attempts together may take. Then a
 * caller can stop, because its other requests would have to wait as long.
 */
function longWaitAskedFor<T>(
  { policy }: WriteRequest<T>,
  { failures, spentMs }: KeyState,
  { meta: { retryAfterMs }, isRetryable }: Fault,
  { tookMs }: RetryInput,
): { readonly retryAfterMs?: number } {
  const isTooLong =
    isRetryable &&
    retryAfterMs !== undefined &&
    exceedsRetryTime(policy, { failures, spentMs: spentMs + tookMs }, retryAfterMs);
  return isTooLong ? { retryAfterMs } : {};
}

function afterConflict<T>(
  request: WriteRequest<T>,
  before: KeyState,
  cause: SvcError,
  moment: RetryInput,
): RetryDecision<T> {
  const outcome = before.outcome === 'unknown' ? 'unknown' : 'in flight';
  const { inFlightSince = moment.now } = before;
  const attempt: KeyState = { ...before, outcome, inFlightSince };
  const ms = pollDelay(moment.random);
  return request.atMostOnce || moment.now + ms - inFlightSince > MAX_POLLING_MS
    ? giveUp(attempt, cause)
    : { kind: 'retry', attempt, wait: { reason: 'in_flight_elsewhere', ms, cause } };
}

function afterSuccess<T>(
  request: WriteRequest<T>,
  attempt: KeyState,
  accepted: { readonly value: T; readonly status: number; readonly replayed: boolean },
  moment: RetryInput,
): RetryDecision<T> {
  const { keyVersion, outcome } = attempt;
  const mayChangeKey = accepted.replayed && outcome === 'none' && keyVersion < LAST_KEY_VERSION;
  if (mayChangeKey && request.isCurable?.(accepted.value)) {
    return nextKey(attempt, moment);
  }
  const lost = outcome === 'unknown' && { afterLostResponse: true };
  return { kind: 'accepted', ...accepted, keyVersion, ...(outcome === 'in flight' ? { afterConflict: true } : lost) };
}

function afterRefusal<T>(
  request: WriteRequest<T>,
  attempt: KeyState,
  { error, meta: { replayed } }: { readonly error: ApiError; readonly meta: ResponseMeta },
  moment: RetryInput,
): RetryDecision<T> {
  const { keyVersion, outcome } = attempt;
  if (replayed && isCurable(error) && outcome !== 'unknown' && keyVersion < LAST_KEY_VERSION) {
    return nextKey(attempt, moment);
  }
  // A refusal that is no replay proves nothing about an earlier attempt. If that attempt may have had an effect, svc
  // gives up with an unknown outcome. A repeatable write ends as refused, because it may be sent once more (I2, I4).
  // But if the API key is refused, svc gives it up too: the service checks that key before the idempotency key.
  const mayHideOutcome = error.exit === EXIT.auth || request.policy !== 'repeatable';
  const mayHaveEffect = outcome !== 'none';
  return mayHaveEffect && !replayed && mayHideOutcome
    ? giveUp(attempt, error)
    : { kind: 'refused', error, replayed, keyVersion, ...(mayHaveEffect && { mayHaveEffect }) };
}

function afterLimit<T>(
  request: WriteRequest<T>,
  before: KeyState,
  { error: cause, meta }: { readonly error: SvcError; readonly meta: ResponseMeta },
  moment: RetryInput,
): RetryDecision<T> {
  // Only a 429 with the error body of the service proves that the request had no effect.
  const mayHaveEffect = !(cause instanceof ApiError);
  if (meta.replayed && !mayHaveEffect) {
    return afterStoredLimit(request, before, cause, moment);
  }
  const attempt: KeyState = mayHaveEffect ? { ...before, outcome: 'unknown' } : before;
  return mayHaveEffect && request.atMostOnce
    ? giveUp(attempt, cause)
    : { kind: 'retry', attempt, wait: { reason: 'rate_limit', ms: 0, cause } };
}

/** A service that stores a 429 replays it for 24 hours. So svc goes on with the next key version (I1). */
function afterStoredLimit<T>(
  { policy }: WriteRequest<T>,
  before: KeyState,
  cause: SvcError,
  moment: RetryInput,
): RetryDecision<T> {
  const mayChangeKey = before.outcome !== 'unknown' || policy === 'repeatable';
  return mayChangeKey && before.keyVersion < LAST_KEY_VERSION
    ? nextKey(before, moment)
    : { ...giveUp(before, cause), expired: 'stored' };
}

/** True if a user can remove the cause of the refusal. Even then the service replays the refusal for 24 hours (I1). */
function isCurable({ status, code }: ApiError): boolean {
  return status === 401 || status === 403 || status === 404 || (status === 409 && code === 'invalid_request');
}
