import { EXIT, SvcError } from '../../base/lib/errors.ts';

const RECENT_REQUESTS = 100;
const MAX_RETRIES = 20;

/** How long all requests pause if the retry budget is spent, and the maximum number of such pauses (P6). */
export const RETRY_PAUSE_MS = 60_000;
const MAX_RETRY_PAUSES = 3;

/** Limits retries to a fifth of the last hundred requests of a client (P6). */
export interface RetryBudget {
  record(isRetry: boolean): void;
  /** True if all requests must pause before the next retry. Throws `too_many_retries` if they paused too often. */
  mustPause(): boolean;
}

export function createRetryBudget(): RetryBudget {
  // The last requests, oldest first: true for a retry.
  let recent: readonly boolean[] = [];
  let pauses = 0;
  return {
    record(isRetry) {
      recent = [...recent.slice(1 - RECENT_REQUESTS), isRetry];
      const isCalm = recent.length === RECENT_REQUESTS && !recent.includes(true);
      pauses = isCalm ? 0 : pauses;
    },
    mustPause() {
      if (recent.filter((isRetry) => isRetry).length < MAX_RETRIES) {
        return false;
      }
      if (pauses === MAX_RETRY_PAUSES) {
        const message =
          'svc stopped, because the service failed too often: more than a fifth of the requests were retries';
        const hint = 'Wait until the service works again. Then repeat or resume the command.';
        throw new SvcError(EXIT.failed, 'too_many_retries', message, { hint });
      }
      pauses += 1;
      recent = [];
      return true;
    },
  };
}

/**
 * The milliseconds to wait after a 429 without `Retry-After`: 15 s, then twice as long each time, up to 60 s (P4).
 * `nth` counts such 429s, from 0.
 */
export function defaultRetryAfter(nth: number): number {
  return Math.min(60_000, 15_000 * 2 ** Math.min(nth, 2));
}
