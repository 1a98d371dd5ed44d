import { type Clock, startStopwatch } from '../../base/lib/clock.ts';
import type { RateLimitHeaders } from './sliding-window.ts';

// The longest wait that svc accepts: 366 days. A longer one could end at a time that no date can show.
const LONGEST_MS = 366 * 24 * 3_600_000;

/**
 * Parses `Retry-After` into milliseconds, at most 366 days. Digits are seconds. An HTTP date counts from the `Date` of
 * the same response. Any other text counts as a missing header (P4).
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

/**
 * Parses an HTTP date such as `Sun, 06 Nov 1994 08:49:37 GMT` into milliseconds since the epoch. No other form is
 * accepted.
 */
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

/** Shows the time of the service, in milliseconds since the epoch. Before the first `Date` header: the wall clock. */
export interface ServiceClock {
  /**
   * Takes the time of a response from its `Date` header. Ignores a response whose `Age` says that a cache stored it:
   * some caches send the old `Date` then, and others a new one.
   */
  record(date: string | undefined, age?: string): void;
  /** True once a response of the service itself had a `Date` header. The document does not promise this header. */
  isKnown(): boolean;
  /** The latest `Date` header, plus the time since then on the monotonic clock. */
  now(): number;
  /**
   * The latest time that the service's clock can show. It also uses the wall clock, because the monotonic clock stops
   * while this machine sleeps (P7).
   */
  latest(): number;
}

/**
 * True if a cache stored the response. A response whose `Age` is missing or 0 does not count: proxies that store
 * nothing may send 0.
 */
function isStored(age: string | undefined): boolean {
  return age !== undefined && Number(age) !== 0;
}

/** Creates a clock that shows the service's time by its `Date` headers. */
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
