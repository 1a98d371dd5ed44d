/** What may be repeated, and how: reads, repeatable writes, writes that must happen once, a transactional email. */
export type RetryPolicy = 'read' | 'repeatable' | 'once' | 'email';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

// Attempts in all, and the time they may take together (rule P6). Waits for the rate limit count towards neither.
const BUDGETS = {
  read: { attempts: 6, totalMs: 5 * MINUTE },
  repeatable: { attempts: 10, totalMs: 15 * MINUTE },
  once: { attempts: 6, totalMs: 4.5 * MINUTE },
  email: { attempts: 10, totalMs: 15 * MINUTE },
} as const satisfies Record<RetryPolicy, { attempts: number; totalMs: number }>;

/** One attempt lasts no longer than this (rule I5). */
export const ATTEMPT_MS = 2 * MINUTE;

/**
 * For what must happen once: no attempt starts later than `startMs` after the first, and none lasts beyond `closeMs`,
 * because the service hands an abandoned key on after five minutes (rules I3, I4).
 */
export const ONCE = { startMs: 4.5 * MINUTE, closeMs: 4 * MINUTE + 50 * SECOND } as const;

/** How long a key in flight elsewhere is polled where a repeat is harmless (rule I3). */
export const IN_FLIGHT_POLL_MS = 7 * MINUTE;

/** The service forgets a key after 24 hours; ours counts as forgotten an hour earlier (rule I6). */
export const KEY_EXPIRY_MS = 23 * 60 * MINUTE;

/** A change of an existing thing is repeated only so long (rule I10). */
export const PATCH_MS = MINUTE;

/** What an exchange has cost so far. */
export interface Attempts {
  readonly failures: number;
  readonly spentMs: number;
}

/** Milliseconds to wait before the next attempt after a failure; undefined: the budget is used up. Full jitter (rule P6). */
export function retryDelay(kind: RetryPolicy, effort: Attempts, chance: Jitter): number | undefined {
  const budget = BUDGETS[kind];
  const delay = Math.max(backoff(effort.failures, chance.random), chance.atLeastMs ?? 0);
  return effort.failures >= budget.attempts || effort.spentMs + delay > budget.totalMs ? undefined : delay;
}

/** A random number from 0 to below 1, and what the service asked for, where it did. */
export interface Jitter {
  readonly random: number;
  readonly atLeastMs?: number | undefined;
}

/** 5 to 15 s: how long to wait before asking again for a key in flight (rule I3). */
export function pollDelay(random: number): number {
  return 5 * SECOND + random * 10 * SECOND;
}

function backoff(failures: number, random: number): number {
  const most = Math.min(MINUTE, SECOND * 2 ** (failures - 1));
  return 250 + random * (most - 250);
}
