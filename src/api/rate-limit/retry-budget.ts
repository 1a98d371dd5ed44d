const REMEMBERED = 100;
const MAX_RETRIES = 20;

/** How long everything pauses when too many of the last requests were retries, and how often (rule P6). */
export const PAUSE_MS = 60_000;
export const MAX_PAUSES = 3;

/** The last hundred requests, oldest first: true for a retry after a failure. */
export type RecentRequests = readonly boolean[];

/** The log with one more request. */
export function recordRequest(log: RecentRequests, retry: boolean): RecentRequests {
  return [...log.slice(1 - REMEMBERED), retry];
}

/** True when another retry would be more than a fifth of the last hundred requests. */
export function isRetryBudgetSpent(log: RecentRequests): boolean {
  return log.filter((retry) => retry).length >= MAX_RETRIES;
}

/** True when a hundred requests in a row went well: earlier pauses are forgotten. */
export function hasNoRetries(log: RecentRequests): boolean {
  return log.length === REMEMBERED && !log.includes(true);
}
