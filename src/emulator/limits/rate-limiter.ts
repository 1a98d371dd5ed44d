import { LIMITS } from '../../wire/limits.ts';
import type { Variants } from '../context/variants.ts';
import { Refusal } from '../protocol/envelope.ts';
import { createRateWindow, type RateWindow } from './rate-window.ts';

/** The two rate limits of each organization: one for all requests, and one only for POST /v1/emails. */
export interface RateLimiter {
  /**
   * Counts one request. POST /v1/emails counts in both limits. If a limit is reached, throws 429 `rate_limit_exceeded`
   * with `Retry-After`.
   */
  consume(request: { readonly organization: number; readonly isSend: boolean }, now: number): void;
  /** Counts requests up to the limit, as if another program of the organization had sent them. */
  consumeQuota(organization: number, count: number, now: number): void;
  /** The `ratelimit-*` headers that every response has. */
  headers(organization: number, now: number): Record<string, string>;
}

/** Allows `limit` requests a minute for each organization. With 0, both limits are off. */
export function createRateLimiter(limit: number, variants: Variants): RateLimiter {
  const windowOf = createWindows(() => createRateWindow(variants.rate_window, limit, LIMITS.rateWindowMs));
  const sendLimit = limit === 0 ? 0 : LIMITS.transactionalPerMinute;
  const sendWindowOf = createWindows(() => createRateWindow(variants.rate_window, sendLimit, LIMITS.rateWindowMs));
  return {
    consume({ organization, isSend }, now) {
      const windows = isSend ? [windowOf(organization), sendWindowOf(organization)] : [windowOf(organization)];
      const full = windows.filter((window) => !window.hasRoom(now));
      if (full.length === 0 || variants.rate_counts_refused === 'yes') {
        windows.forEach((window) => window.push(now));
      }
      // `Retry-After` comes from the limit with the longest wait, because a request that waits this long must then
      // succeed.
      const [slowest] = full.sort((a, b) => b.roomIn(now) - a.roomIn(now));
      if (slowest !== undefined) {
        throw tooMany(slowest, now);
      }
    },
    consumeQuota(organization, count, now) {
      for (let itemsLeft = count; itemsLeft > 0 && windowOf(organization).hasRoom(now); itemsLeft -= 1) {
        windowOf(organization).push(now);
      }
    },
    headers(organization, now) {
      return rateHeaders(windowOf(organization), now);
    },
  };
}

function createWindows(create: () => RateWindow): (organization: number) => RateWindow {
  const windows = new Map<number, RateWindow>();
  return (organization) => {
    const window = windows.get(organization) ?? create();
    windows.set(organization, window);
    return window;
  };
}

function rateHeaders(window: RateWindow, now: number): Record<string, string> {
  return {
    'ratelimit-limit': String(window.limit),
    'ratelimit-remaining': String(window.remaining(now)),
    'ratelimit-reset': String(Math.ceil(window.resetIn(now) / 1_000)),
  };
}

function tooMany(window: RateWindow, now: number): Refusal {
  const seconds = Math.max(1, Math.ceil(window.roomIn(now) / 1_000));
  const message = `Over the limit of ${window.limit} requests a minute.`;
  return new Refusal(429, 'rate_limit_exceeded', message, { headers: { 'retry-after': String(seconds) } });
}
