import type { Clock } from '../../base/clock.ts';
import { SvcError } from '../../base/errors.ts';
import type { Emit, WaitReason } from '../../base/events.ts';
import { EXIT } from '../../base/exit.ts';
import { unsaidRetryAfter } from './retry-after.ts';
import { MOST_PAUSES, noteRequest, PAUSE_MS, type RetryLog, tooManyRetries, wentWell } from './retry-budget.ts';
import {
  type BudgetNews,
  closed,
  endedOne,
  idlePace,
  mayStart,
  neverStarted,
  type PaceLimits,
  startedOne,
} from './sliding-window.ts';

/** Limits of one client; `maxWaitMs` is the longest total wait for 429s. */
export interface GateLimits extends PaceLimits {
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
export interface Entry {
  readonly retry: boolean;
  readonly latest?: (() => number) | undefined;
}

/** One request that may go now. Exactly one of the two is called, once. */
export interface Ticket {
  /** The attempt ended; `news` are the headers of its answer, where there was one. `limited`: it was a 429. */
  leave(news?: BudgetNews, limited?: boolean): void;
  /** The attempt was given up before its first byte. */
  cancel(): void;
}

/** The one gate that every request of a client passes. */
export interface Gate {
  /**
   * Waits until the request may start; undefined when `latest` passed. Rejects with the signal's reason, with
   * LaterError, or, where most requests are retries, with `too_many_retries`.
   */
  enter(entry: Entry, signal?: AbortSignal): Promise<Ticket | undefined>;
  /** A 429 arrived: closes the gate for all workers (rule P4). */
  close(retryAfterMs: number | undefined): void;
}

/** Where a 429 is kept beyond the process. In milliseconds from now: what is left of it, and how long it is. */
export interface KeptPause {
  read(): number | undefined;
  keep(ms: number): void;
}

export interface GateOptions {
  readonly clock: Clock;
  readonly emit: Emit;
  readonly random: () => number;
  readonly limits: GateLimits;
  readonly pause?: KeptPause | undefined;
}

const JITTER_MS = 5_000;

/** The mechanism behind the pacer's arithmetic: who waits, for how long, and who is woken by an answer. */
export function createGate({ clock, emit, random, limits, pause }: GateOptions): Gate {
  const kept = pause?.read() ?? 0;
  // The wall clock can jump at any moment; only a date that a person reads comes from it (P7).
  const laterAt = (ms: number) => new LaterError(clock.now() + Math.ceil(ms));
  let pace = kept > 0 ? closed(idlePace, clock.monotonic() + kept) : idlePace;
  let log: RetryLog = [];
  let pauses = 0;
  let unsaid = 0;
  let waitedMs = kept;
  let later = waitedMs > limits.maxWaitMs ? laterAt(kept) : undefined;
  let announcedUntil = Number.NEGATIVE_INFINITY;
  const sleepers = new Set<() => void>();

  const announce = (reason: WaitReason, ms: number) => {
    if (clock.monotonic() + ms > announcedUntil) {
      announcedUntil = clock.monotonic() + ms;
      emit({ type: 'wait', reason, ms });
    }
  };

  const wakeAll = () => {
    for (const wake of sleepers) {
      wake();
    }
  };

  /** Sleeps until the time is over or the state changed. */
  const rest = async (ms: number, signal?: AbortSignal) => {
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
    if (!tooManyRetries(log)) {
      return;
    }
    if (pauses === MOST_PAUSES) {
      throw new SvcError(EXIT.failed, 'too_many_retries', 'more than a fifth of the requests had to be repeated');
    }
    pauses += 1;
    log = [];
    pace = closed(pace, clock.monotonic() + PAUSE_MS);
    announce('too_many_retries', PAUSE_MS);
  };

  const admit = (retry: boolean): Ticket => {
    const seq = pace.nextSeq;
    pace = startedOne(pace, clock.monotonic());
    log = noteRequest(log, retry);
    pauses = wentWell(log) ? 0 : pauses;
    return {
      leave(news, limited = false) {
        unsaid = limited ? unsaid : 0;
        pace = endedOne(pace, seq, { now: clock.monotonic(), news });
        wakeAll();
      },
      cancel() {
        pace = neverStarted(pace, seq);
        wakeAll();
      },
    };
  };

  return {
    async enter({ retry, latest = () => Number.POSITIVE_INFINITY }, signal) {
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
        const verdict = mayStart(pace, clock.monotonic(), limits);
        if (verdict.go) {
          return admit(retry);
        }
        if (!verdict.quiet) {
          announce(verdict.reason, verdict.waitMs);
        }
        await rest(Math.min(verdict.waitMs, latest() + 1 - clock.monotonic()), signal);
      }
    },
    close(retryAfterMs) {
      const now = clock.monotonic();
      const wait = (retryAfterMs ?? unsaidRetryAfter(unsaid++)) + random() * JITTER_MS;
      waitedMs += Math.max(0, now + wait - Math.max(now, pace.closedUntil));
      pace = closed(pace, now + wait);
      pause?.keep(pace.closedUntil - now);
      if (waitedMs > limits.maxWaitMs) {
        later = laterAt(pace.closedUntil - now);
      }
      announce('rate_limit', wait);
      wakeAll();
    },
  };
}
