import type { Emit, WaitReason } from '../../base/events.ts';
import type { Clock } from '../../base/lib/clock.ts';
import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { defaultRetryAfter } from './retry-after.ts';
import {
  hasNoRetries,
  isRetryBudgetSpent,
  MAX_PAUSES,
  PAUSE_MS,
  type RecentRequests,
  recordRequest,
} from './retry-budget.ts';
import {
  cancelStart,
  closeUntil,
  decideStart,
  emptyWindow,
  type RateLimitHeaders,
  recordEnd,
  recordStart,
  type WindowLimits,
} from './sliding-window.ts';

/** Limits of one client; `maxWaitMs` is the longest total wait for 429s. */
export interface RateLimits extends WindowLimits {
  readonly maxWaitMs: number;
}

/** Waiting on would pass --max-wait: exit 75, and the time from which a resume makes sense (local clock). */
export class LaterError extends SvcError {
  readonly resumeAt: number;

  constructor(resumeAt: number) {
    const at = new Date(resumeAt).toISOString();
    super(EXIT.later, 'rate_limited', `the service asks to wait until ${at}, longer than --max-wait allows`, {
      hint: `resume after ${at}`,
    });
    this.name = 'LaterError';
    this.resumeAt = resumeAt;
  }
}

/** A request that wants to start. Gives up where it cannot start by `latest` (monotonic clock), asked again after every wait. */
export interface PermitRequest {
  readonly retry: boolean;
  readonly latestStart?: (() => number) | undefined;
}

/** One request that may go now. Exactly one of the two is called, once. */
export interface Permit {
  /** The attempt ended; `news` are the headers of its answer, where there was one. `limited`: it was a 429. */
  release(news?: RateLimitHeaders, limited?: boolean): void;
  /** The attempt was given up before its first byte. */
  cancel(): void;
}

/** The one gate that every request of a client passes. */
export interface RateLimiter {
  /**
   * Waits until the request may start; undefined when `latest` passed. Rejects with the signal's reason, with
   * LaterError, or, where most requests are retries, with `too_many_retries`.
   */
  acquire(entry: PermitRequest, signal?: AbortSignal): Promise<Permit | undefined>;
  /** A 429 arrived: closes the gate for all workers (rule P4). */
  backOff(retryAfterMs: number | undefined): void;
}

/** Where a 429 is kept beyond the process. In milliseconds from now: what is left of it, and how long it is. */
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

/** The mechanism behind the pacer's arithmetic: who waits, for how long, and who is woken by an answer. */
export function createRateLimiter({ clock, emit, random, limits, backoff: pause }: RateLimiterOptions): RateLimiter {
  const persistedMs = pause?.read() ?? 0;
  // The wall clock can jump at any moment; only a date that a person reads comes from it (P7).
  const laterAt = (ms: number) => new LaterError(clock.now() + Math.ceil(ms));
  let window = persistedMs > 0 ? closeUntil(emptyWindow, clock.monotonic() + persistedMs) : emptyWindow;
  let recent: RecentRequests = [];
  let pauses = 0;
  let unspecified = 0;
  let waitedMs = persistedMs;
  let later = waitedMs > limits.maxWaitMs ? laterAt(persistedMs) : undefined;
  let emittedUntil = Number.NEGATIVE_INFINITY;
  const sleepers = new Set<() => void>();

  const emitWait = (reason: WaitReason, ms: number) => {
    if (clock.monotonic() + ms > emittedUntil) {
      emittedUntil = clock.monotonic() + ms;
      emit({ type: 'wait', reason, ms });
    }
  };

  const wakeAll = () => {
    for (const wake of sleepers) {
      wake();
    }
  };

  /** Sleeps until the time is over or the state changed. */
  const sleep = async (ms: number, signal?: AbortSignal) => {
    const waker = new AbortController();
    const wake = () => waker.abort();
    sleepers.add(wake);
    signal?.addEventListener('abort', wake, { once: true });
    try {
      await clock.sleep(ms, waker.signal);
    } catch (error) {
      if (!waker.signal.aborted) {
        throw error;
      }
    } finally {
      sleepers.delete(wake);
      signal?.removeEventListener('abort', wake);
    }
  };

  const pauseForRetries = () => {
    if (!isRetryBudgetSpent(recent)) {
      return;
    }
    if (pauses === MAX_PAUSES) {
      throw new SvcError(EXIT.failed, 'too_many_retries', 'more than a fifth of the requests had to be repeated');
    }
    pauses += 1;
    recent = [];
    window = closeUntil(window, clock.monotonic() + PAUSE_MS);
    emitWait('too_many_retries', PAUSE_MS);
  };

  const grant = (retry: boolean): Permit => {
    const seq = window.nextSeq;
    window = recordStart(window, clock.monotonic());
    recent = recordRequest(recent, retry);
    pauses = hasNoRetries(recent) ? 0 : pauses;
    return {
      release(news, limited = false) {
        unspecified = limited ? unspecified : 0;
        window = recordEnd(window, seq, { now: clock.monotonic(), news });
        wakeAll();
      },
      cancel() {
        window = cancelStart(window, seq);
        wakeAll();
      },
    };
  };

  return {
    async acquire({ retry, latestStart: latest = () => Number.POSITIVE_INFINITY }, signal) {
      for (;;) {
        signal?.throwIfAborted();
        if (later) {
          throw later;
        }
        if (clock.monotonic() > latest()) {
          return undefined;
        }
        if (retry) {
          pauseForRetries();
        }
        const decision = decideStart(window, clock.monotonic(), limits);
        if (decision.go) {
          return grant(retry);
        }
        if (!decision.quiet) {
          emitWait(decision.reason, decision.waitMs);
        }
        await sleep(Math.min(decision.waitMs, latest() + 1 - clock.monotonic()), signal);
      }
    },
    backOff(retryAfterMs) {
      const now = clock.monotonic();
      const wait = (retryAfterMs ?? defaultRetryAfter(unspecified++)) + random() * JITTER_MS;
      waitedMs += Math.max(0, now + wait - Math.max(now, window.closedUntil));
      window = closeUntil(window, now + wait);
      pause?.save(window.closedUntil - now);
      if (waitedMs > limits.maxWaitMs) {
        later = laterAt(window.closedUntil - now);
      }
      emitWait('rate_limit', wait);
      wakeAll();
    },
  };
}
