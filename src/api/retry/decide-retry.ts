import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { ApiError } from '../api-error.ts';
import { type Answer, type Fault, incompleteAnswer } from '../http/answer.ts';
import type { Channel } from '../http/channel.ts';
import { LaterError } from '../rate-limit/rate-limiter.ts';
import type { KeyExpiry } from './key-expiry.ts';
import { IN_FLIGHT_POLL_MS, pollDelay, retryDelay } from './retry-policy.ts';
import type { UnitOutcome, WriteRequest } from './write-request.ts';

/** What is carried from one key of a unit to the next. */
export interface KeyState {
  readonly generation: number;
  /** An outcome in doubt came before: the generation stays where it is (rule I2). */
  readonly outcomeUnknown: boolean;
  readonly attempts: number;
}

/** A unit under one key, on its way. */
export interface KeyedRequest<T> {
  readonly channel: Channel;
  readonly request: WriteRequest<T>;
  readonly expiry: KeyExpiry;
  readonly signal: AbortSignal | undefined;
}

/** Leave this key for the next generation. */
export interface NextKeyVersion {
  readonly kind: 'next_key';
  readonly state: KeyState;
}

/** Send the same key again after a wait; 429s are waited for in the gate. */
export interface RetryStep {
  readonly kind: 'again';
  readonly waitMs: number;
  readonly reason: 'retry' | 'in_flight_elsewhere' | 'rate_limit';
  readonly cause: SvcError;
}

/** What to do after an answer. */
export type Step<T> = UnitOutcome<T> | NextKeyVersion | RetryStep;

/** Keeps count of one key's attempts and turns each answer into a step. */
export interface RetryDecider<T> {
  attempts(): number;
  /** An attempt starts now. */
  attempted(): void;
  decide(answer: Answer): Step<T>;
  /** The time of the key is up. */
  tooLate(cause: SvcError): UnitOutcome<T>;
  /** What was thrown before or between attempts; throws on what is not ours. */
  stopped(error: unknown): UnitOutcome<T>;
}

const LAST_KEY_VERSION = 9;

/** Decides, answer by answer, what becomes of a unit under one key. */
export function createRetryDecider<T>(
  { channel, request: unit, expiry: life, signal }: KeyedRequest<T>,
  before: KeyState,
): RetryDecider<T> {
  const { generation } = before;
  let { outcomeUnknown, attempts } = before;
  let inFlightElsewhere = false;
  let failures = 0;
  let spentMs = 0;
  let startedAt = 0;
  let conflictSince: number | undefined;

  const inDoubt = () => outcomeUnknown || inFlightElsewhere;
  const gaveUp = (cause: SvcError) => ({ kind: 'doubt', cause, generation, inDoubt: inDoubt() }) as const;
  const next = (): Step<T> =>
    signal?.aborted
      ? { kind: 'interrupted', generation: generation, inDoubt: outcomeUnknown }
      : { kind: 'next_key', state: { generation: generation, outcomeUnknown: outcomeUnknown, attempts } };

  const onFault = (fault: Fault): Step<T> => {
    const { meta } = fault;
    if (fault.reached) {
      outcomeUnknown = true;
      life.reached();
    }
    if (fault.reached && unit.atMostOnce) {
      return gaveUp(fault.error);
    }
    if (meta.replayed && meta.status !== undefined && meta.status >= 500) {
      return unit.policy === 'repeatable' && generation < LAST_KEY_VERSION
        ? next()
        : { ...gaveUp(fault.error), over: 'stored' };
    }
    failures += 1;
    spentMs += channel.clock.monotonic() - startedAt;
    const chance = { random: channel.random(), atLeastMs: meta.retryAfterMs };
    const waitMs = fault.retryable ? retryDelay(unit.policy, { failures, spentMs }, chance) : undefined;
    if (waitMs === undefined) {
      return gaveUp(fault.error);
    }
    spentMs += waitMs;
    return { kind: 'again', waitMs, reason: 'retry', cause: fault.error };
  };

  const onConflict = (error: ApiError): Step<T> => {
    inFlightElsewhere = true;
    life.reached();
    if (unit.atMostOnce) {
      return gaveUp(error);
    }
    conflictSince ??= channel.clock.monotonic();
    const waitMs = pollDelay(channel.random());
    const tooLong = channel.clock.monotonic() + waitMs - conflictSince > IN_FLIGHT_POLL_MS;
    return tooLong ? gaveUp(error) : { kind: 'again', waitMs, reason: 'in_flight_elsewhere', cause: error };
  };

  const onSuccess = (answer: Answer & { kind: 'success' }): Step<T> => {
    const value = unit.read(answer.json);
    const { replayed, requestId } = answer.meta;
    if (value === undefined) {
      return onFault(incompleteAnswer(answer.meta));
    }
    if (replayed && !inDoubt() && generation < LAST_KEY_VERSION && unit.isCurable?.(value)) {
      return next();
    }
    const ours = outcomeUnknown && { ours: true };
    return { kind: 'answered', value, status: answer.status, replayed, generation: generation, requestId, ...ours };
  };

  const onRefusal = ({ error, meta }: Answer & { kind: 'refused' }): Step<T> => {
    if (meta.replayed && isCurable(error) && !outcomeUnknown && generation < LAST_KEY_VERSION) {
      return next();
    }
    // An API key is judged before an idempotency key is looked up, and nobody shows what else is. So what is refused afresh
    // says nothing of the attempt before it, which for what must happen once leaves the doubt (rules I2, I4).
    const judgedBefore = error.exit === EXIT.auth || unit.policy === 'once';
    const saysNothing = inDoubt() && !meta.replayed && judgedBefore;
    return saysNothing ? gaveUp(error) : { kind: 'refused', error, replayed: meta.replayed, generation: generation };
  };

  const onLimit = (error: SvcError): Step<T> => {
    // Only the service's own 429 proves that nothing was done.
    if (!(error instanceof ApiError)) {
      outcomeUnknown = true;
      life.reached();
      if (unit.atMostOnce) {
        return gaveUp(error);
      }
    }
    return { kind: 'again', waitMs: 0, reason: 'rate_limit', cause: error };
  };

  return {
    tooLate: (cause) => ({ ...gaveUp(cause), over: 'time' }),
    attempts: () => attempts,
    attempted() {
      attempts += 1;
      startedAt = channel.clock.monotonic();
      life.attempted();
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
    stopped(error: unknown): UnitOutcome<T> {
      if (signal?.aborted && error === signal.reason) {
        return { kind: 'interrupted', generation: generation, inDoubt: inDoubt() };
      }
      if (error instanceof LaterError) {
        return { kind: 'later', resumeAt: error.resumeAt, generation: generation, inDoubt: inDoubt() };
      }
      if (error instanceof SvcError && error.code === 'too_many_retries') {
        return gaveUp(error);
      }
      throw error;
    },
  };
}

/** A cause that somebody can remove: the stored refusal would be replayed for 24 hours all the same (rule I1). */
function isCurable({ status, code }: ApiError): boolean {
  return status === 401 || status === 403 || status === 404 || (status === 409 && code === 'invalid_request');
}
