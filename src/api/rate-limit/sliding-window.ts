import type { WaitReason } from '../../base/events.ts';
import { LIMITS } from '../../wire/limits.ts';

/** How much of the organisation's budget svc may use: requests a minute at most, and requests left to others. */
export interface WindowLimits {
  readonly rate: number;
  readonly reserve: number;
}

/** What one answer said about the budget. Headers that are missing or no plain numbers are undefined. */
export interface RateLimitHeaders {
  readonly remaining: number | undefined;
  readonly limit: number | undefined;
}

/** `at` is the latest moment at which the service may have counted it: its start, and its end once it has one. */
interface Start {
  readonly seq: number;
  readonly at: number;
}

/**
 * What is known about the window: our own starts, what is in flight, and the newest answer. Plain data; times are readings of
 * the monotonic clock, in milliseconds.
 */
export interface WindowState {
  readonly nextSeq: number;
  /** Own starts that may still count, oldest first. */
  readonly starts: readonly Start[];
  readonly inFlight: readonly number[];
  /** `seq` is the request whose answer this was; undefined: nothing fresh is known. */
  readonly headers: (RateLimitHeaders & { readonly seq: number; readonly at: number }) | undefined;
  readonly closedUntil: number;
}

/** Go, or wait so long and ask again. `quiet`: the wait is for an answer in flight, nothing to tell anybody. */
export type StartDecision =
  | { readonly go: true }
  | { readonly go: false; readonly waitMs: number; readonly reason: WaitReason; readonly quiet?: boolean };

// The service's window and a margin, because a start is timed here and counted there.
const WINDOW_MS = LIMITS.rateWindowMs + 250;

export const emptyWindow: WindowState = {
  nextSeq: 0,
  starts: [],
  inFlight: [],
  headers: undefined,
  closedUntil: Number.NEGATIVE_INFINITY,
};

/**
 * May a request start now? The window is used at once rather than in even steps. Our own log of starts is the ceiling;
 * `RateLimit-Remaining`, less what it may not have counted yet, must stay above the reserve, and rises again as our own
 * starts leave the window. Headers only ever slow us down (rule P5). Where nothing fresh is known, one request goes alone.
 */
export function decideStart(state: WindowState, now: number, limits: WindowLimits): StartDecision {
  if (now < state.closedUntil) {
    return { go: false, waitMs: state.closedUntil - now, reason: 'rate_limit' };
  }
  const full = waitForOwnStarts(state, now, limits);
  if (full > 0) {
    return { go: false, waitMs: full, reason: 'rate_limit' };
  }
  const news = freshHeaders(state, now);
  if (!news) {
    return oneAtATime(state);
  }
  return news.remaining === undefined
    ? { go: true }
    : withinReserve(state, { ...news, remaining: news.remaining, now }, limits);
}

/** The state after a request started. Its number is `state.nextSeq`. */
export function recordStart(state: WindowState, now: number): WindowState {
  const seq = state.nextSeq;
  const starts = [...state.starts.filter(isLive(now)), { seq, at: now }];
  return { ...state, nextSeq: seq + 1, starts, inFlight: [...state.inFlight, seq] };
}

/** The state after request `seq` ended, with the headers of its answer where there was one. */
export function recordEnd(
  state: WindowState,
  seq: number,
  end: { now: number; news?: RateLimitHeaders | undefined },
): WindowState {
  const inFlight = state.inFlight.filter((other) => other !== seq);
  // The service counted it somewhere between start and end; its slot is free again for sure a window after the end.
  const starts = state.starts.map((start) => (start.seq === seq ? { seq, at: end.now } : start));
  const { news } = end;
  const outrun = state.headers !== undefined && state.headers.seq > seq;
  const lower =
    news?.remaining !== undefined && news.remaining < (state.headers?.remaining ?? Number.POSITIVE_INFINITY);
  if (!news || (outrun && !lower)) {
    return { ...state, starts, inFlight };
  }
  return { ...state, starts, inFlight, headers: { ...news, seq, at: end.now } };
}

/** The state after a request was given up before its first byte. */
export function cancelStart(state: WindowState, seq: number): WindowState {
  return {
    ...state,
    starts: state.starts.filter((start) => start.seq !== seq),
    inFlight: state.inFlight.filter((other) => other !== seq),
  };
}

/** The state with the gate closed until `until`, or later where it was already. */
export function closeUntil(state: WindowState, until: number): WindowState {
  return { ...state, closedUntil: Math.max(state.closedUntil, until) };
}

function isLive(now: number): (start: Start) => boolean {
  return (start) => start.at + WINDOW_MS > now;
}

/** Without a word from the service on what remains, the reserve comes off our own ceiling. */
function waitForOwnStarts(state: WindowState, now: number, limits: WindowLimits): number {
  const limit = state.headers?.limit ?? LIMITS.requestsPerMinute;
  const silent = state.headers !== undefined && state.headers.remaining === undefined;
  const ceiling = Math.max(1, Math.min(limits.rate, silent ? limit - reserveOf(limits, limit) : limit));
  const live = state.starts.filter(isLive(now)).sort((a, b) => a.at - b.at);
  const blocking = live[live.length - ceiling];
  return blocking === undefined ? 0 : blocking.at + WINDOW_MS - now;
}

/** What was learned before a closed gate opened again, or a window ago, says nothing about now. */
function freshHeaders(state: WindowState, now: number): WindowState['headers'] {
  const { headers: news } = state;
  return news && news.at + WINDOW_MS > now && news.at > state.closedUntil ? news : undefined;
}

interface RemainingBudget {
  readonly remaining: number;
  readonly limit: number | undefined;
  readonly seq: number;
  readonly at: number;
  readonly now: number;
}

/**
 * Whether what remains is above the reserve. That our own starts have left the window is how we count, and the service may
 * weigh them otherwise: on that alone one request goes, and its answer says what remains.
 */
function withinReserve(state: WindowState, known: RemainingBudget, limits: WindowLimits): StartDecision {
  const counted = state.starts.filter((start) => start.seq <= known.seq && start.at + WINDOW_MS > known.at);
  const freed = counted.filter((start) => !isLive(known.now)(start)).length;
  const uncounted =
    state.starts.filter((start) => start.seq > known.seq).length +
    state.inFlight.filter((seq) => seq < known.seq).length;
  const available = known.remaining - uncounted - reserveOf(limits, known.limit ?? LIMITS.requestsPerMinute);
  if (available > 0) {
    return { go: true };
  }
  if (available + freed > 0) {
    return oneAtATime(state);
  }
  const stale = known.at + WINDOW_MS;
  const next = counted.filter(isLive(known.now))[-available - freed];
  const waitMs = Math.min(next === undefined ? stale : next.at + WINDOW_MS, stale) - known.now;
  return waitMs > 0 ? { go: false, waitMs, reason: 'reserve' } : { go: true };
}

/** Go where nothing is in flight; else the next answer is waited for. */
function oneAtATime({ inFlight }: WindowState): StartDecision {
  return inFlight.length === 0 ? { go: true } : { go: false, waitMs: WINDOW_MS, reason: 'reserve', quiet: true };
}

/** A reserve that is the whole limit would let nothing through: then a fifth of the limit, as by default. */
function reserveOf({ reserve }: WindowLimits, limit: number): number {
  return reserve < limit ? reserve : Math.floor(limit / 5);
}
