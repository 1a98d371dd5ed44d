import type { WaitReason } from '../../base/events.ts';
import { LIMITS } from '../../wire/limits.ts';

/**
 * How much of the organization's rate limit svc may use. `rate` is the maximum number of requests that svc sends in a
 * minute. `reserve` is the number of requests a minute that svc leaves to other programs.
 */
export interface WindowLimits {
  readonly rate: number;
  readonly reserve: number;
}

/** The rate-limit headers of one response. A header that is missing or malformed is undefined. */
export interface RateLimitHeaders {
  readonly remaining: number | undefined;
  readonly limit: number | undefined;
}

/** One request. `startedAt` is its start, and later its end, because the service may count it as late as that. */
interface Start {
  readonly seq: number;
  readonly startedAt: number;
}

/**
 * What svc knows about the last minute, the window in which the service counts requests. Times are in milliseconds of
 * the monotonic clock.
 */
export interface WindowState {
  readonly nextSeq: number;
  /** svc's own requests that the service may still count, oldest first. */
  readonly starts: readonly Start[];
  /** The numbers of the requests that have not ended yet. */
  readonly inFlightSeqs: readonly number[];
  /** The newest rate-limit headers, with the number of their request. Undefined before the first response. */
  readonly headers: (RateLimitHeaders & { readonly seq: number; readonly readAt: number }) | undefined;
  /** No request may start before this time, after a 429 or too many retries. */
  readonly blockedUntil: number;
}

/**
 * The request must wait. With `quiet`, the wait ends at the next response, so no event is emitted. `rate` is the value
 * of --rate, if it causes the wait.
 */
interface StartDelay {
  readonly go: false;
  readonly waitMs: number;
  readonly reason: WaitReason;
  readonly quiet?: boolean;
  readonly rate?: number;
}

/** Says that a request may start now, or how long to wait before asking again. */
export type StartDecision = { readonly go: true } | StartDelay;

// The window of the service plus a margin, because the service counts a request later than svc starts it.
const WINDOW_MS = LIMITS.rateWindowMs + 250;

export const emptyWindow: WindowState = {
  nextSeq: 0,
  starts: [],
  inFlightSeqs: [],
  headers: undefined,
  blockedUntil: Number.NEGATIVE_INFINITY,
};

/**
 * Decides whether a request may start now. Requests start as early as possible, and are not spread over the minute.
 * - svc never starts more requests in a window than its own limit.
 * - `RateLimit-Remaining` must stay above the reserve. svc first subtracts its requests that the service may not have
 *   counted in this number yet, and adds its requests that have left the window since.
 * - Headers can only slow svc down (P5). Without headers from the last minute, svc sends one request at a time.
 */
export function decideStart(state: WindowState, now: number, limits: WindowLimits): StartDecision {
  if (now < state.blockedUntil) {
    return { go: false, waitMs: state.blockedUntil - now, reason: 'rate_limit' };
  }
  const full = waitForOwnStarts(state, now, limits);
  if (full) {
    return full;
  }
  const headers = freshHeaders(state, now);
  if (!headers) {
    return oneAtATime(state);
  }
  return headers.remaining === undefined
    ? { go: true }
    : withinReserve(state, { ...headers, remaining: headers.remaining, now }, limits);
}

/** The state after a request started. The number of the request is `state.nextSeq`. */
export function recordStart(state: WindowState, now: number): WindowState {
  const seq = state.nextSeq;
  const starts = [...state.starts.filter(isLive(now)), { seq, startedAt: now }];
  return { ...state, nextSeq: seq + 1, starts, inFlightSeqs: [...state.inFlightSeqs, seq] };
}

/** The state after request `seq` ended. `headers` are those of its response, if there was one. */
export function recordRequestEnd(
  state: WindowState,
  seq: number,
  { now, headers }: { now: number; headers?: RateLimitHeaders | undefined },
): WindowState {
  const inFlightSeqs = state.inFlightSeqs.filter((other) => other !== seq);
  // svc counts the request from its end on: one window later, the service certainly does not count it any more.
  const starts = state.starts.map((start) => (start.seq === seq ? { seq, startedAt: now } : start));
  const isOlder = state.headers !== undefined && state.headers.seq > seq;
  const isLower =
    headers?.remaining !== undefined && headers.remaining < (state.headers?.remaining ?? Number.POSITIVE_INFINITY);
  if (!headers || (isOlder && !isLower)) {
    return { ...state, starts, inFlightSeqs };
  }
  const known = freshHeaders(state, now); // The earlier headers stay if a gateway sends none or wrong ones (P5).
  const isKept = headers.remaining === undefined && known?.remaining !== undefined;
  const newest = isKept ? known : { remaining: headers.remaining, seq, readAt: now };
  return { ...state, starts, inFlightSeqs, headers: { ...newest, limit: headers.limit ?? known?.limit } };
}

