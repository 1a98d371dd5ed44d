import type { RateLimitHeaders } from './sliding-window.ts';

// The longest accepted wait. A longer one would not fit into a date.
const LONGEST_MS = 366 * 24 * 3_600_000;

/**
 * Parses `Retry-After` into milliseconds, at most a year. Digits are seconds; an HTTP date counts from the response's
 * own `Date`. Anything else counts as missing (rule P4).
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
export function parseHttpDate(text: string | undefined): number | undefined {
  if (text === undefined || !/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) {
    return undefined;
  }
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
}

/** The wait after the `nth` 429 in a row (from 0) without `Retry-After`: 15 s, doubling up to 60 s (rule P4). */
export function defaultRetryAfter(nth: number): number {
  return Math.min(60_000, 15_000 * 2 ** Math.min(nth, 2));
}

export function readRateLimitHeaders(headers: Readonly<Record<string, string | undefined>>): RateLimitHeaders {
  return { remaining: digits(headers['ratelimit-remaining']), limit: digits(headers['ratelimit-limit']) };
}

function digits(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
