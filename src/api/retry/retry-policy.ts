/**
 * How a request may be repeated. `read`: a GET. `repeatable`: a write with the same result when done twice. `once`: a
 * write that must happen only once. `email`: a transactional email, which the service sends once for each key.
 */
export type RetryPolicy = 'read' | 'repeatable' | 'once' | 'email';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

// The maximum number of attempts, and how long they may take together (P6). Waits for the rate limit do not count.
const BUDGETS = {
  read: { attempts: 6, totalMs: 5 * MINUTE },
  repeatable: { attempts: 10, totalMs: 15 * MINUTE },
  once: { attempts: 6, totalMs: 4.5 * MINUTE },
  email: { attempts: 10, totalMs: 15 * MINUTE },
} as const satisfies Record<RetryPolicy, { attempts: number; totalMs: number }>;

/**
 * The limits for a write that must happen only once: no attempt starts later than `startMs` after the first one, and
 * each ends before `closeMs`. After five minutes the service lets a later request take over an abandoned key (I3, I4).
 */
export const WRITE_ONCE_WINDOW = { startMs: 4.5 * MINUTE, closeMs: 4 * MINUTE + 50 * SECOND } as const;

/**
 * The limits for an enrollment whose key another machine sent too. The request of that machine may be minutes older
 * than the first attempt here. So no attempt starts later than `startMs` after the first response "in flight" (I4).
 */
export const SHARED_KEY_WINDOW = { startMs: 30 * SECOND, closeMs: 50 * SECOND } as const;

/** How long svc polls a key that is in flight elsewhere (I3). A write that must happen only once ends before that. */
export const MAX_POLLING_MS = 7 * MINUTE;

/** The service forgets a key after 24 hours. svc stops using it an hour earlier (I6). */
export const KEY_EXPIRY_MS = 23 * 60 * MINUTE;

/** How long a PATCH may be repeated (I10). */
export const MAX_PATCH_RETRY_MS = MINUTE;

/** The number of failed attempts, and how many milliseconds they took together with the waits after them. */
export interface FailedAttempts {
  readonly failures: number;
  readonly spentMs: number;
}

/** The milliseconds until the next attempt, with full jitter. Undefined if no attempt is left (P6). */
export function retryDelay(kind: RetryPolicy, attempts: FailedAttempts, jitter: RetryDelayInput): number | undefined {
  const budget = BUDGETS[kind];
  const delay = Math.max(backoff(attempts.failures, jitter.random), jitter.atLeastMs ?? 0);
  return attempts.failures >= budget.attempts || attempts.spentMs + delay > budget.totalMs ? undefined : delay;
}

/** True if the service asks for a wait that is longer than all attempts together may take (P6). */
export function exceedsRetryTime(kind: RetryPolicy, { spentMs }: FailedAttempts, waitMs: number): boolean {
  return spentMs + waitMs > BUDGETS[kind].totalMs;
}

/** `random` is a number from 0 to below 1. `atLeastMs` is the wait that the service asks for. */
export interface RetryDelayInput {
  readonly random: number;
  readonly atLeastMs?: number | undefined;
}

/** The milliseconds before the next poll of a key that is in flight: 5 to 15 s (I3). */
export function pollDelay(random: number): number {
  return 5 * SECOND + random * 10 * SECOND;
}

function backoff(failures: number, random: number): number {
  const maxMs = Math.min(MINUTE, SECOND * 2 ** (failures - 1));
  return 250 + random * (maxMs - 250);
}
