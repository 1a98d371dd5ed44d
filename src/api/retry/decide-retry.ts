import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { ApiError } from '../api-error.ts';
import { type Answer, type Fault, incompleteAnswer } from '../http/answer.ts';
import type { Channel } from '../http/channel.ts';
import { LaterError } from '../rate-limit/rate-limiter.ts';
import type { KeyExpiry } from './key-expiry.ts';
import { IN_FLIGHT_POLL_MS, pollDelay, retryDelay } from './retry-policy.ts';
import type { WriteOutcome, WriteRequest } from './write-request.ts';

/** State that is carried from one key version to the next. */
export interface KeyState {
  readonly keyVersion: number;
  /** An earlier outcome is unknown: the key version must not change (rule I2). */
  readonly outcomeUnknown: boolean;
  readonly attempts: number;
}

/** A write request that is sent under one key. */
export interface KeyedRequest<T> {
  readonly channel: Channel;
  readonly request: WriteRequest<T>;
  readonly expiry: KeyExpiry;
  readonly signal: AbortSignal | undefined;
}

/** Continue with the next key version. */
export interface NextKeyVersion {
  readonly kind: 'next_key';
  readonly state: KeyState;
}

/** Send the same key again after a wait. The rate limiter does the waiting for 429s. */
export interface RetryStep {
  readonly kind: 'retry';
  readonly waitMs: number;
  readonly reason: 'retry' | 'in_flight_elsewhere' | 'rate_limit';
  readonly cause: SvcError;
}

/** What to do after a response. */
export type Step<T> = WriteOutcome<T> | NextKeyVersion | RetryStep;

/** Counts the attempts of one key and decides the next step after each response. */
export interface RetryDecider<T> {
  attempts(): number;
  /** An attempt starts now. */
  attempted(): void;
  decide(answer: Answer): Step<T>;
  /** The time for repeats of this key is over. */
  tooLate(cause: SvcError): WriteOutcome<T>;
  /** The outcome for an error thrown before or between attempts. Throws unexpected errors again. */
  stopped(error: unknown): WriteOutcome<T>;
}

const LAST_KEY_VERSION = 9;

/** Decides after each response whether a write request is repeated, under which key, or is finished. */
export function createRetryDecider<T>(
  { channel, request, expiry, signal }: KeyedRequest<T>,
  before: KeyState,
): RetryDecider<T> {
  const { keyVersion } = before;
  let { outcomeUnknown, attempts } = before;
  let inFlightElsewhere = false;
  let failures = 0;
  let spentMs = 0;
  let startedAt = 0;
  let conflictSince: number | undefined;

  const isUnknown = () => outcomeUnknown || inFlightElsewhere;
  const giveUp = (cause: SvcError) => ({ kind: 'gave_up', cause, keyVersion, outcomeUnknown: isUnknown() }) as const;
  const next = (): Step<T> =>
    signal?.aborted
      ? { kind: 'interrupted', keyVersion, outcomeUnknown }
      : { kind: 'next_key', state: { keyVersion, outcomeUnknown, attempts } };

  const onFault = (fault: Fault): Step<T> => {
    const { meta } = fault;
    if (fault.reached) {
      outcomeUnknown = true;
      expiry.reached();
    }
    if (fault.reached && request.atMostOnce) {
      return giveUp(fault.error);
    }
    if (meta.replayed && meta.status !== undefined && meta.status >= 500) {
      return request.policy === 'repeatable' && keyVersion < LAST_KEY_VERSION
        ? next()
        : { ...giveUp(fault.error), expired: 'stored' };
    }
    failures += 1;
    spentMs += channel.clock.monotonic() - startedAt;
    const jitter = { random: channel.random(), atLeastMs: meta.retryAfterMs };
    const waitMs = fault.retryable ? retryDelay(request.policy, { failures, spentMs }, jitter) : undefined;
    if (waitMs === undefined) {
      return giveUp(fault.error);
    }
    spentMs += waitMs;
    return { kind: 'retry', waitMs, reason: 'retry', cause: fault.error };
  };

  const onConflict = (error: ApiError): Step<T> => {
    inFlightElsewhere = true;
    expiry.reached();
    if (request.atMostOnce) {
      return giveUp(error);
    }
    conflictSince ??= channel.clock.monotonic();
    const waitMs = pollDelay(channel.random());
    const tooLong = channel.clock.monotonic() + waitMs - conflictSince > IN_FLIGHT_POLL_MS;
    return tooLong ? giveUp(error) : { kind: 'retry', waitMs, reason: 'in_flight_elsewhere', cause: error };
  };

  const onSuccess = (answer: Answer & { kind: 'success' }): Step<T> => {
    const value = request.read(answer.json);
    const { replayed } = answer.meta;
    if (value === undefined) {
      return onFault(incompleteAnswer(answer.meta));
    }
    if (replayed && !isUnknown() && keyVersion < LAST_KEY_VERSION && request.isCurable?.(value)) {
      return next();
    }
    const afterLostResponse = outcomeUnknown && { ours: true };
    return { kind: 'answered', value, status: answer.status, replayed, keyVersion, ...afterLostResponse };
  };

  const onRefusal = ({ error, meta }: Answer & { kind: 'refused' }): Step<T> => {
    if (meta.replayed && isCurable(error) && !outcomeUnknown && keyVersion < LAST_KEY_VERSION) {
      return next();
    }
    // The service checks the API key before it looks up the idempotency key, and perhaps checks more. So a fresh
    // refusal proves nothing about an earlier attempt. For requests that must happen once, the outcome stays unknown
    // (rules I2, I4).
    const mayHideOutcome = error.exit === EXIT.auth || request.policy === 'once';
    const provesNothing = isUnknown() && !meta.replayed && mayHideOutcome;
    return provesNothing ? giveUp(error) : { kind: 'refused', error, replayed: meta.replayed, keyVersion };
  };

  const onLimit = (error: SvcError): Step<T> => {
    // Only a 429 with the service's error envelope proves that the request had no effect.
    if (!(error instanceof ApiError)) {
      outcomeUnknown = true;
      expiry.reached();
      if (request.atMostOnce) {
        return giveUp(error);
      }
    }
    return { kind: 'retry', waitMs: 0, reason: 'rate_limit', cause: error };
  };

  return {
    tooLate: (cause) => ({ ...giveUp(cause), expired: 'time' }),
    attempts: () => attempts,
    attempted() {
      attempts += 1;
      startedAt = channel.clock.monotonic();
      expiry.attempted();
    },
    decide(answer: Answer): Step<T> {
      switch (answer.kind) {
        case 'success':
          return onSuccess(answer);
        case 'refused':
          return onRefusal(answer);
        case 'limited':
          return onLimit(answer.error);
        case 'in_flight':
          return onConflict(answer.error);
        default:
          return onFault(answer satisfies Fault);
      }
    },
    stopped(error: unknown): WriteOutcome<T> {
      if (signal?.aborted && error === signal.reason) {
        return { kind: 'interrupted', keyVersion, outcomeUnknown: isUnknown() };
      }
      if (error instanceof LaterError) {
        return { kind: 'later', resumeAt: error.resumeAt, keyVersion, outcomeUnknown: isUnknown() };
      }
      if (error instanceof SvcError && error.code === 'too_many_retries') {
        return giveUp(error);
      }
      throw error;
    },
  };
}

/** The cause can be fixed, but the service replays the stored refusal for 24 hours (rule I1). */
function isCurable({ status, code }: ApiError): boolean {
  return status === 401 || status === 403 || status === 404 || (status === 409 && code === 'invalid_request');
}
