const REMEMBERED = 100;
const MAX_RETRIES = 20;

/** How long all requests pause when the retry budget is spent, and how often (rule P6). */
export const PAUSE_MS = 60_000;
export const MAX_PAUSES = 3;

/** The last hundred requests, oldest first. True means a retry after a failure. */
export type RecentRequests = readonly boolean[];

/** The requests with one more added. */
export function recordRequest(log: RecentRequests, retry: boolean): RecentRequests {
  return [...log.slice(1 - REMEMBERED), retry];
}

/** True if another retry would exceed a fifth of the last hundred requests. */
export function isRetryBudgetSpent(log: RecentRequests): boolean {
  return log.filter((retry) => retry).length >= MAX_RETRIES;
}

/** True after a hundred requests without a retry: then earlier pauses no longer count. */
export function hasNoRetries(log: RecentRequests): boolean {
  return log.length === REMEMBERED && !log.includes(true);
}
