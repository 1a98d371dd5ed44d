import { type Clock, startStopwatch } from '../../base/lib/clock.ts';
import type { RateLimitHeaders } from './sliding-window.ts';

// The longest accepted wait: 366 days. A wait without a limit could end at a time that no date can hold.
const LONGEST_MS = 366 * 24 * 3_600_000;

/**
 * Parses `Retry-After` into milliseconds, at most 366 days. Digits are seconds; an HTTP date counts from the response's
 * own `Date`. Anything else counts as missing (P4).
 */
export function parseRetryAfter(value: string | undefined, date: string | undefined): number | undefined {
  if (value === undefined) {
    return undefined;
  }
  if (/^\d+$/.test(value)) {
    return Math.min(Number(value) * 1_000, LONGEST_MS);
  }
  const until = parseHttpDate(value);
  const now = parseHttpDate(date);
  return until === undefined || now === undefined ? undefined : Math.min(Math.max(0, until - now), LONGEST_MS);
}

/** Parses an HTTP date in its preferred form, `Sun, 06 Nov 1994 08:49:37 GMT`. Milliseconds since the epoch. */
function parseHttpDate(text: string | undefined): number | undefined {
  if (text === undefined || !/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) {
    return undefined;
  }
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

export function readRateLimitHeaders(headers: Readonly<Record<string, string | undefined>>): RateLimitHeaders {
  return { remaining: parseDigits(headers['ratelimit-remaining']), limit: parseDigits(headers['ratelimit-limit']) };
}

function parseDigits(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** The service's time in milliseconds since the epoch. Before the first response it is the wall clock. */
export interface ServiceClock {
  /**
   * Takes the time of a response from its `Date` header, unless `Age` says that a cache on the way stored the response.
   * Some caches repeat the stored `Date` then, and others write a new one. So such a response shows no time.
   */
  record(date: string | undefined, age?: string): void;
  /** True once a response of the service itself had a `Date` header. The document does not promise one. */
  isKnown(): boolean;
  /** The latest `Date` header plus the monotonic time since then. */
  now(): number;
  /**
   * Upper bound of the service's time. While the machine sleeps, the wall clock runs and the monotonic clock stops
   * (P7).
   */
  latest(): number;
}

/** True unless `Age` is missing or 0. Proxies without a stored response may send 0. */
function isStored(age: string | undefined): boolean {
  return age !== undefined && Number(age) !== 0;
}

/** Creates a clock that follows the `Date` headers of the service. */
export function createServiceClock(clock: Clock): ServiceClock {
  let recorded: { readonly date: number; readonly since: () => number; readonly readAt: number } | undefined;
  return {
    record: (text, age) => {
      const date = isStored(age) ? undefined : parseHttpDate(text);
      if (date !== undefined) {
        recorded = { date, readAt: clock.monotonic(), since: startStopwatch(clock) };
      }
    },
    isKnown: () => recorded !== undefined,
    now: () => (recorded ? Math.floor(recorded.date + clock.monotonic() - recorded.readAt) : clock.now()),
    latest: () => (recorded ? Math.floor(recorded.date + recorded.since()) : clock.now()),
  };
}