/** The state after a request was given up before its first byte. */
export function cancelStart(state: WindowState, seq: number): WindowState {
  return {
    ...state,
    starts: state.starts.filter((start) => start.seq !== seq),
    inFlightSeqs: state.inFlightSeqs.filter((other) => other !== seq),
  };
}

/** The state in which no request starts before `until`. If it was already blocked for longer, that time stays. */
export function blockUntil(state: WindowState, until: number): WindowState {
  return { ...state, blockedUntil: Math.max(state.blockedUntil, until) };
}

function isLive(now: number): (start: Start) => boolean {
  return (start) => start.startedAt + WINDOW_MS > now;
}

/**
 * The wait until svc's own limit has room: --rate or the limit of the service, whichever is lower. If the service sends
 * no `RateLimit-Remaining`, svc first subtracts the reserve from the limit of the service.
 */
function waitForOwnStarts(state: WindowState, now: number, limits: WindowLimits): StartDelay | undefined {
  const limit = state.headers?.limit ?? LIMITS.requestsPerMinute;
  const hasNoRemaining = state.headers !== undefined && state.headers.remaining === undefined;
  const granted = hasNoRemaining ? limit - reserveOf(limits, limit) : limit;
  const ceiling = Math.max(1, Math.min(limits.rate, granted));
  const mayBlock = state.starts.length >= ceiling; // Avoids the sort below, which takes 1 % of a long run.
  const live = mayBlock ? state.starts.filter(isLive(now)).sort((a, b) => a.startedAt - b.startedAt) : [];
  const blocking = live[live.length - ceiling];
  const waitMs = blocking === undefined ? 0 : blocking.startedAt + WINDOW_MS - now;
  const own = limits.rate < granted && { rate: limits.rate };
  return waitMs > 0 ? { go: false, waitMs, reason: 'rate_limit', ...own } : undefined;
}

/** The newest headers. Undefined if they are older than a window, or if svc was blocked after they arrived. */
function freshHeaders(state: WindowState, now: number): WindowState['headers'] {
  const { headers } = state;
  return headers && headers.readAt + WINDOW_MS > now && headers.readAt > state.blockedUntil ? headers : undefined;
}

interface RemainingBudget {
  readonly remaining: number;
  readonly limit: number | undefined;
  readonly seq: number;
  readonly readAt: number;
  readonly now: number;
}

/**
 * Compares the remaining requests with the reserve, and decides whether a request may start. Adds the requests of svc
 * that left the window after the headers arrived. The service may still count these requests. So if there is room only
 * because of them, svc sends one request at a time.
 */
function withinReserve(state: WindowState, known: RemainingBudget, limits: WindowLimits): StartDecision {
  const uncounted =
    state.starts.filter((start) => start.seq > known.seq).length +
    state.inFlightSeqs.filter((seq) => seq < known.seq).length;
  const available = known.remaining - uncounted - reserveOf(limits, known.limit ?? LIMITS.requestsPerMinute);
  if (available > 0) {
    return { go: true };
  }
  const counted = state.starts.filter((start) => start.seq <= known.seq && start.startedAt + WINDOW_MS > known.readAt);
  const freed = counted.filter((start) => !isLive(known.now)(start)).length;
  if (available + freed > 0) {
    return oneAtATime(state);
  }
  const stale = known.readAt + WINDOW_MS;
  const next = counted.filter(isLive(known.now))[-available - freed];
  const waitMs = Math.min(next === undefined ? stale : next.startedAt + WINDOW_MS, stale) - known.now;
  return waitMs > 0 ? { go: false, waitMs, reason: 'reserve' } : { go: true };
}

/** Lets a request start if no other is in flight. Otherwise it waits for the next response. */
function oneAtATime({ inFlightSeqs }: WindowState): StartDecision {
  return inFlightSeqs.length === 0 ? { go: true } : { go: false, waitMs: WINDOW_MS, reason: 'reserve', quiet: true };
}

/** The reserve. A reserve as large as the limit would block every request, so it then becomes a fifth of the limit. */
export function reserveOf({ reserve }: WindowLimits, limit: number): number {
  return reserve < limit ? reserve : Math.floor(limit / 5);
}
