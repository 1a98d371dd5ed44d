import type { WaitReason } from '../../base/events.ts';
import { LIMITS } from '../../wire/limits.ts';

/**
 * The share of the organization's limit that svc may use. `rate`: the maximum of requests that svc sends in a minute.
 * `reserve`: requests a minute that svc leaves to other programs.
 */
export interface WindowLimits {
  readonly rate: number;
  readonly reserve: number;
}

/** The rate-limit headers of one response. A missing or malformed header is undefined. */
export interface RateLimitHeaders {
  readonly remaining: number | undefined;
  readonly limit: number | undefined;
}

/**
 * One request, with its number. `startedAt` is its start while it is in flight, and later its end. The end is the
 * latest time at which the service may have counted the request.
 */
interface Start {
  readonly seq: number;
  readonly startedAt: number;
}

/**
 * What svc knows about the last minute, in which the service counts requests. Times are milliseconds of the monotonic
 * clock.
 */
export interface WindowState {
  readonly nextSeq: number;
  /** Starts of svc's own requests that the service may still count, oldest first. */
  readonly starts: readonly Start[];
  /** The numbers of the requests without a response yet. */
  readonly inFlightSeqs: readonly number[];
  /** The newest rate-limit headers, and the number of their request. Undefined before the first response. */
  readonly headers: (RateLimitHeaders & { readonly seq: number; readonly readAt: number }) | undefined;
  /** No request starts before this time, because of a 429 or too many retries. */
  readonly blockedUntil: number;
}

/**
 * A wait. `quiet`: it ends with the next response, so no event is emitted. `rate`: the limit of --rate, if this limit
 * causes the wait.
 */
interface StartDelay {
  readonly go: false;
  readonly waitMs: number;
  readonly reason: WaitReason;
  readonly quiet?: boolean;
  readonly rate?: number;
}

/** Start now, or wait and ask again. */
export type StartDecision = { readonly go: true } | StartDelay;

// The service's window plus a margin. The service counts a request later than svc starts it.
const WINDOW_MS = LIMITS.rateWindowMs + 250;

export const emptyWindow: WindowState = {
  nextSeq: 0,
  starts: [],
  inFlightSeqs: [],
  headers: undefined,
  blockedUntil: Number.NEGATIVE_INFINITY,
};

/**
 * Decides whether a request may start now. Requests start as early as possible; they are not spread evenly.
 * - svc never starts more requests in a window than its own limit.
 * - `RateLimit-Remaining` must stay above the reserve. Requests that this number may not include yet are subtracted
 *   from it. Requests of svc that left the window since are added to it.
 * - Headers can only slow svc down (P5). Without headers of the last minute, svc sends one request at a time.
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

/** The state after a request starts. Its number is `state.nextSeq`. */
export function recordStart(state: WindowState, now: number): WindowState {
  const seq = state.nextSeq;
  const starts = [...state.starts.filter(isLive(now)), { seq, startedAt: now }];
  return { ...state, nextSeq: seq + 1, starts, inFlightSeqs: [...state.inFlightSeqs, seq] };
}

/** The state after request `seq` ends, with the headers of its response, if there was one. */
export function recordRequestEnd(
  state: WindowState,
  seq: number,
  end: { now: number; headers?: RateLimitHeaders | undefined },
): WindowState {
  const inFlightSeqs = state.inFlightSeqs.filter((other) => other !== seq);
  // One window after a request ended, the service surely no longer counts it.
  const starts = state.starts.map((start) => (start.seq === seq ? { seq, startedAt: end.now } : start));
  const { headers } = end;
  const isOlder = state.headers !== undefined && state.headers.seq > seq;
  const isLower =
    headers?.remaining !== undefined && headers.remaining < (state.headers?.remaining ?? Number.POSITIVE_INFINITY);
  if (!headers || (isOlder && !isLower)) {
    return { ...state, starts, inFlightSeqs };
  }
  return { ...state, starts, inFlightSeqs, headers: { ...headers, seq, readAt: end.now } };
}

/** The state after a request was abandoned before its first byte. */
export function cancelStart(state: WindowState, seq: number): WindowState {
  return {
    ...state,
    starts: state.starts.filter((start) => start.seq !== seq),
    inFlightSeqs: state.inFlightSeqs.filter((other) => other !== seq),
  };
}

/** The state in which nothing starts before `until`. An earlier call with a later time stays in force. */
export function blockUntil(state: WindowState, until: number): WindowState {
  return { ...state, blockedUntil: Math.max(state.blockedUntil, until) };
}

function isLive(now: number): (start: Start) => boolean {
  return (start) => start.startedAt + WINDOW_MS > now;
}

/**
 * The wait until svc has room in its own limit. The reserve is subtracted from that limit if the service sends no
 * `RateLimit-Remaining`.
 */
function waitForOwnStarts(state: WindowState, now: number, limits: WindowLimits): StartDelay | undefined {
  const limit = state.headers?.limit ?? LIMITS.requestsPerMinute;
  const hasNoRemaining = state.headers !== undefined && state.headers.remaining === undefined;
  const granted = hasNoRemaining ? limit - reserveOf(limits, limit) : limit;
  const ceiling = Math.max(1, Math.min(limits.rate, granted));
  const live = state.starts.filter(isLive(now)).sort((a, b) => a.startedAt - b.startedAt);
  const blocking = live[live.length - ceiling];
  const waitMs = blocking === undefined ? 0 : blocking.startedAt + WINDOW_MS - now;
  const own = limits.rate < granted ? { rate: limits.rate } : {};
  return waitMs > 0 ? { go: false, waitMs, reason: 'rate_limit', ...own } : undefined;
}

/** The newest headers. Undefined if they are older than a window, or if svc had to wait after they arrived. */
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
 * Compares the remaining requests with the reserve. Requests of svc that left the window since may count as remaining
 * too. If only these requests leave room, svc sends one request at a time: the service may still count them.
 */
function withinReserve(state: WindowState, known: RemainingBudget, limits: WindowLimits): StartDecision {
  const counted = state.starts.filter((start) => start.seq <= known.seq && start.startedAt + WINDOW_MS > known.readAt);
  const freed = counted.filter((start) => !isLive(known.now)(start)).length;
  const uncounted =
    state.starts.filter((start) => start.seq > known.seq).length +
    state.inFlightSeqs.filter((seq) => seq < known.seq).length;
  const available = known.remaining - uncounted - reserveOf(limits, known.limit ?? LIMITS.requestsPerMinute);
  if (available > 0) {
    return { go: true };
  }
  if (available + freed > 0) {
    return oneAtATime(state);
  }
  const stale = known.readAt + WINDOW_MS;
  const next = counted.filter(isLive(known.now))[-available - freed];
  const waitMs = Math.min(next === undefined ? stale : next.startedAt + WINDOW_MS, stale) - known.now;
  return waitMs > 0 ? { go: false, waitMs, reason: 'reserve' } : { go: true };
}

/** Lets a request start if no request is in flight; otherwise it waits for the next response. */
function oneAtATime({ inFlightSeqs }: WindowState): StartDecision {
  return inFlightSeqs.length === 0 ? { go: true } : { go: false, waitMs: WINDOW_MS, reason: 'reserve', quiet: true };
}

/** The reserve, or a fifth of the limit if the reserve is as large as the limit: it would block every request. */
export function reserveOf({ reserve }: WindowLimits, limit: number): number {
  return reserve < limit ? reserve : Math.floor(limit / 5);
}
