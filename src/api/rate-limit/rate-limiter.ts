import type { Emit, WaitReason } from '../../base/events.ts';
import { type Clock, createSleepers } from '../../base/lib/clock.ts';
import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { createRetryBudget, defaultRetryAfter, RETRY_PAUSE_MS } from './retry-budget.ts';
import {
  blockUntil,
  cancelStart,
  decideStart,
  emptyWindow,
  type RateLimitHeaders,
  recordRequestEnd,
  recordStart,
  type WindowLimits,
} from './sliding-window.ts';

/** The limits of one client. `maxWaitMs` limits how long all waits after a 429 may take together. */
export interface RateLimits extends WindowLimits {
  readonly maxWaitMs: number;
}

/**
 * Thrown if the service asks for a longer wait than --max-wait allows (exit 75). `resumeAt` is in milliseconds of the
 * local clock.
 */
export class LaterError extends SvcError {
  readonly resumeAt: number;

  constructor(resumeAt: number) {
    const time = new Date(resumeAt).toISOString();
    super(EXIT.later, 'rate_limited', `the service asks to wait until ${time}, longer than --max-wait allows`, {
      hint: `Resume after ${time}`,
    });
    this.name = 'LaterError';
    this.resumeAt = resumeAt;
  }
}

/**
 * A request that wants to start. `isRetry` is true if it repeats a failed attempt; the retry budget limits such
 * requests (P6).
 */
export interface PermitRequest {
  readonly isRetry: boolean;
  /**
   * The latest time at which it may start, on the monotonic clock. It is a function, because it can change during a
   * wait.
   */
  readonly latestStart?: (() => number) | undefined;
}

/** The permission to send one request. Its holder must call one of these two methods, once. */
export interface Permit {
  /**
   * Called when the attempt has ended. `headers` are those of its response, if one arrived. `wasLimited` is true after
   * a 429.
   */
  release(headers?: RateLimitHeaders, wasLimited?: boolean): void;
  /** Called if the attempt was given up before its first byte. */
  cancel(): void;
}

/** Admits the requests of a client at the allowed rate. Every request needs a permit. */
export interface RateLimiter {
  /**
   * Waits until the request may start. Undefined if `latestStart` passed meanwhile. Rejects with the reason of the
   * signal, with LaterError, or with `too_many_retries` if the retry budget is spent too often.
   */
  acquire(request: PermitRequest, signal?: AbortSignal): Promise<Permit | undefined>;
  /** Called after a 429. No request gets a permit until the wait is over (P4). */
  backOff(retryAfterMs: number | undefined): void;
}

/** Stores the wait after a 429 for the next process. Both methods use milliseconds from now. */
export interface PersistedBackoff {
  read(): number | undefined;
  save(ms: number): void;
}

export interface RateLimiterOptions {
  readonly clock: Clock;
  readonly emit: Emit;
  readonly random: () => number;
  readonly limits: RateLimits;
  readonly backoff?: PersistedBackoff | undefined;
}

const JITTER_MS = 5_000;

/**
 * Creates the rate limiter of a client. A request waits as long as the sliding window, a 429 or the retry budget
 * demands. When an attempt ends, all waiting requests wake, and check again whether they may start.
 */
export function createRateLimiter({ clock, emit, random, limits, backoff }: RateLimiterOptions): RateLimiter {
  const persistedMs = backoff?.read() ?? 0;
  // The wall clock can jump, so it is used only for a date that the user sees (P7).
  const laterError = (ms: number) => new LaterError(clock.now() + Math.ceil(ms));
  let window = persistedMs > 0 ? blockUntil(emptyWindow, clock.monotonic() + persistedMs) : emptyWindow;
  const retryBudget = createRetryBudget();
  // The number of 429s without Retry-After, one after the other. Any other result of an attempt sets it to 0.
  let withoutRetryAfter = 0;
  let waitedMs = persistedMs;
  let later = waitedMs > limits.maxWaitMs ? laterError(persistedMs) : undefined;
  let emittedUntil = Number.NEGATIVE_INFINITY;
  const { sleep, wakeAll } = createSleepers(clock);

  const emitWait = (reason: WaitReason, ms: number, rate?: number) => {
    if (clock.monotonic() + ms > emittedUntil) {
      emittedUntil = clock.monotonic() + ms;
      emit({ type: 'wait', reason, ms, ...(rate !== undefined && { rate }) });
    }
  };

  const pauseForRetries = () => {
    if (retryBudget.mustPause()) {
      window = blockUntil(window, clock.monotonic() + RETRY_PAUSE_MS);
      emitWait('too_many_retries', RETRY_PAUSE_MS);
    }
  };

  const grant = (isRetry: boolean): Permit => {
    const seq = window.nextSeq;
    window = recordStart(window, clock.monotonic());
    retryBudget.record(isRetry);
    return {
      release(headers, wasLimited = false) {
        withoutRetryAfter = wasLimited ? withoutRetryAfter : 0;
        window = recordRequestEnd(window, seq, { now: clock.monotonic(), headers });
        wakeAll();
      },
      cancel() {
        window = cancelStart(window, seq);
        wakeAll();
      },
    };
  };

  return {
    async acquire({ isRetry, latestStart = () => Number.POSITIVE_INFINITY }, signal) {
      for (;;) {
        signal?.throwIfAborted();
        if (later) {
          throw later;
        }
        if (clock.monotonic() > latestStart()) {
          return undefined;
        }
        if (isRetry) {
          pauseForRetries();
        }
        const decision = decideStart(window, clock.monotonic(), limits);
        if (decision.go) {
          return grant(isRetry);
        }
        if (!decision.quiet) {
          emitWait(decision.reason, decision.waitMs, decision.rate);
        }
        await sleep(Math.min(decision.waitMs, latestStart() + 1 - clock.monotonic()), signal);
      }
    },
    backOff(retryAfterMs) {
      const now = clock.monotonic();
      const wait = (retryAfterMs ?? defaultRetryAfter(withoutRetryAfter++)) + random() * JITTER_MS;
      waitedMs += Math.max(0, now + wait - Math.max(now, window.blockedUntil));
      window = blockUntil(window, now + wait);
      backoff?.save(window.blockedUntil - now);
      if (waitedMs > limits.maxWaitMs) {
        // From now on no request waits: each ends with this error instead.
        later = laterError(window.blockedUntil - now);
      } else {
        emitWait('rate_limit', wait);
      }
      wakeAll();
    },
  };
}
