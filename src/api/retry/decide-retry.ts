import { SvcError } from '../../base/errors.ts';
import { EXIT } from '../../base/exit.ts';
import { ApiError } from '../api-error.ts';
import { type Answer, type Fault, lacking } from '../http/answer.ts';
import type { Channel } from '../http/channel.ts';
import { LaterError } from '../rate-limit/rate-limiter.ts';
import type { KeyLife } from './key-expiry.ts';
import { delayAfter, IN_FLIGHT_MS, pollDelay } from './retry-policy.ts';
import type { PostUnit, UnitOutcome } from './write-request.ts';

/** What is carried from one key of a unit to the next. */
export interface KeyState {
  readonly generation: number;
  /** An outcome in doubt came before: the generation stays where it is (rule I2). */
  readonly doubted: boolean;
  readonly attempts: number;
}

/** A unit under one key, on its way. */
export interface Sending<T> {
  readonly channel: Channel;
  readonly unit: PostUnit<T>;
  readonly life: KeyLife;
  readonly signal: AbortSignal | undefined;
}

/** Leave this key for the next generation. */
export interface NextGeneration {
  readonly kind: 'next_generation';
  readonly state: KeyState;
}

/** Send the same key again after a wait; 429s are waited for in the gate. */
export interface Again {
  readonly kind: 'again';
  readonly waitMs: number;
  readonly reason: 'retry' | 'in_flight_elsewhere' | 'rate_limit';
  readonly cause: SvcError;
}

/** What to do after an answer. */
export type Step<T> = UnitOutcome<T> | NextGeneration | Again;

/** Keeps count of one key's attempts and turns each answer into a step. */
export interface Judge<T> {
  attempts(): number;
  /** An attempt starts now. */
  attempted(): void;
  step(answer: Answer): Step<T>;
  /** The time of the key is up. */
  tooLate(cause: SvcError): UnitOutcome<T>;
  /** What was thrown before or between attempts; throws on what is not ours. */
  stopped(error: unknown): UnitOutcome<T>;
}

const LAST_GENERATION = 9;

/** Decides, answer by answer, what becomes of a unit under one key. */
export function createJudge<T>({ channel, unit, life, signal }: Sending<T>, before: KeyState): Judge<T> {
  const { generation } = before;
  let { doubted, attempts } = before;
  let held = false;
  let failures = 0;
  let spentMs = 0;
  let startedAt = 0;
  let conflictSince: number | undefined;

  const inDoubt = () => doubted || held;
  const gaveUp = (cause: SvcError) => ({ kind: 'doubt', cause, generation, inDoubt: inDoubt() }) as const;
  const next = (): Step<T> =>
    signal?.aborted
      ? { kind: 'interrupted', generation, inDoubt: doubted }
      : { kind: 'next_generation', state: { generation, doubted, attempts } };

  const onFault = (fault: Fault): Step<T> => {
    const { meta } = fault;
    if (fault.reached) {
      doubted = true;
      life.reached();
    }
    if (fault.reached && unit.atMostOnce) {
      return gaveUp(fault.error);
    }
    if (meta.replayed && meta.status !== undefined && meta.status >= 500) {
      return unit.policy === 'repeatable' && generation < LAST_GENERATION
        ? next()
        : { ...gaveUp(fault.error), over: 'stored' };
    }
    failures += 1;
    spentMs += channel.clock.monotonic() - startedAt;
    const chance = { random: channel.random(), atLeastMs: meta.retryAfterMs };
    const waitMs = fault.again ? delayAfter(unit.policy, { failures, spentMs }, chance) : undefined;
    if (waitMs === undefined) {
      return gaveUp(fault.error);
    }
    spentMs += waitMs;
    return { kind: 'again', waitMs, reason: 'retry', cause: fault.error };
  };

  const onConflict = (error: ApiError): Step<T> => {
    held = true;
    life.reached();
    if (unit.atMostOnce) {
      return gaveUp(error);
    }
    conflictSince ??= channel.clock.monotonic();
    const waitMs = pollDelay(channel.random());
    const tooLong = channel.clock.monotonic() + waitMs - conflictSince > IN_FLIGHT_MS;
    return tooLong ? gaveUp(error) : { kind: 'again', waitMs, reason: 'in_flight_elsewhere', cause: error };
  };

  const onSuccess = (answer: Answer & { kind: 'success' }): Step<T> => {
    const value = unit.read(answer.json);
    const { replayed, requestId } = answer.meta;
    if (value === undefined) {
      return onFault(lacking(answer.meta));
    }
    if (replayed && !inDoubt() && generation < LAST_GENERATION && unit.isCurable?.(value)) {
      return next();
    }
    const ours = doubted && { ours: true };
    return { kind: 'answered', value, status: answer.status, replayed, generation, requestId, ...ours };
  };

  const onRefusal = ({ error, meta }: Answer & { kind: 'refused' }): Step<T> => {
    if (meta.replayed && isCurable(error) && !doubted && generation < LAST_GENERATION) {
      return next();
    }
    // An API key is judged before an idempotency key is looked up, and nobody shows what else is. So what is refused afresh
    // says nothing of the attempt before it, which for what must happen once leaves the doubt (rules I2, I4).
    const judgedBefore = error.exit === EXIT.auth || unit.policy === 'once';
    const saysNothing = inDoubt() && !meta.replayed && judgedBefore;
    return saysNothing ? gaveUp(error) : { kind: 'refused', error, replayed: meta.replayed, generation };
  };

  const onLimit = (error: SvcError): Step<T> => {
    // Only the service's own 429 proves that nothing was done.
    if (!(error instanceof ApiError)) {
      doubted = true;
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
    step(answer: Answer): Step<T> {
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
        return { kind: 'interrupted', generation, inDoubt: inDoubt() };
      }
      if (error instanceof LaterError) {
        return { kind: 'later', resumeAt: error.resumeAt, generation, inDoubt: inDoubt() };
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
